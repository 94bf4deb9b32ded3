import Crypto
import Demo
import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// The demo household with the real database and pages. The generator of the household knows the right product of each
/// line.
@Suite(.timeLimit(.minutes(5))) struct DemoYearTests {
    private func fill(_ harness: AppHarness, _ browser: Browser) async throws -> DemoHousehold {
        let drawn = DemoHousehold(endingOn: WallClock.today())
        try await harness.database.write(browser.household, by: browser.person) { changes in
            try await DemoFilling(drawn, changes).insert()
        }
        return drawn
    }

    @Test(.database) func `pages show the demo household`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let drawn = try await fill(harness, anna)
            var paths = ["/", "/products", "/compare", "/matching", "/receipts", "/export.csv", "/compare/groups/new"]
            paths += ["", "/edit"].map { "/compare/groups/\(drawn.groups[0].id)\($0)" } + ["/compare/basket"]
            paths.append("/compare/groups/new?search=milch")
            paths += drawn.products.prefix(12).map { "/products/\($0.id)" }
            for path in paths {
                let page = try await anna.get(path)
                #expect(page.status == .ok, "\(path)")
                #expect(!page.text.contains("⟦"), "\(path)")
            }
            let shrunk = try #require(drawn.products.first { $0.sizes.count > 1 })
            #expect(try await anna.get("/products/\(shrunk.id)").text.contains("in der Packung"))
            #expect(try await anna.get("/compare").text.contains("store-price cheapest"))
        }
    }

    @Test(.database) func `the demo household is replaced only on request`() async throws {
        try await AppHarness.run { harness in
            let hash = PasswordHash(encoded: "!")
            for replacesExisting in [false, true] {
                let report = try await DemoCommand.create(
                    harness.database, hash, replacesExisting: replacesExisting, reader: "/missing")
                #expect(report?.contains("the newest 0 have pictures") == true)
            }
            let refusal = try await DemoCommand.create(
                harness.database, hash, replacesExisting: false, reader: "/missing")
            #expect(refusal == nil)
            #expect(try harness.owner().query("SELECT count(*) FROM household").first(Int64.self) == 1)
        }
    }

    /// Adds the household's receipts of two years one by one. Names that are matched automatically must have the right
    /// product. For 90 % of the other names, the first three suggestions must include the right product or group.
    @Test(.database) func `names are never matched wrongly, and 90 % have the right suggestion among the first three`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let member = try await member(anna, harness)
            // The day is fixed, because the demo household and its share of right suggestions depend on the day.
            let drawn = DemoHousehold(endingOn: try #require(LocalDate(parsing: "2026-11-21")))
            var shopping = try await SimulatedShopping.begin(drawn, anna, harness)
            for receipt in drawn.receipts { try await shopping.scan(receipt, member, harness) }
            #expect(shopping.wrongMatches == 0)
            let share = Double(shopping.rightlySuggestedNames) / Double(max(1, shopping.knownNames))
            print(
                "right suggestion among the first three: \(shopping.rightlySuggestedNames) of \(shopping.knownNames) names (\(share));",
                "names of new products: \(shopping.newNames)")
            #expect(shopping.knownNames > 50)
            #expect(share >= 0.9)
        }
    }

    private func member(_ browser: Browser, _ harness: AppHarness) async throws -> Member {
        Member(
            household: browser.household, person: browser.person, name: "", role: .owner, language: .german,
            country: .austria, zone: nil, session: .new(), csrfSecret: [])
    }
}

/// A household that starts without products. The simulated member matches each name with the right product.
private struct SimulatedShopping {
    let drawn: DemoHousehold
    private let groups: [ProductID: ComparisonGroupID]
    private let chains: [ChainID: String]
    /// The generator's product by the product that was created for it; `createdProduct` maps in the other direction.
    private var generatedProduct: [ProductID: ProductID] = [:]
    private var createdProduct: [ProductID: ProductID] = [:]
    private var createdGroups: Set<ComparisonGroupID> = []
    /// The number of names whose product or group already existed when suggestions were requested.
    private(set) var knownNames = 0
    /// The number of known names whose suggestions include the right product or group.
    private(set) var rightlySuggestedNames = 0
    /// The number of names whose product and group did not exist.
    private(set) var newNames = 0
    /// The number of lines that were automatically matched with a wrong product.
    private(set) var wrongMatches = 0

