import Domain
import Postgres

/// The queries of the expense list. They usually need one round trip. A search text that no entry contains needs one or
/// two more, and so does a month that does not fit on the page.
struct ExpenseListQueries: Sendable {
    let database: Database
    let slowWork: SlowWork

    struct Result: Sendable {
        /// Newest first. Contains one entry more than the page shows if there are older ones.
        let entries: [Entry]
        /// In minor units of the household's currency, by the first day of each month.
        let sums: [LocalDate: [MoneyFlow: Int64]]
        /// The number of entries for which no exchange rate is known, by the first day of each month. The sums exclude
        /// these entries.
        let withoutRate: [LocalDate: Int64]
        /// The number of recent expenses of bank files that may be the same payments as other entries.
        let bankPairCount: Int64
        let choices: ExpenseChoices
        let labels: [String]
        /// Whether no entry contains the search text, so that entries with similar texts are listed.
        var isCorrected = false
        /// The name of the payer in the filter, if that person has left the household.
        var formerPayer: String?
    }

    /// The number of entries on one page.
    static let pageSize: Int32 = 200
    /// The number of entries on a page that shows one month only.
    static let monthSize: Int32 = 1_000

    /// The maximum number of entries in the sum of a month.
    private static let maximumSummed: Int32 = 1_000_000

    static func limit(_ filter: ExpenseFilter) -> Int32 { filter.month == nil ? pageSize : monthSize }

    func list(_ filter: ExpenseFilter, _ member: Member) async throws -> Result {
        var result = try await list(filter, nil, member)
        if !filter.search.isEmpty, result.entries.isEmpty,
            let similar = try await SimilarExpenses.find(filter.search, member, database, slowWork)
        {
            result = try await list(filter, similar, member)
        }
        if let payer = filter.member, payer != ExpenseFilter.withoutPayer, result.choices.name(payer) == nil {
            result.formerPayer = try await name(ofFormer: payer, member)
        }
        return result
    }

    /// The name of a former member; nil if that person paid no entry of the household.
    private func name(ofFormer payer: PersonID, _ member: Member) async throws -> String? {
        let household = member.household
        return try await database.read(
            household,
            """
            SELECT p.name FROM person p WHERE p.id = \(payer) AND (
                EXISTS (SELECT 1 FROM expense e WHERE e.household_id = \(household) AND e.paid_by = \(payer)
                    AND \(ExpenseVisibility.condition(member)))
                OR EXISTS (SELECT 1 FROM receipt r WHERE r.household_id = \(household) AND r.person_id = \(payer)
                    AND \(Visibility.condition(member))))
            """
        ).first(String.self)
    }

    /// - Parameter size: the number of entries on the page; nil for the usual number.
    private func list(
        _ filter: ExpenseFilter, _ similar: SimilarExpenses?, _ member: Member, size: Int32? = nil
    ) async throws -> Result {
        let household = member.household
        let (expenses, receipts) = (
            filter.expenses(household, similar: similar), filter.receipts(household, similar: similar)
        )
        let limit = (size ?? Self.limit(filter)) + 1
        func source(_ limit: Int32) -> SQL {
            Entries.source(
                member, expenses: expenses, receipts: receipts, receiptAmount: filter.receiptAmount(household),
                limit: limit)
        }
        let rows = try await database.read(
            household, batch: Self.statements(filter, member, similar: similar, size: size))
        let entries = try rows[0].decode(Entry.self)
        var sums: [LocalDate: [MoneyFlow: Int64]] = [:]
        var withoutRate: [LocalDate: Int64] = [:]
        if entries.count == limit, let month = entries.first?.day.month, month == entries.last?.day.month {
            // Pages begin and end with whole months, so show all entries of this month.
            if limit <= Self.monthSize {
                return try await list(filter.restricted(to: month), similar, member, size: Self.monthSize)
            }
            // The entries of this month do not fit, so query its sum separately.
            let months = try await database.read(
                household,
                """
                SELECT date_trunc('month', n.day)::date, n.kind, coalesce(sum(n.home_minor), 0)::bigint,
                    count(*) FILTER (WHERE n.home_minor IS NULL)
                FROM \(source(Self.maximumSummed)) n GROUP BY 1, 2
                """
            ).decode((LocalDate, ExpenseKind, Int64, Int64).self)
            for (first, kind, amount, unknown) in months {
                sums[first, default: [:]][kind.flow, default: 0] += amount * kind.sign
                withoutRate[first, default: 0] += unknown
            }
        } else {
            for entry in entries {
                let month = entry.day.month.firstDay
                if let home = entry.home {
                    sums[month, default: [:]][entry.kind.flow, default: 0] += home * entry.kind.sign
                } else {
                    withoutRate[month, default: 0] += 1
                }
            }
        }
        return Result(
            entries: entries, sums: sums, withoutRate: withoutRate,
            bankPairCount: Int64(try BankPair.probable(rows[2]).count), choices: try ExpenseChoices(rows[3...]),
            labels: try rows[1].decode(String.self), isCorrected: similar != nil)
    }

    /// Returns the statements of the first round trip: entries, labels, pairs with bank files, choices.
    ///
    /// - Parameter size: the number of entries on the page; nil for the usual number.
    static func statements(
        _ filter: ExpenseFilter, _ member: Member, similar: SimilarExpenses? = nil, size: Int32? = nil
    ) -> [SQL] {
        let household = member.household
        let limit = (size ?? Self.limit(filter)) + 1
        let source = Entries.source(
            member, expenses: filter.expenses(household, similar: similar),
            receipts: filter.receipts(household, similar: similar), receiptAmount: filter.receiptAmount(household),
            limit: limit)
        return [
            """
            SELECT \(Entry.columns) FROM \(source) n ORDER BY n.day DESC, n.id DESC LIMIT \(limit)
            """,
            """
            SELECT DISTINCT k.label COLLATE "de-x-icu" FROM (
                (SELECT e.labels FROM expense e WHERE e.household_id = \(household) AND e.day IS NOT NULL
                    AND e.discarded_at IS NULL AND e.labels <> '{}' AND \(ExpenseVisibility.condition(member))
                ORDER BY e.day DESC LIMIT 500)
                UNION ALL
                (SELECT e.labels FROM expense e
                JOIN receipt r ON r.household_id = \(household) AND r.id = e.receipt_id
                WHERE e.household_id = \(household) AND e.day IS NULL AND e.discarded_at IS NULL
                    AND e.labels <> '{}' AND r.discarded_at IS NULL AND \(Visibility.condition(member))
                ORDER BY r.purchase_day DESC NULLS LAST LIMIT 500)) l
            CROSS JOIN LATERAL unnest(l.labels) AS k (label) ORDER BY 1 LIMIT 100
            """,
            BankPair.query(.since(WallClock.today().adding(days: -BankPair.countedDays)), member),
        ] + ExpenseChoices.queries(household)
    }
}
