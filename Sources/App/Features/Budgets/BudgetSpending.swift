import Domain
import Postgres

/// The spending in the periods of budgets. It is computed from the stored sums of months if all periods of the budget
/// consist of whole calendar months, otherwise from the sums of days. Each period is read as one range of an index.
struct BudgetSpending: Sendable {
    let statements: [SQL]
    private let budgets: [Budget]
    private let member: Member

    private struct Budget {
        let periods: [Range<LocalDate>]
        /// Nil for all categories.
        let categories: [CategoryID]?
        let person: PersonID?
    }

    /// One sum to query: the spending in a period of a budget. If the budget has categories, the sum is the spending in
    /// one of these categories.
    private struct SumRequest {
        let budget: Int32
        let days: Range<LocalDate>
        let category: CategoryID?
        let person: PersonID?
    }

    init(_ stored: [StoredBudget], _ categories: Categories, _ member: Member, today: LocalDate) {
        self.member = member
        let budgets = stored.map {
            Budget(
                periods: $0.periods(today: today), categories: $0.category.map(categories.below), person: $0.person)
        }
        self.budgets = budgets
        var (months, days): ([SumRequest], [SumRequest]) = ([], [])
        for (index, budget) in budgets.enumerated() {
            let requests = budget.periods.flatMap { period in
                (budget.categories.map { $0.map(Optional.some) } ?? [nil]).map {
                    SumRequest(budget: Int32(index), days: period, category: $0, person: budget.person)
                }
            }
            if budget.periods.allSatisfy({ $0.lowerBound.day == 1 && $0.upperBound.day == 1 }) {
                months += requests
            } else {
                days += requests
            }
        }
        let all = budgets.flatMap(\.periods)
        let span = (all.map(\.lowerBound).min() ?? today)..<(all.map(\.upperBound).max() ?? today)
        statements =
            [
                "SELECT g.purchase_day, g.category_id, g.amount_minor FROM \(RollUps.giftAmounts(span, seenBy: member)) g"
            ]
            + [("expense_month", "month", months), ("expense_day", "day", days)].flatMap { table, day, requests in
                [
                    Self.sums(table, day, requests.filter { $0.category == nil }, member),
                    Self.sums(table, day, requests.filter { $0.category != nil }, member),
                ].compactMap(\.self)
            }
    }

    /// Selects the budget, the first day of the period and the sum: one row for each request with spending. For
    /// requests without a category, `OFFSET 0` makes the planner search the index by date only.
    private static func sums(_ table: SQL, _ day: SQL, _ requests: [SumRequest], _ member: Member) -> SQL? {
        guard !requests.isEmpty else { return nil }
        let restriction: SQL = requests.contains { $0.category != nil } ? "AND s.category_id = t.category" : "OFFSET 0"
        return """
            SELECT t.budget, t.first, s.amount
            FROM unnest(\(requests.map(\.budget))::integer[], \(requests.map(\.days.lowerBound))::date[],
                \(requests.map(\.days.upperBound))::date[],
                \(requests.map { $0.category ?? .init(high: 0, low: 0) })::uuid[],
                \(requests.map { $0.person ?? .init(high: 0, low: 0) })::uuid[])
                AS t (budget, first, next, category, person)
            CROSS JOIN LATERAL (SELECT sum(s.amount_minor)::bigint AS amount
                FROM (SELECT s.flow, s.seen_by, s.paid_by, s.amount_minor FROM \(table) s
                    WHERE s.household_id = \(member.household) AND s.\(day) >= t.first AND s.\(day) < t.next \(restriction)) s
                WHERE s.flow = 'spending' AND \(ExpenseSums.isSeen("s", by: member))
                    AND t.person IN (\(ExpenseSums.none), s.paid_by)) s
            WHERE s.amount IS NOT NULL
            """
    }

    /// - Parameter rows: the results of `statements`.
    /// - Returns: for each budget, the sums by the first day of its periods.
    func sums(of rows: [Rows]) throws -> [[LocalDate: Int64]] {
        var sums = [[LocalDate: Int64]](repeating: [:], count: budgets.count)
        for rows in rows.dropFirst() {
            for (budget, first, amount) in try rows.decode((Int32, LocalDate, Int64).self) {
                sums[Int(budget)][first, default: 0] += amount
            }
        }
        // The stored sums exclude the member's own hidden receipts, so add these here.
        for (day, category, amount) in try rows[0].decode((LocalDate, CategoryID, Int64).self) {
            for (index, budget) in budgets.enumerated()
            where (budget.categories?.contains(category) ?? true) && (budget.person ?? member.person) == member.person {
                guard let period = budget.periods.first(where: { $0.contains(day) }) else { continue }
                sums[index][period.lowerBound, default: 0] += amount
            }
        }
        return sums
    }
}
