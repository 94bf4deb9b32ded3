import Domain
import Postgres
import TestSupport
import Testing

@testable import App

/// The figures that pages read equal what a naive computation over all rows finds.
@Suite(.timeLimit(.minutes(10))) struct ExpenseSumsTests {
    /// Households of one seed.
    private static let households = 25

    @Test(.database, arguments: 1...4 as ClosedRange<UInt64>)
    func `after edits, deletions, splits, settlements, new rates and merged categories every sum is right`(
        seed: UInt64
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            var random = SplitMix64(seed: seed)
            for _ in 0..<Self.households {
                let scene = try await Household(harness, anna.person, &random)
                try await scene.check("at first")
                for step in 0..<4 {
                    let what = try await scene.change(&random)
                    try await scene.check("\(what) in step \(step)")
                }
            }
        }
    }

    @Test(.database, arguments: [31, 32] as [UInt64])
    func `receipts count by line, with their payer, and split ones are in the balances`(seed: UInt64) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            var random = SplitMix64(seed: seed)
            let scene = try await Household(harness, anna.person, &random)
            var drawn = try DrawnReceipts(seed: seed, scene.household, owner)
            var receipts: [ReceiptID] = []
            for _ in 0..<25 { receipts.append(try drawn.insert(owner)) }
            try owner.query("UPDATE receipt SET person_id = \(anna.person) WHERE household_id = \(scene.household)")
            func book(_ touched: [ReceiptID]) async throws {
                try await harness.database.write(scene.household, by: nil) { changes in
                    try await Booking.rebook(touched, changes)
                }
            }
            try await book(receipts)
            try await scene.check("booked")
            for step in 0..<8 {
                let receipt = drawn.pick(receipts)
                if step.isMultiple(of: 2) {
                    try drawn.edit(receipt, owner)
                    try await book([receipt])
                } else {
                    try await scene.split(receipt.relabelled(), &random)
                }
                try await scene.check("receipts in step \(step)")
            }
        }
    }

    /// A random household, made and changed by the operations of the product.
    private final class Household {
        let harness: AppHarness
        let household = HouseholdID.new()
        let people: [PersonID]
        var categories: [CategoryID] = []
        private let owner: SynchronousConnection
        private var ids: [ExpenseID] = []

        private var member: Member { member(people[0]) }

        init(_ harness: AppHarness, _ person: PersonID, _ random: inout SplitMix64) async throws {
            self.harness = harness
            owner = try harness.owner()
            var people = [person]
            for _ in 0..<Int.random(in: 0...3, using: &random) { people.append(.new()) }
            self.people = people
            try owner.query(
                """
                INSERT INTO household (id, name, digest_key) VALUES (\(household), 'Zufall', \(Array(household.description.utf8)))
                """)
            for (index, person) in people.enumerated() {
                try owner.query(
                    """
                    INSERT INTO person (id, login, name, password_hash)
                    VALUES (\(person), \("\(person)@example.at"), \("Person \(index)"), 'none') ON CONFLICT (id) DO NOTHING
                    """)
                try owner.query(
                    "INSERT INTO membership (household_id, person_id, role) VALUES (\(household), \(person), 'owner')")
            }
            for index in 0..<5 {
                let id = CategoryID.new()
                let parent = index > 2 ? categories[index - 3] : nil
                try owner.query(
                    """
                    INSERT INTO category (household_id, id, parent_id, name)
                    VALUES (\(household), \(id), \(parent), \("Kategorie \(index)"))
                    """)
                categories.append(id)
            }
            for _ in 0..<Int.random(in: 1...12, using: &random) { try await add(&random) }
            for (category, period) in [(nil, "month"), (categories[0], "week"), (categories[1], "year")]
                as [(CategoryID?, String)]
            {
                _ = try await BudgetEdits(database: harness.database).add(
                    BudgetForm.Values(
                        name: "Budget \(period)", limit: Int64.random(in: 1...100_000, using: &random),
                        category: category,
                        person: nil, period: period, startDay: period == "month" ? 25 : 1, rollsOver: true),
                    today: Self.today.adding(days: -100), by: member)
            }
        }

        static let today = LocalDate(dayNumber: 20_600)

        private func member(_ person: PersonID) -> Member {
            Member(
                household: household, person: person, name: "Anna", role: .owner, language: .german, country: .austria,
                zone: nil, session: .new(), csrfSecret: [])
        }

        private func values(_ random: inout SplitMix64) -> ExpenseValues {
            let currency = ["EUR", "EUR", "EUR", "USD", "JPY"].randomElement(using: &random) ?? "EUR"
            let isStated = currency != "EUR" && Bool.random(using: &random)
            return ExpenseValues(
                kind: [.expense, .expense, .expense, .refund, .income, .withdrawal].randomElement(using: &random)
                    ?? .expense,
                what: ["Kino", "Billa", "Miete 3"].randomElement(using: &random) ?? "Kino",
                amount: Amount(
                    minorUnits: Int64.random(in: 1...500_000, using: &random), currency: CurrencyCode(currency) ?? .eur),
                stated: isStated ? Amount(minorUnits: Int64.random(in: 1...500_000, using: &random)) : nil,
                day: Self.today.adding(days: -Int.random(in: 0...130, using: &random)), payee: "",
                category: Bool.random(using: &random) ? categories.randomElement(using: &random) : nil,
                paidBy: people.randomElement(using: &random), labels: [], note: "",
                isPersonal: Int.random(in: 0..<6, using: &random) == 0)
        }

        private func add(_ random: inout SplitMix64) async throws {
            let author = people.randomElement(using: &random) ?? people[0]
            ids.append(
                try await ExpenseEdits(database: harness.database).add(values(&random), by: member(author)))
        }

        /// Makes one random change that a person can make, and returns its name.
        func change(_ random: inout SplitMix64) async throws -> String {
            let database = harness.database
            let id = ids.randomElement(using: &random) ?? ids[0]
            let author =
                try owner.query("SELECT person_id FROM expense WHERE id = \(id)").first(PersonID.self) ?? people[0]
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                try await add(&random)
                return "add"
            case 1:
                let stored = try owner.query("SELECT revision, discarded_at IS NULL FROM expense WHERE id = \(id)")
                    .first((Int64, Bool).self)
                guard let stored, stored.1 else { return "nothing" }
                try await ExpenseEdits(database: database).update(
                    id, values(&random), revision: stored.0, by: member(author))
                return "update"
            case 2:
                try await ExpenseRemoval(database: database).discard([id], by: member(author))
                return "discard"
            case 3:
                try await ExpenseRemoval(database: database).restore([id], by: member(author))
                return "restore"
            case 4, 5:
                try await split(id, &random)
                return "split"
            case 6:
                guard people.count > 1 else { return "nothing" }
                _ = try await Settlements(database: database).add(
                    from: people[0], to: people[1],
                    Amount(minorUnits: Int64.random(in: 1...90_000, using: &random)), on: Self.today, by: member)
                return "settle"
            case 7:
                let currency = try #require(CurrencyCode(["USD", "JPY"].randomElement(using: &random) ?? "USD"))
                let day = Self.today.adding(days: -Int.random(in: 0...130, using: &random))
                let rate = EuroRate(
                    currency: currency, day: day,
                    perEuroMillionths: Int64.random(in: 500_000...200_000_000, using: &random))
                let rates = ExchangeRates(database: database)
                if Bool.random(using: &random) {
                    try await rates.store([rate], .manual, by: member)
                    return "new rate"
                }
                let days = try owner.query(
                    "SELECT currency, day FROM exchange_rate WHERE household_id = \(household) LIMIT 1"
                ).first((String, LocalDate).self)
                guard let days, let code = CurrencyCode(days.0) else { return "nothing" }
                _ = try await rates.remove(code, days.1, by: member)
                return "removed rate"
            case 8:
                let edits = RuleEdits(database: database)
                let values = StoredRule.Values(
                    contains: ["kino", "billa"].randomElement(using: &random) ?? "kino", least: nil,
                    most: Bool.random(using: &random) ? 100_000 : nil,
                    category: categories.randomElement(using: &random),
                    labels: ["x"], people: Array(people.prefix(2)))
                let id = try await edits.add(values, by: member)
                let rule = StoredRule(id: id, values: values, revision: 1)
                let trial = try await RuleTrial(database: database, slowWork: harness.app.slowWork).run(
                    values, after: [], member)
                let runs = RuleRuns(database: database)
                guard let run = try await runs.apply(rule, trial, by: member), Bool.random(using: &random) else {
                    return "rule"
                }
                _ = try await runs.undo(run.id, by: member)
                return "rule undone"
            default:
                guard categories.count > 2 else { return "nothing" }
                // A child, so that the parents of others stay.
                let gone = categories.removeLast()
                try await CategoryRemoval(database: database).remove(gone, into: categories[0], revision: 1, by: member)
                return "merge"
            }
        }

        func split(_ id: ExpenseID, _ random: inout SplitMix64) async throws {
            guard let found = try? await SplitExpense.find(id, member, harness.database), !found.entry.isPersonal,
                found.entry.kind != .withdrawal
            else { return }
            var weights: [PersonID: Int64] = [:]
            for person in people where Bool.random(using: &random) {
                weights[person] = Int64.random(in: 1...10_000, using: &random)
            }
            try await SplitEdits(database: harness.database).split(
                found.entry, weights.isEmpty ? nil : .shares, weights, paidBy: people.randomElement(using: &random),
                revision: found.entry.revision, by: member)
        }

        // MARK: The naive computation

        private struct Part: Hashable {
            let day: LocalDate
            let flow: MoneyFlow
            let category: CategoryID?
            let payer: PersonID?
        }

        func check(_ what: String) async throws {
            for reader in people.prefix(2) {
                let expected = try naiveSums(reader).filter { $0.value != 0 }
                let rows = try await harness.database.read(
                    household,
                    """
                    SELECT d.day, d.flow, d.category_id, d.paid_by, sum(d.amount_minor)::bigint FROM expense_day d
                    WHERE d.household_id = \(household) AND \(ExpenseSums.isSeen(by: member(reader))) GROUP BY 1, 2, 3, 4
                    """
                ).decode((LocalDate, MoneyFlow, CategoryID, PersonID, Int64).self)
                var stored: [Part: Int64] = [:]
                for row in rows where row.4 != 0 {
                    let part = Part(
                        day: row.0, flow: row.1, category: row.2 == CategoryID(high: 0, low: 0) ? nil : row.2,
                        payer: row.3 == PersonID(high: 0, low: 0) ? nil : row.3)
                    stored[part] = row.4
                }
                #expect(stored == expected, "\(what)")
                let different = try owner.query(
                    """
                    SELECT count(*) FROM (SELECT date_trunc('month', day)::date AS month, seen_by, flow, category_id, paid_by,
                            sum(amount_minor)::bigint AS amount FROM expense_day WHERE household_id = \(household)
                        GROUP BY 1, 2, 3, 4, 5) d
                    FULL JOIN (SELECT * FROM expense_month WHERE household_id = \(household)) m
                        USING (month, seen_by, flow, category_id, paid_by)
                    WHERE d.amount IS DISTINCT FROM m.amount_minor
                    """
                ).first(Int64.self)
                #expect(different == 0, "\(what): months")
                // The pages of the person who bought a gift count it; the roll-up does not have it yet.
                let seen = expected.merging(try gifts(reader), uniquingKeysWith: +)
                try await checkDashboard(seen, reader, what)
                try await checkBudgets(seen, reader, what)
            }
            try await checkBalances(what)
        }

        private func checkDashboard(_ parts: [Part: Int64], _ reader: PersonID, _ what: String) async throws {
            for period in ExpensePeriod.allCases {
                let days = period.days(today: Self.today)
                let result = try await DashboardQueries(database: harness.database).load(
                    period, days, member(reader), today: Self.today)
                func sum(_ range: Range<LocalDate>, _ flow: MoneyFlow = .spending) -> Int64 {
                    parts.filter { range.contains($0.key.day) && $0.key.flow == flow }.values.reduce(0, +)
                }
                let sums = result.spending.values
                #expect(sums.reduce(0) { $0 + $1.now } == sum(days), "\(what): \(period)")
                #expect(sums.reduce(0) { $0 + $1.before } == sum(period.before(days)), "\(what): \(period)")
                #expect(sums.reduce(0) { $0 + $1.yearBefore } == sum(period.yearBefore(days)), "\(what): \(period)")
                #expect(
                    result.income == sum(days, .income) && result.cash == sum(days, .withdrawal), "\(what): \(period)")
                #expect(result.members.reduce(0) { $0 + $1.amount } == sum(days), "\(what): \(period)")
            }
        }

        private func checkBudgets(_ parts: [Part: Int64], _ reader: PersonID, _ what: String) async throws {
            let result = try await BudgetQueries(database: harness.database).load(member(reader), today: Self.today)
            #expect(result.budgets.count == 3)
            for (budget, state) in result.budgets {
                let below = budget.category.map { Set(result.choices.categories.below($0)) }
                func spent(_ days: Range<LocalDate>) -> Int64 {
                    parts.filter { part in
                        days.contains(part.key.day) && part.key.flow == .spending
                            && (below.map { below in part.key.category.map(below.contains) ?? false } ?? true)
                    }.values.reduce(0, +)
                }
                let periods = budget.periods(today: Self.today)
                #expect(state.spent == spent(periods[0]), "\(what): \(budget.name)")
                let carried = periods.dropFirst().reduce(0) { $0 + budget.limit(from: $1.lowerBound) - spent($1) }
                #expect(state.limit == budget.limit(from: periods[0].lowerBound) + carried, "\(what): \(budget.name)")
            }
        }

        /// By the newest rate of the seven days before, rounded half away from zero.
        private func converted(_ amount: Int64, _ currency: String, _ day: LocalDate) throws -> Int64? {
            let rates = try owner.query(
                "SELECT day, per_euro_millionths, digits::bigint FROM exchange_rate WHERE household_id = \(household) AND currency = \(currency)"
            ).decode((LocalDate, Int64, Int64).self)
            let held = rates.filter { $0.0 <= day && $0.0.days(to: day) <= 7 }.max { $0.0 < $1.0 }
            guard let (_, rate, digits) = held else { return nil }
            let scale = (0..<digits).reduce(Int128(1)) { power, _ in power * 10 }
            let (dividend, divisor) = (Int128(amount) * 100_000_000, Int128(rate) * scale)
            return Int64((dividend * 2 + divisor) / (divisor * 2))
        }

        private func naiveSums(_ reader: PersonID) throws -> [Part: Int64] {
            var sums: [Part: Int64] = [:]
            let expenses = try owner.query(
                """
                SELECT day, kind, category_id, paid_by, amount_minor, currency, stated_minor FROM expense
                WHERE household_id = \(household) AND receipt_id IS NULL AND discarded_at IS NULL
                    AND (NOT is_personal OR person_id = \(reader))
                """
            ).decode((LocalDate, ExpenseKind, CategoryID?, PersonID?, Int64, String, Int64?).self)
            for (day, kind, category, payer, amount, currency, stated) in expenses {
                guard let home = try currency == "EUR" ? amount : stated ?? converted(amount, currency, day) else {
                    continue
                }
                sums[Part(day: day, flow: kind.flow, category: category, payer: payer), default: 0] += kind.sign * home
            }
            let receipts = try owner.query(
                """
                SELECT r.id, r.purchase_day, coalesce(e.paid_by, r.person_id), r.total_minor, e.category_id FROM receipt r
                LEFT JOIN expense e ON e.receipt_id = r.id
                WHERE r.household_id = \(household) AND r.booked_month IS NOT NULL
                """
            ).decode((ReceiptID, LocalDate, PersonID?, Int64?, CategoryID?).self)
            for (id, day, payer, total, category) in receipts {
                let lines =
                    try owner.query(
                        "SELECT coalesce(sum(total_minor), 0)::bigint FROM receipt_line WHERE receipt_id = \(id)"
                    )
                    .first(Int64.self) ?? 0
                // The products of drawn receipts have no category.
                sums[Part(day: day, flow: .spending, category: category, payer: payer), default: 0] += total ?? lines
            }
            return sums
        }

        /// Hidden receipts of the reader.
        private func gifts(_ reader: PersonID) throws -> [Part: Int64] {
            let rows = try owner.query(
                """
                SELECT r.purchase_day, coalesce(r.total_minor, (SELECT coalesce(sum(l.total_minor), 0)::bigint
                    FROM receipt_line l WHERE l.receipt_id = r.id))
                FROM receipt r WHERE r.household_id = \(household) AND r.person_id = \(reader) AND r.stage = 'confirmed'
                    AND r.discarded_at IS NULL AND r.hidden_until > current_date AND r.purchase_day IS NOT NULL
                """
            ).decode((LocalDate, Int64).self)
            let parts = rows.map { (Part(day: $0.0, flow: .spending, category: nil, payer: reader), $0.1) }
            return Dictionary(parts, uniquingKeysWith: +)
        }

        private func checkBalances(_ what: String) async throws {
            var expected: [CurrencyCode: [PersonID: Int64]] = [:]
            let split = try owner.query(
                """
                SELECT e.id, e.kind, coalesce(e.paid_by, r.person_id), coalesce(e.amount_minor, r.total_minor,
                    (SELECT sum(l.total_minor)::bigint FROM receipt_line l WHERE l.receipt_id = r.id)),
                    coalesce(e.currency, r.currency)
                FROM expense e LEFT JOIN receipt r ON r.household_id = e.household_id AND r.id = e.receipt_id
                WHERE e.household_id = \(household) AND e.split <> '' AND e.discarded_at IS NULL AND NOT e.is_personal
                    AND e.kind <> 'withdrawal' AND (e.receipt_id IS NULL OR r.booked_month IS NOT NULL)
                """
            ).decode((ExpenseID, ExpenseKind, PersonID?, Int64?, String).self)
            for (id, kind, payer, amount, code) in split {
                guard let payer, let amount, let currency = CurrencyCode(code) else { continue }
                let shares = try owner.query(
                    "SELECT person_id, weight FROM expense_share WHERE expense_id = \(id) ORDER BY person_id"
                ).decode((PersonID, Int64).self)
                let size = kind == .expense ? amount : -amount
                expected[currency, default: [:]][payer, default: 0] += size
                for (share, part) in zip(shares, Division.parts(of: size, weights: shares.map(\.1))) {
                    expected[currency, default: [:]][share.0, default: 0] -= part
                }
            }
            for (from, to, amount) in try owner.query(
                "SELECT from_person, to_person, amount_minor FROM settlement WHERE household_id = \(household)"
            ).decode((PersonID, PersonID, Int64).self) {
                expected[.eur, default: [:]][from, default: 0] += amount
                expected[.eur, default: [:]][to, default: 0] -= amount
            }
            let result = try await BalanceQueries(database: harness.database).load(member)
            let shown = expected.mapValues { $0.filter { $0.value != 0 } }.filter { !$0.value.isEmpty }
            #expect(result.balances == shown, "\(what)")
            #expect(result.balances.values.allSatisfy { $0.values.reduce(0, +) == 0 }, "\(what)")
        }
    }
}
