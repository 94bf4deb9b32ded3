import Domain
import Postgres

/// Budgets and what was spent in their periods: two round trips.
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

    /// The first day of each period with what was spent in it: from the sums of months where periods are whole months, else from
    /// those of days.
    static func spent(
        _ budget: StoredBudget, _ periods: [Range<LocalDate>], _ categories: Categories, _ member: Member
    ) -> SQL {
        let days =
            (periods.map(\.lowerBound).min() ?? budget.startsOn)..<(periods.map(\.upperBound).max() ?? budget.startsOn)
        let isWhole = periods.allSatisfy { $0.lowerBound.day == 1 && $0.upperBound.day == 1 }
        let ofCategory: SQL = budget.category.map { "s.category_id = ANY(\(categories.below($0)))" } ?? "true"
        let ofPerson: SQL = budget.person.map { "s.paid_by = \($0)" } ?? "true"
        let sums: SQL =
            isWhole
            ? """
            SELECT s.month AS day, s.amount_minor FROM expense_month s
            WHERE s.household_id = \(member.household) AND s.month >= \(days.lowerBound) AND s.month < \(days.upperBound)
            """
            : """
            SELECT s.day, s.amount_minor FROM expense_day s
            WHERE s.household_id = \(member.household) AND s.day >= \(days.lowerBound) AND s.day < \(days.upperBound)
            """
        return """
            SELECT t.first, sum(x.amount_minor)::bigint
            FROM (\(sums) AND s.flow = 'spending' AND \(ExpenseSums.isSeen("s", by: member)) AND \(ofCategory) AND \(ofPerson)
                UNION ALL
                SELECT s.purchase_day, s.amount_minor FROM (
                    SELECT g.*, \(member.person)::uuid AS paid_by FROM \(RollUps.giftAmounts(days, seenBy: member)) g) s
                WHERE \(ofCategory) AND \(ofPerson)) x
            JOIN unnest(\(periods.map(\.lowerBound))::date[], \(periods.map(\.upperBound))::date[]) AS t (first, next)
                ON x.day >= t.first AND x.day < t.next
            GROUP BY 1
            """
    }
}
