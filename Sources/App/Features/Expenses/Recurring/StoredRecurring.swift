import Domain
import Postgres

/// A recurring expense with its latest payments.
struct StoredRecurring: Sendable {
    let id: RecurringExpenseID
    let values: Values
    let payeeKey: String
    let revision: Int64
    /// The latest payment.
    let last: Recurrence.Payment?
    /// The payment before the latest one.
    let before: Recurrence.Payment?

    struct Values: Equatable, Sendable {
        let name: String
        let category: CategoryID?
        let interval: Recurrence.Interval
        /// The first expected day. Its day of the month is the day of the later payments.
        let starts: LocalDate
        /// In minor units of the household's currency.
        let amount: Int64
        /// In percent.
        let tolerance: Int64
        let isPersonal: Bool

        func starting(on day: LocalDate) -> Values {
            Values(
                name: name, category: category, interval: interval, starts: day, amount: amount, tolerance: tolerance,
                isPersonal: isPersonal)
        }
    }

    /// The maximum number of recurring expenses of a household, including dismissed proposals.
    static let maximumStored: Int32 = 500

    /// A condition on `r`: whether the member may see it.
    static func isSeen(by member: Member) -> SQL { "(NOT r.is_personal OR r.person_id = \(member.person))" }

    /// Selects the recurring expenses that are not dismissed, with their latest payments. A payment of the same payee
    /// counts as another purchase if its amount differs by more than half of the expected amount.
    static func query(_ member: Member) -> SQL {
        """
        SELECT r.id, r.name, r.category_id, r.repeats, r.starts_on, r.amount_minor, r.tolerance::bigint, r.is_personal,
            r.payee_key, r.revision, p.days, p.amounts
        FROM recurring_expense r JOIN household h ON h.id = r.household_id
        CROSS JOIN LATERAL (SELECT array_agg(x.day ORDER BY x.day DESC) AS days,
            array_agg(x.amount ORDER BY x.day DESC) AS amounts
            FROM (SELECT e.day, \(HomeAmount.of("e")) AS amount FROM expense e
                WHERE e.household_id = \(member.household) AND e.payee_key = r.payee_key
                    AND e.discarded_at IS NULL AND e.kind = 'expense' AND \(ExpenseVisibility.condition(member))
                    AND \(HomeAmount.of("e")) BETWEEN r.amount_minor / 2 AND r.amount_minor * 3 / 2
                ORDER BY e.day DESC LIMIT 2) x) p
        WHERE r.household_id = \(member.household) AND NOT r.is_dismissed AND \(isSeen(by: member))
        ORDER BY r.name, r.id LIMIT \(maximumStored)
        """
    }

    /// The dates on which payments are expected, counted from the latest payment or, without one, from `values.starts`.
    var recurrence: Recurrence {
        Recurrence(
            interval: values.interval, monthDay: values.starts.day,
            last: last ?? Recurrence.Payment(day: values.starts, amount: values.amount))
    }

    /// The next expected day. A payment shortly before the first expected day is the payment of that day; earlier
    /// payments do not count.
    var next: LocalDate {
        guard let last, last.day.days(to: values.starts) <= values.interval.grace else { return values.starts }
        return recurrence.next
    }

    /// Whether the next payment is overdue by more than the grace period of the interval.
    func isMissing(today: LocalDate) -> Bool { next.adding(days: values.interval.grace) < today }

    /// Whether the amount of the latest payment differs from the expected amount by more than the tolerance.
    var isChanged: Bool {
        last.map { abs($0.amount - values.amount) * 100 > values.amount * values.tolerance } ?? false
    }

    /// The expected dates before `end`. The first one can be in the past, within the grace period. Empty if a payment
    /// is missing.
    func expected(today: LocalDate, until end: LocalDate) -> [LocalDate] {
        guard !isMissing(today: today) else { return [] }
        var days: [LocalDate] = []
        var day = next
        while day < end, days.count < 60 {
            days.append(day)
            day = recurrence.expected(after: day)
        }
        return days
    }
}

extension StoredRecurring: RowDecodable {
    init(from row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        let name: String = try row.next()
        let category: CategoryID? = try row.next()
        let interval: String = try row.next()
        values = Values(
            name: name, category: category, interval: Recurrence.Interval(rawValue: interval) ?? .month,
            starts: try row.next(), amount: try row.next(), tolerance: try row.next(), isPersonal: try row.next())
        payeeKey = try row.next()
        revision = try row.next()
        let days: [LocalDate]? = try row.next()
        let amounts: [Int64]? = try row.next()
        let payments = zip(days ?? [], amounts ?? []).map { Recurrence.Payment(day: $0, amount: $1) }
        last = payments.first
        before = payments.dropFirst().first
    }
}
