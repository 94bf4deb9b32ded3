import Domain
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The number of database blocks that the expense pages read, for a household with 30,000 expenses in ten years in a
/// database with 20,000 other households. The number does not depend on the machine. `ALLESTEURER_PRINT_PLANS=1` also
/// prints the times.
@Suite(.timeLimit(.minutes(10))) struct ExpensePlanTests {
    private static let today = LocalDate(parsing: "2026-11-26") ?? .earliest
    private static let years: Int64 = 10
    private static let expenses: Int64 = 30_000

    /// The statements of a page, and the largest number of 8 KiB blocks that they may read.
    private struct Page {
        let name: String
        let statements: [SQL]
        let maximumBlocks: Int
    }

    @Test(.database) func `each page reads only roll-ups and bounded ranges of indexes`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let member = Member(
                household: anna.household, person: anna.person, name: "Anna", role: .owner, language: .german,
                country: .austria, zone: nil, session: .new(), csrfSecret: [])
            let budgets = try await fill(member, harness, owner)
            let categories = try Categories(try owner.query(Categories.query(member.household)))
            let month = Month(year: 2026, number: 10)
            let filter = ExpenseFilter(month: month)
            let expense = try Self.someExpense(member, owner)
            let pages = [
                Page(
                    name: "budgets",
                    statements: [StoredBudget.query(member.household), StoredGoal.query(member.household)]
                        + BudgetSpending(budgets, categories, member, today: Self.today).statements,
                    maximumBlocks: 2_000),
                Page(
                    name: "dashboard",
                    statements: DashboardQueries.statements(
                        .month, month.firstDay..<month.next.firstDay, member, today: Self.today), maximumBlocks: 3_000),
                Page(
                    name: "list of a month", statements: ExpenseListQueries.statements(filter, member),
                    maximumBlocks: 4_000),
                Page(
                    name: "export",
                    statements: [
                        ExpenseExportController.page(after: nil, member),
                        ExpenseExportController.page(after: (month.firstDay, ExpenseID.new()), member),
                    ], maximumBlocks: 4_000),
                Page(name: "recurring", statements: [StoredRecurring.query(member)], maximumBlocks: 300),
            ]
            try measure(pages, owner)
            try await tryRule(member, harness)
            try addReceipts(member, owner)
            let other = Member(
                household: anna.household, person: .new(), name: "Ben", role: .member, language: .german,
                country: .austria, zone: nil, session: .new(), csrfSecret: [])
            let recent = BankPair.Scope.since(Self.today.adding(days: -BankPair.countedDays))
            let pairs = [
                Page(name: "pairs of recent lines", statements: [BankPair.query(recent, member)], maximumBlocks: 1_500),
                Page(
                    name: "pairs of recent lines of another member", statements: [BankPair.query(recent, other)],
                    maximumBlocks: 1_500),
                Page(
                    name: "pairs of an entry",
                    statements: [
                        BankPair.query(.receipt(ReceiptID.new()), member),
                        BankPair.query(.expense(expense), member),
                    ], maximumBlocks: 1_000),
            ]
            try measure(pairs, owner)
        }
    }

    /// Compares the blocks that pages read with their limits.
    private func measure(_ pages: [Page], _ owner: SynchronousConnection) throws {
        for page in pages {
            var (blocks, time, planning, scannedTables) = (0, 0.0, 0.0, Set<String>())
            for statement in page.statements {
                let plan = try #require(
                    try owner.query("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + statement).first(String.self))
                blocks += Self.numbers(plan, #/"Shared (?:Hit|Read) Blocks": ([0-9]+)/#, first: 2)
                time += Self.times(plan, #/"Execution Time": ([0-9.]+)/#)
                planning += Self.times(plan, #/"Planning Time": ([0-9.]+)/#)
                for match in plan.matches(of: #/"Node Type": "Seq Scan",[^}]*?"Relation Name": "([a-z_]+)"/#) {
                    scannedTables.insert(String(match.1))
                }
            }
            if ProcessInfo.processInfo.environment["ALLESTEURER_PRINT_PLANS"] != nil {
                print(
                    """
                    PLAN \(page.name): \(blocks) blocks, \(time) ms, planning \(planning) ms, \
                    reads all of \(scannedTables.sorted())
                    """
                )
            }
            #expect(blocks <= page.maximumBlocks, "\(page.name)")
            let large = scannedTables.intersection(["expense", "expense_day", "expense_month"])
            #expect(large.isEmpty, "\(page.name) reads all of \(large)")
        }
    }

    /// An expense from the middle of the ten years that was entered by hand.
    private static func someExpense(_ member: Member, _ owner: SynchronousConnection) throws -> ExpenseID {
        let expense = try owner.query(
            """
            SELECT id FROM expense WHERE household_id = \(member.household) AND source = 'manual'
                AND day >= \(today.adding(days: -2_000)) ORDER BY day, id LIMIT 1
            """
        ).first(ExpenseID.self)
        return try #require(expense)
    }

    /// Measures the trial of a rule on all 30,000 expenses.
    private func tryRule(_ member: Member, _ harness: AppHarness) async throws {
        let values = StoredRule.Values(
            contains: "laden 7", minimumAmount: nil, maximumAmount: nil,
            category: try harness.owner().query(
                "SELECT id FROM category WHERE household_id = \(member.household) AND key = 'gifts'"
            ).first(CategoryID.self), labels: [], people: [])
        let trial = RuleTrial(database: harness.database, slowWork: harness.app.slowWork)
        let clock = ContinuousClock()
        var found: [RuleTrial.Change] = []
        let time = try await clock.measure { found = try await trial.run(values, after: [], member) }
        if ProcessInfo.processInfo.environment["ALLESTEURER_PRINT_PLANS"] != nil {
            print("PLAN rule: \(found.count) of \(Self.expenses) in \(time)")
        }
        #expect(found.count > 100)
    }

    private static func numbers(_ plan: String, _ pattern: Regex<(Substring, Substring)>, first count: Int) -> Int {
        plan.matches(of: pattern).prefix(count).compactMap { Int($0.1) }.reduce(0, +)
    }

    private static func times(_ plan: String, _ pattern: Regex<(Substring, Substring)>) -> Double {
        plan.matches(of: pattern).compactMap { Double($0.1) }.reduce(0, +)
    }

    /// Inserts the lines of a bank file from which a quarter of the expenses were created.
    private func addLines(_ member: Member, _ owner: SynchronousConnection) throws {
        let file = BankImportID.new()
        try owner.query(
            """
            INSERT INTO bank_import (household_id, id, person_id, name, format, confirmed_at)
            VALUES (\(member.household), \(file), \(member.person), 'konto.csv', 'csv', now())
            """)
        try owner.query(
            """
            INSERT INTO bank_booking (household_id, id, import_id, source_key, day, amount_minor, currency, payee,
                expense_id, is_made)
            SELECT e.household_id, gen_random_uuid(), \(file), e.id::text, e.day, -e.amount_minor, e.currency, e.payee,
                e.id, true
            FROM expense e WHERE e.household_id = \(member.household) AND e.source = 'bank'
            """)
    }

    /// Inserts 3,000 receipts. Half of them have the amount of a line of the bank file on the next day.
    private func addReceipts(_ member: Member, _ owner: SynchronousConnection) throws {
        try owner.query(
            """
            INSERT INTO receipt (household_id, id, stage, purchase_day, total_minor, person_id, confirmed_at)
            SELECT e.household_id, gen_random_uuid(), 'confirmed', e.day - 1,
                e.amount_minor + CASE WHEN e.source = 'bank' THEN 0 ELSE 6 END, e.person_id, now()
            FROM expense e WHERE e.household_id = \(member.household) AND e.amount_minor % 20 IN (0, 1)
            """)
        try owner.query("ANALYZE receipt")
    }

    /// Inserts households, expenses, recurring expenses and budgets of every kind, and returns the budgets.
    private func fill(
        _ member: Member, _ harness: AppHarness, _ owner: SynchronousConnection
    ) async throws -> [StoredBudget] {
        let household = member.household
        try owner.stopAutovacuum()
        try owner.query(
            """
            INSERT INTO household (id, name, digest_key)
            SELECT gen_random_uuid(), 'Haus', '\\x00' FROM generate_series(1, 20000)
            """)
        try owner.query(
            """
            INSERT INTO expense (household_id, id, what, amount_minor, currency, day, payee, payee_key, person_id, paid_by)
            SELECT h.id, gen_random_uuid(), 'Laden ' || n, 100 * n, 'EUR', \(Self.today) - n * 40, 'Laden ' || n,
                'laden ' || n, \(member.person), \(member.person)
            FROM household h, generate_series(1, 5) n WHERE h.id <> \(household)
            """)
        try owner.query(
            """
            INSERT INTO expense_day (household_id, day, seen_by, flow, category_id, paid_by, payee_key, amount_minor)
            SELECT e.household_id, e.day, \(ExpenseSums.none), 'spending', \(ExpenseSums.none), e.paid_by, e.payee_key,
                e.amount_minor FROM expense e
            """)
        try owner.query(
            """
            INSERT INTO expense_month (household_id, month, seen_by, flow, category_id, paid_by, amount_minor)
            SELECT d.household_id, date_trunc('month', d.day)::date, d.seen_by, d.flow, d.category_id, d.paid_by,
                sum(d.amount_minor) FROM expense_day d GROUP BY 1, 2, 3, 4, 5, 6
            """)
        try owner.query(
            """
            INSERT INTO expense (household_id, id, what, amount_minor, currency, day, payee, payee_key, person_id, paid_by,
                source, category_id, category_source)
            SELECT \(household), gen_random_uuid(), 'Laden ' || n % 400, 100 + n % 5000, 'EUR',
                \(Self.today) - (n * \(Self.years * 365) / \(Self.expenses))::integer, 'Laden ' || n % 400,
                'laden ' || n % 400, \(member.person), \(member.person), CASE WHEN n % 4 = 0 THEN 'bank' ELSE 'manual' END,
                (SELECT c.id FROM category c WHERE c.household_id = \(household) ORDER BY c.id
                    OFFSET n % 20 LIMIT 1), 'suggested'
            FROM generate_series(0, \(Self.expenses - 1)) n
            """)
        try addLines(member, owner)
        for distance in stride(from: 0, through: Int(Self.years) * 12, by: 12) {
            let months = (0..<12).map { Self.today.month.adding(-distance - $0).firstDay }
            _ = try await harness.database.write(household, by: member.person) { changes in
                try await changes.query(batch: ExpenseSums.statements(months: months, household))
            }
        }
        let categories = try owner.query(
            "SELECT id FROM category WHERE household_id = \(household) ORDER BY id LIMIT 4"
        ).decode(CategoryID.self)
        let kinds: [(String, Int32, CategoryID?)] = [
            ("month", 1, nil), ("month", 1, categories[0]), ("month", 25, nil), ("month", 25, categories[1]),
            ("week", 1, categories[2]), ("week", 1, nil), ("year", 1, nil), ("year", 1, categories[3]),
        ]
        for (index, (period, startDay, category)) in kinds.enumerated() {
            _ = try await BudgetEdits(database: harness.database).add(
                BudgetForm.Values(
                    name: "Budget \(index)", limit: 10_000, category: category, person: nil, period: period,
                    startDay: startDay, rollsOver: true), today: Self.today.adding(days: -3_600), by: member)
        }
        for index in 0..<10 {
            try await RecurringEdits(database: harness.database).add(
                StoredRecurring.Values(
                    name: "Laden \(index)", category: nil, interval: .month, starts: Self.today, amount: 2_000,
                    tolerance: 0, isPersonal: false), payeeKey: "laden \(index)", by: member)
        }
        try owner.query("ANALYZE")
        return try owner.query(StoredBudget.query(household)).decode(StoredBudget.self)
    }
}
