import Domain
import Postgres
import TestSupport
import Testing

@testable import App

/// A household with random expenses, which the app's own operations create and change.
final class RandomExpenses {
    let harness: AppHarness
    let household = HouseholdID.new()
    let people: [PersonID]
    var categories: [CategoryID] = []
    let owner: SynchronousConnection
    private var ids: [ExpenseID] = []
    var receipts: [ReceiptID] = []

    var member: Member { member(people[0]) }

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
        for _ in 0..<Int.random(in: 0...4, using: &random) { try await addReceipt(&random) }
        for (category, period, person, startDay) in [
            (nil, "month", nil, 25), (nil, "month", people[0], 1), (categories[0], "week", nil, 1),
            (categories[1], "year", nil, 1),
        ] as [(CategoryID?, String, PersonID?, Int32)] {
            _ = try await BudgetEdits(database: harness.database).add(
                BudgetForm.Values(
                    name: "Budget \(period) \(startDay)", limit: Int64.random(in: 1...100_000, using: &random),
                    category: category,
                    person: person, period: period, startDay: startDay, rollsOver: true),
                today: Self.today.adding(days: -100), by: member)
        }
    }

    static let today = LocalDate(dayNumber: 20_600)

    func member(_ person: PersonID) -> Member {
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

    /// Makes one random change that a member can make, and returns its name.
    func change(_ random: inout SplitMix64) async throws -> String {
        let database = harness.database
        let id = ids.randomElement(using: &random) ?? ids[0]
        let author =
            try owner.query("SELECT person_id FROM expense WHERE id = \(id)").first(PersonID.self) ?? people[0]
        switch Int.random(in: 0..<14, using: &random) {
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
            try await ExpenseBulkEdits(database: database).discard([id], by: member(author))
            return "discard"
        case 3:
            try await ExpenseBulkEdits(database: database).restore([id], by: member(author))
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
            let currency = try #require(CurrencyCode(["USD", "JPY", "PLN"].randomElement(using: &random) ?? "USD"))
            let day = Self.today.adding(days: -Int.random(in: 0...130, using: &random))
            let rate = EuroRate(
                currency: currency, day: day,
                perEuroMillionths: Int64.random(in: 500_000...200_000_000, using: &random))
            let rates = ExchangeRates(database: database)
            if Bool.random(using: &random) {
                try await rates.store([rate], .manual, by: member)
                return "new rate"
            }
            let stored = try owner.query(
                "SELECT currency, day FROM exchange_rate WHERE household_id = \(household) LIMIT 1"
            ).first((String, LocalDate).self)
            guard let stored, let code = CurrencyCode(stored.0) else { return "nothing" }
            _ = try await rates.remove(code, stored.1, by: member)
            return "removed rate"
        case 10:
            try await addReceipt(&random)
            return "receipt"
        case 11: return try await changeStatedAmount(&random)
        case 12, 13: return try await categoriseReceipts(&random)
        case 8: return try await applyRule(containing: ["kino", "billa"], &random)
        default:
            guard categories.count > 2 else { return "nothing" }
            // The last category has no subcategories, so no other category loses its parent.
            let removedCategory = categories.removeLast()
            try await CategoryRemoval(database: database).remove(
                removedCategory, into: categories[0], revision: 1, by: member)
            return "merge"
        }
    }

    /// Adds a rule with one of these words and applies it. In half of the cases, undoes its changes.
    func applyRule(containing words: [String], _ random: inout SplitMix64) async throws -> String {
        let database = harness.database
        let edits = RuleEdits(database: database)
        let values = StoredRule.Values(
            contains: words.randomElement(using: &random) ?? "", minimumAmount: nil,
            maximumAmount: Bool.random(using: &random) ? 100_000 : nil,
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
}
