import Domain
import Postgres

/// The demo household's expenses and income apart from groceries, such as rent and salary, with budgets and plans.
struct DemoExpenses {
    private let today: LocalDate
    private let changes: HouseholdTransaction

    /// The number of months before the current one.
    private static let months = 23

    private struct Payment {
        let what: String
        /// A key of `CategoryTemplate`.
        let category: String
        /// The day of the month.
        let day: Int
        /// In minor units.
        let amount: Int64
        var kind = ExpenseKind.expense
        /// The number of months between two payments.
        var interval = 1
        /// The largest deviation from the amount, in minor units.
        var spread: Int64 = 0
        var labels: [String] = []
    }

    private static let payments = [
        Payment(what: "Miete", category: "housing", day: 1, amount: 84_000),
        Payment(what: "Gehalt", category: "income", day: 28, amount: 242_000, kind: .income),
        Payment(what: "Wien Energie", category: "energy", day: 5, amount: 9_800),
        Payment(what: "Magenta", category: "telecom", day: 12, amount: 4_490),
        Payment(what: "Netflix", category: "subscriptions", day: 15, amount: 1_399),
        Payment(what: "Uniqa Haushalt", category: "insurance", day: 3, amount: 5_720, interval: 3),
        Payment(what: "Friseur", category: "drugstore", day: 17, amount: 3_800, interval: 2, spread: 900),
        Payment(what: "Pizzeria Bella", category: "dining", day: 8, amount: 3_450, spread: 1_600, labels: ["Freunde"]),
        Payment(what: "Kaffeehaus", category: "dining", day: 21, amount: 1_240, spread: 700),
        Payment(what: "OMV Diesel", category: "fuel", day: 10, amount: 6_900, spread: 1_800),
        Payment(what: "ÖBB Ticket", category: "transit", day: 24, amount: 2_380, spread: 1_100),
        Payment(what: "Kino", category: "leisure", day: 19, amount: 2_600, interval: 2, spread: 400),
        Payment(what: "Apotheke", category: "pharmacy", day: 14, amount: 1_830, interval: 2, spread: 1_200),
        Payment(what: "Bankomat", category: "other", day: 6, amount: 10_000, kind: .withdrawal, interval: 2),
    ]

    init(today: LocalDate, _ changes: HouseholdTransaction) {
        self.today = today
        self.changes = changes
    }

    func insert() async throws {
        let categories = try Categories(try await changes.query(Categories.query(changes.household)))
        var random = SplitMix64(seed: 7)
        var expenses: [NewExpense] = []
        for distance in (0...Self.months).reversed() {
            let month = today.month.adding(-distance)
            for payment in Self.payments where distance.isMultiple(of: payment.interval) {
                let day = month.firstDay.adding(days: payment.day - 1)
                guard day <= today else { continue }
                // The rent increased half a year ago.
                let rise: Int64 = payment.what == "Miete" && distance < 6 ? 3_200 : 0
                let spread =
                    payment.spread == 0 ? 0 : Int64.random(in: -payment.spread...payment.spread, using: &random)
                expenses.append(
                    NewExpense(
                        id: .new(),
                        values: ExpenseValues(
                            kind: payment.kind, what: payment.what,
                            amount: Amount(minorUnits: payment.amount + rise + spread), stated: nil, day: day,
                            payee: "",
                            category: categories.id(key: payment.category), paidBy: changes.person,
                            labels: payment.labels, note: "", isPersonal: false)))
            }
        }
        try await ExpenseEdits.insert(expenses, source: "demo", changes)
        let months = Set(expenses.map { $0.values.day.month.firstDay }).sorted()
        try await changes.query(batch: ExpenseSums.statements(months: months, changes.household))
        for (name, key, limit) in [("Essen gehen", "dining", 12_000), ("Lebensmittel", "groceries", 45_000)]
            as [(String, String, Int64)]
        {
            try await insertBudget(name, categories.id(key: key), limit)
        }
        try await insertPlans(categories)
    }

    /// Inserts a rule, a recurring expense with a missing payment, and a savings goal. The app proposes more recurring
    /// expenses.
    private func insertPlans(_ categories: Categories) async throws {
        let (rule, recurring, goal) = (ExpenseRuleID.new(), RecurringExpenseID.new(), SavingsGoalID.new())
        let household = changes.household
        try await changes.query(batch: [
            """
            INSERT INTO expense_rule (household_id, id, position, contains, category_id, labels)
            VALUES (\(household), \(rule), 1, 'OMV', \(categories.id(key: "fuel")), '{Auto}')
            """,
            """
            INSERT INTO recurring_expense (household_id, id, name, payee_key, category_id, repeats, month_day, amount_minor,
                starts_on, person_id)
            VALUES (\(household), \(recurring), 'Sportverein', 'sportverein', \(categories.id(key: "leisure")), 'month', 2, 2900,
                \(today.month.previous.firstDay.adding(days: 1)), \(changes.person))
            """,
            """
            INSERT INTO savings_goal (household_id, id, name, target_minor, starts_on, until)
            VALUES (\(household), \(goal), 'Fahrräder', 180000, \(today.adding(days: -90)), \(today.adding(days: 200)))
            """,
            """
            INSERT INTO savings_deposit (household_id, id, goal_id, day, amount_minor, person_id)
            VALUES (\(household), \(SavingsDepositID.new()), \(goal), \(today.adding(days: -40)), 45000, \(changes.person))
            """,
        ])
        changes.changed(.expenseRule, rule)
        changes.changed(.recurringExpense, recurring)
        changes.changed(.savingsGoal, goal)
    }

    private func insertBudget(_ name: String, _ category: CategoryID?, _ limit: Int64) async throws {
        let id = BudgetID.new()
        let first = today.month.firstDay
        try await changes.query(batch: [
            """
            INSERT INTO budget (household_id, id, name, category_id, starts_on)
            VALUES (\(changes.household), \(id), \(name), \(category), \(first))
            """,
            """
            INSERT INTO budget_limit (household_id, budget_id, valid_from, limit_minor)
            VALUES (\(changes.household), \(id), \(first), \(limit))
            """,
        ])
        changes.changed(.budget, id)
    }
}
