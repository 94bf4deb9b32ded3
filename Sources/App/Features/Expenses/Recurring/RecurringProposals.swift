import Domain
import Postgres

/// Recurring expenses that were found in past payments and that no member has added or dismissed.
struct RecurringProposals: Sendable {
    let database: Database
    let slowWork: SlowWork

    /// The number of past days that are searched. Long enough for three yearly payments.
    private static let days = 1_200
    private static let maximumPayments: Int32 = 40_000
    static let maximumShown = 20

    func find(_ member: Member, today: LocalDate) async throws -> [RecurringSearch.FoundSeries] {
        let rows = try await database.read(
            member.household,
            batch: [Self.payments(member, since: today.adding(days: -Self.days)), Self.decidedProposals(member)])
        return try await slowWork.run {
            let payments = try rows[0].decode((String, String, LocalDate, Int64, CategoryID?, Bool).self).map {
                key, text, day, amount, category, isPersonal in
                RecurringSearch.Payment(
                    key: key, text: text, day: day, amount: amount, category: category, isPersonal: isPersonal)
            }
            let decided = Dictionary(grouping: try rows[1].decode((String, Int64).self), by: \.0)
            let open = RecurringSearch.find(payments, today: today).filter { found in
                !(decided[found.last.key] ?? []).contains {
                    Self.covers(decided: $0.1, amount: found.last.amount)
                }
            }
            return Array(open.prefix(Self.maximumShown))
        }
    }

    /// Selects the payments of all payees with enough payments to find an interval.
    static func payments(_ member: Member, since first: LocalDate) -> SQL {
        """
        SELECT n.payee_key, n.text, n.day, n.amount, n.category_id, n.is_personal FROM (
            SELECT e.payee_key, coalesce(nullif(e.payee, ''), e.what) AS text, e.day, \(HomeAmount.of("e")) AS amount,
                e.category_id, e.is_personal, count(*) OVER (PARTITION BY e.payee_key) AS count
            FROM expense e JOIN household h ON h.id = \(member.household)
            WHERE e.household_id = \(member.household) AND e.day IS NOT NULL AND e.discarded_at IS NULL
                AND e.kind = 'expense' AND e.payee_key <> '' AND e.day >= \(first)
                AND \(ExpenseVisibility.condition(member))) n
        WHERE n.count >= \(Int64(Recurrence.minimumPayments)) AND n.amount > 0
        ORDER BY n.day DESC LIMIT \(maximumPayments)
        """
    }

    /// Whether a decision on a proposal with the amount `decided` also applies to a proposal of the same payee with the
    /// amount `amount`.
    static func covers(decided: Int64, amount: Int64) -> Bool { abs(decided - amount) * 2 <= decided }

    /// Selects the payees and amounts of all recurring expenses, including the dismissed proposals.
    static func decidedProposals(_ member: Member) -> SQL {
        """
        SELECT r.payee_key, r.amount_minor FROM recurring_expense r
        WHERE r.household_id = \(member.household) AND \(StoredRecurring.isSeen(by: member))
        """
    }
}
