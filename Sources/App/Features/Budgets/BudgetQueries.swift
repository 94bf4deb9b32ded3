import Domain
import Postgres

/// Budgets and what was spent in their periods: two round trips.
struct BudgetQueries: Sendable {
    let database: Database

    struct Result: Sendable {
        let budgets: [(budget: StoredBudget, state: BudgetState)]
        let choices: ExpenseChoices
    }

    func load(_ member: Member, today: LocalDate) async throws -> Result {
        let household = member.household
        let rows = try await database.read(
            household, batch: [StoredBudget.query(household)] + ExpenseChoices.queries(household))
        let budgets = try rows[0].decode(StoredBudget.self)
        let choices = try ExpenseChoices(rows[1...])
        let spent = try await spent(budgets, choices.categories, member, today: today)
        return Result(
            budgets: budgets.enumerated().map { ($1, $1.state(spent: spent[$0], today: today)) }, choices: choices)
    }

    /// Of each budget, by the first day of its periods.
    func spent(
        _ budgets: [StoredBudget], _ categories: Categories, _ member: Member, today: LocalDate
    ) async throws -> [[LocalDate: Int64]] {
        guard !budgets.isEmpty else { return [] }
        let rows = try await database.read(
            member.household,
            batch: budgets.map { Self.spent($0, $0.periods(today: today), categories, member) })
        return try rows.map { rows in
            Dictionary(try rows.decode((LocalDate, Int64).self).map { ($0.0, $0.1) }) { first, _ in first }
        }
    }

    /// The first day of each period with what was spent in it.
    static func spent(
        _ budget: StoredBudget, _ periods: [Range<LocalDate>], _ categories: Categories, _ member: Member
    ) -> SQL {
        let first = periods.map(\.lowerBound).min() ?? budget.startsOn
        let next = periods.map(\.upperBound).max() ?? budget.startsOn
        let ofCategory: SQL =
            budget.category.map { "x.category_id = ANY(\(categories.below($0)))" } ?? "true"
        let ofPerson: SQL = budget.person.map { "x.paid_by = \($0)" } ?? "true"
        return """
            SELECT t.first, sum(x.amount_minor)::bigint
            FROM \(DashboardQueries.rows(first..<next, 0, member)) x
            JOIN unnest(\(periods.map(\.lowerBound))::date[], \(periods.map(\.upperBound))::date[]) AS t (first, next)
                ON x.day >= t.first AND x.day < t.next
            WHERE x.flow = 'spending' AND \(ofCategory) AND \(ofPerson) GROUP BY 1
            """
    }
}