    static func begin(_ drawn: DemoHousehold, _ browser: Browser, _ harness: AppHarness) async throws
        -> SimulatedShopping
    {
        let chains = Dictionary(drawn.chains.map { ($0.id, $0.name.lowercased()) }) { first, _ in first }
        for store in drawn.stores {
            try await SyncScene(harness, browser).edit(DocumentKey(.store, store.id.relabelled())) {
                $0 = ["type": "store", "chain": .string(chains[store.chain] ?? ""), "name": .string(store.name)]
            }
        }
        return SimulatedShopping(
            drawn: drawn, groups: Dictionary(drawn.products.map { ($0.id, $0.group) }) { first, _ in first },
            chains: chains)
    }

    private init(drawn: DemoHousehold, groups: [ProductID: ComparisonGroupID], chains: [ChainID: String]) {
        self.drawn = drawn
        self.groups = groups
        self.chains = chains
    }

    mutating func scan(_ receipt: DemoHousehold.Receipt, _ member: Member, _ harness: AppHarness) async throws {
        let new = NewReceipt(
            id: receipt.id, store: receipt.store, day: receipt.day, time: receipt.time,
            totalMinor: receipt.total.minorUnits,
            lines: receipt.lines.map {
                NewLine(
                    id: $0.id, kind: $0.kind, printedName: $0.printedName,
                    aliasKey: AliasKey(printed: $0.printedName)?.text ?? "", quantity: $0.quantity,
                    unitPrice: $0.unitPrice.thousandthsOfMinor, totalMinor: $0.total.minorUnits)
            })
        try await harness.database.write(member.household, by: member.person) { changes in
            try await BulkReceipts.insert([new], source: "demo", currency: .eur, changes)
            try await PriceHistory.update([new.id], changes)
        }
        let lineMatches = try await harness.database.read(
            member.household,
            "SELECT id, product_id FROM receipt_line WHERE receipt_id = \(receipt.id) AND kind = 'item'"
        ).decode((ReceiptLineID, ProductID?).self)
        let rightProducts = Dictionary(receipt.lines.map { ($0.id, $0.product) }) { first, _ in first }
        for (line, product) in lineMatches {
            guard let rightProduct = rightProducts[line] ?? nil else { continue }
            if let product {
                if generatedProduct[product] != rightProduct { wrongMatches += 1 }
            }
        }
        for (line, product) in lineMatches where product == nil {
            guard let rightProduct = rightProducts[line] ?? nil else { continue }
            try await answer(line, rightProduct, member, harness)
        }
    }

    /// Counts whether the right product or group is suggested, and matches the name to the right product.
    private mutating func answer(
        _ line: ReceiptLineID, _ rightProduct: ProductID, _ member: Member, _ harness: AppHarness
    ) async throws {
        let rows = try await harness.database.read(member.household, WaitingName.find([line], member))
        // An earlier line has already matched the name.
        guard let name = try WaitingName.decode(rows).first, let group = groups[rightProduct] else { return }
        let household = try await harness.app.catalogues.load(member.household)
        let suggestions = household.catalogue.suggestions(for: name.item)
        let matching = NameMatching(
            database: harness.database, catalogues: harness.app.catalogues, slowWork: harness.app.slowWork)
        let known = createdProduct[rightProduct]
        let hasGroup = createdGroups.contains(group)
        if known != nil || hasGroup {
            knownNames += 1
            let isRight = suggestions.contains { suggestion in
                switch suggestion.target {
                case .product(let id): id == known
                case .group(let id): id == group
                }
            }
            if isRight { rightlySuggestedNames += 1 }
        } else {
            newNames += 1
        }
        if let known {
            try await matching.match([line], to: .product(known), by: member)
            return
        }
        if !hasGroup, let drawnGroup = drawn.groups.first(where: { $0.id == group }) {
            let unit = StoredUnit(drawnGroup.baseUnit).rawValue
            try await SyncScene(harness, member).edit(DocumentKey(.comparisonGroup, group.relabelled())) {
                $0 = ["type": "comparison_group", "name": .string(drawnGroup.name), "base_unit": .string(unit)]
            }
            createdGroups.insert(group)
        }
        try await matching.match([line], to: .group(group), by: member)
        let product = try await harness.database.read(
            member.household, "SELECT product_id FROM receipt_line WHERE id = \(line)"
        ).first(ProductID.self)
        if let product {
            generatedProduct[product] = rightProduct
            createdProduct[rightProduct] = product
        }
    }
}
