import Domain
import Postgres

@testable import App

extension TenantSeed {
    /// Inserts two expenses without a receipt, a budget, an exchange rate, and a payment between two members.
    mutating func expenses() throws {
        for _ in 0..<2 {
            let expense = ExpenseID.new()
            try connection.query(
                """
                INSERT INTO expense (household_id, id, what, amount_minor, currency, day, payee, payee_key, note, labels,
                    person_id, paid_by)
                VALUES (\(household), \(expense), \("\(mark)ausgabe"), 250, 'EUR', '2026-03-05', \("\(mark)wirt"),
                    \("\(mark.lowercased())wirt"), \("\(mark)notiz"), ARRAY[\("\(mark)wort")], \(person), \(person))
                """)
            record(expense, as: "expense")
        }
        let budget = BudgetID.new()
        try connection.query(
            """
            INSERT INTO budget (household_id, id, name, starts_on)
            VALUES (\(household), \(budget), \("\(mark)budget"), '2026-03-01')
            """)
        try connection.query(
            """
            INSERT INTO budget_limit (household_id, budget_id, valid_from, limit_minor)
            VALUES (\(household), \(budget), '2026-03-01', 5000)
            """)
        record(budget, as: "budget")
        try connection.query(
            """
            INSERT INTO exchange_rate (household_id, currency, day, per_euro_millionths)
            VALUES (\(household), 'USD', \(ids["day"]?.first ?? "2026-03-04")::date, 1250000)
            ON CONFLICT DO NOTHING
            """)
        ids["currency"] = ["USD"]
        let settlement = SettlementID.new()
        try connection.query(
            """
            INSERT INTO settlement (household_id, id, from_person, to_person, amount_minor, currency, day)
            SELECT \(household), \(settlement), \(person), person_id, 100, 'EUR', '2026-03-05' FROM membership
            WHERE household_id = \(household) AND person_id <> \(person) LIMIT 1
            """)
        record(settlement, as: "settlement")
    }

    /// Inserts a rule that was applied, a recurring expense, and a savings goal.
    mutating func plans() throws {
        let deposit = SavingsDepositID.new()
        let (rule, run, recurring, goal) = (
            ExpenseRuleID.new(), RuleRunID.new(), RecurringExpenseID.new(), SavingsGoalID.new()
        )
        try connection.query(
            """
            INSERT INTO expense_rule (household_id, id, position, contains, labels)
            VALUES (\(household), \(rule), 1, \("\(mark)regel"), ARRAY[\("\(mark)wort")])
            """)
        try connection.query(
            """
            INSERT INTO expense_rule_run (household_id, id, rule_id, name)
            VALUES (\(household), \(run), \(rule), \("\(mark)regel"))
            """)
        try connection.query(
            """
            INSERT INTO recurring_expense (household_id, id, name, payee_key, repeats, month_day, amount_minor, starts_on,
                person_id)
            VALUES (\(household), \(recurring), \("\(mark)miete"), \("\(mark.lowercased())miete"), 'month', 1, 90000,
                '2026-03-01', \(person))
            """)
        try connection.query(
            """
            INSERT INTO savings_goal (household_id, id, name, target_minor, starts_on, until)
            VALUES (\(household), \(goal), \("\(mark)ziel"), 100000, '2026-03-01', '2027-03-01')
            """)
        try connection.query(
            """
            INSERT INTO savings_deposit (household_id, id, goal_id, day, amount_minor, person_id)
            VALUES (\(household), \(deposit), \(goal), '2026-03-05', 5000, \(person))
            """)
        record(rule, as: "rule")
        record(run, as: "run")
        record(recurring, as: "recurring")
        record(goal, as: "goal")
        record(deposit, as: "deposit")
    }

    /// Inserts a bank file that waits for confirmation, and an imported bank file with a decision about its expense.
    mutating func bankFiles() throws {
        for isDone in [false, true] {
            let file = BankImportID.new()
            try connection.query(
                """
                INSERT INTO bank_import (household_id, id, person_id, name, format, content, confirmed_at)
                VALUES (\(household), \(file), \(person), \("\(mark).csv"), 'csv',
                    CASE WHEN NOT \(isDone) THEN \("Datum;Name;Betrag\n05.03.2026;\(mark)bank;-9,90\n") END,
                    CASE WHEN \(isDone) THEN now() END)
                """)
            record(file, as: "bank")
            guard isDone, let expense = ids["expense"]?.first else { continue }
            try connection.query(
                """
                INSERT INTO bank_booking (household_id, id, import_id, source_key, day, amount_minor, currency, payee,
                    expense_id, is_made)
                VALUES (\(household), \(BankBookingID.new()), \(file), \(mark), '2026-03-05', -250, 'EUR', \("\(mark)bank"),
                    \(expense)::uuid, false)
                """)
            let pair = BankPairID.new()
            try connection.query(
                """
                INSERT INTO bank_pair (household_id, id, expense_id, other_id, is_same)
                VALUES (\(household), \(pair), \(expense)::uuid, \(ids["expense"]?.last)::uuid, false)
                """)
            record(pair, as: "pair")
        }
        try connection.query(
            """
            INSERT INTO bank_columns (household_id, source_key, roles) VALUES (\(household), \(mark), '{day,amount}')
            """)
    }
}
