import Domain
import Postgres

/// Loads budgets and the spending in their periods in two round trips.
struct BudgetQueries: Sendable {
    let database: Database

    struct Result: Sendable {
        let budgets: [(budget: StoredBudget, state: BudgetState)]
        let goals: [StoredGoal]
        let choices: ExpenseChoices
    }

    func load(_ member: Member, today: LocalDate) async throws -> Result {
        let household = member.household
        let rows = try await database.read(
            household,
            batch: [StoredBudget.query(household), StoredGoal.query(household)] + ExpenseChoices.queries(household))
        let budgets = try rows[0].decode(StoredBudget.self)
        let choices = try ExpenseChoices(rows[2...])
        let spent = try await spent(budgets, choices.categories, member, today: today)
        return Result(
            budgets: budgets.enumerated().map { ($1, $1.state(spent: spent[$0], today: today)) },
            goals: try rows[1].decode(StoredGoal.self), choices: choices)
    }

    /// Returns the spending of each budget, by the first day of its periods.
    func spent(
        _ budgets: [StoredBudget], _ categories: Categories, _ member: Member, today: LocalDate
    ) async throws -> [[LocalDate: Int64]] {
        guard !budgets.isEmpty else { return [] }
        let plan = BudgetSpending(budgets, categories, member, today: today)
        return try plan.sums(of: try await database.read(member.household, batch: plan.statements))
    }
}
