import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Roll-ups, which are stored sums and prices, equal the values computed from all prices and receipts.
@Suite(.timeLimit(.minutes(2))) struct RollUpTests {
    /// A row of `price` as an observation of the domain.
    private struct Row {
        let id: PriceID
        let observation: PriceObservation
    }

    @Test(.database, arguments: [21, 22, 23] as [UInt64])
    func `after confirmations, edits, discards, hiding and merges the roll-ups equal a full computation`(
        seed: UInt64
    ) async throws {
        try await AppHarness.run { harness in
            let owner = try harness.owner()
            let anna = try await harness.signUp()
            let household = anna.household
            var drawn = try DrawnReceipts(seed: seed, household, owner)
            var receipts: [ReceiptID] = []
            for _ in 0..<40 { receipts.append(try drawn.insert(owner)) }
            let member = Member(
                household: household, person: anna.person, name: "Anna", role: .owner, language: .german,
                country: .austria, zone: nil,
                session: .new(), csrfSecret: [])
            let edits = ProductEdits(database: harness.database)
            try await harness.updatePrices(receipts, household)
            try self.check(owner, household)
            for _ in 0..<12 {
                let touched = Set((0..<drawn.pick([1, 3, 6])).map { _ in drawn.pick(receipts) })
                for receipt in touched { try drawn.edit(receipt, owner) }
                try await harness.updatePrices(Array(touched), household)
                try self.check(owner, household)
            }
            for chain in ["spar", "hofer", "spar"] {
                let products = try owner.query("SELECT id, revision FROM product WHERE chain = \(chain) ORDER BY id")
                    .decode((ProductID, Int64).self)
                try await edits.merge(
                    products[0].0, into: products[1].0, revision: products[0].1, by: member)
                try self.check(owner, household)
            }
        }
    }

    @Test(.database) func `a price is compared only with prices in the same currency`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            try await anna.importTable([
                ("Milch", "1,00", "2025-12-01"), ("Milch", "5,00", "2025-12-20"), ("Milch", "1,10", "2026-11-24"),
            ])
            let product = try harness.product(named: "Milch")
            try owner.query("UPDATE price SET currency = 'CHF' WHERE day = '2025-12-20'")
            try await harness.database.write(anna.household, by: nil) { changes in
                _ = try await changes.query(batch: RollUps.prices(of: [product], anna.household))
            }
            let change = try owner.query("SELECT change_permille FROM product_price").decode(Int64?.self)
            #expect(change == [100])
            let page = try await anna.get("/products/\(product)").text
            #expect(page.contains("Gegenüber 01.12.2025"))
        }
    }

    @Test(.database) func `if a merge gives a product a category, its lines count in that category`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            try await anna.importTable([("Milch", "1,00", "2026-10-01"), ("Rahm", "2,00", "2026-09-01")])
            let products = try owner.query("SELECT id, revision FROM product ORDER BY name")
                .decode((ProductID, Int64).self)
            let (milk, cream) = (products[0], products[1].0)
            let dairy = try owner.category("dairy")
            let namingAnswer = try await anna.post(
                "/products/\(milk.0)", ["revision": "\(milk.1)", "name": "Milch", "category": "\(dairy)"])
            #expect(namingAnswer.status == .seeOther)
            let mergeAnswer = try await anna.post(
                "/products/\(milk.0)/merge", ["revision": "\(milk.1 + 1)", "into": "\(cream)"])
            #expect(mergeAnswer.location == "/products/\(cream)")
            for table in ["spending_month", "expense_month"] as [SQL] {
                let sums = try owner.query(
                    "SELECT sum(amount_minor)::bigint FROM \(table) WHERE category_id = \(dairy)")
                #expect(try sums.first(Int64.self) == 300)
            }
        }
    }

    @Test(.database) func `deleting a line of a confirmed receipt removes its price from the newest prices`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let sync = SyncScene(harness, anna)
            let receipt = SyncScene.key(.receipt)
            try await sync.edit(receipt) {
                $0 = SyncScene.receipt([SyncScene.line("MILCH", 129), SyncScene.line("BROT", 200)], stage: "confirmed")
            }
            let chain = try #require(try owner.query("SELECT chain FROM store").first(String.self))
            let (product, alias) = (SyncScene.key(.product), SyncScene.key(.alias))
            try await sync.edit(product) { $0 = ["type": "product", "chain": .string(chain), "name": "Milch"] }
            try await sync.edit(alias) {
                $0 = [
                    "type": "alias", "chain": .string(chain), "printed_name": "MILCH",
                    "product": .string(product.description),
                ]
            }
            func counts() throws -> [Int64] {
                try ["price", "store_price", "product_price"].map { table in
                    try owner.query(SQL(uncheckedText: "SELECT count(*) FROM \(table)")).first(Int64.self) ?? 0
                }
            }
            #expect(try counts() == [1, 1, 1])
            try await sync.edit(receipt) {
                $0["lines"] = .array(($0["lines"]?.array ?? []).filter { $0["name"] != "MILCH" })
                $0["total_minor"] = 200
            }
            #expect(try owner.query("SELECT printed_name FROM receipt_line").decode(String.self) == ["BROT"])
            #expect(try counts() == [0, 0, 0])
        }
    }

    private func check(_ owner: SynchronousConnection, _ household: HouseholdID) throws {
        let rows = try prices(owner, household)
        #expect(rows.count > 10)
        try checkStorePrices(rows, owner, household)
        try checkProducts(rows, owner, household)
        try checkSpending(owner, household)
    }

    private func isNewer(_ one: Row, _ other: Row) -> Bool {
        (one.observation.day, one.observation.regular.thousandthsOfMinor, one.id)
            > (other.observation.day, other.observation.regular.thousandthsOfMinor, other.id)
    }

    private func checkStorePrices(_ rows: [Row], _ owner: SynchronousConnection, _ household: HouseholdID) throws {
        let expectedRows = Dictionary(grouping: rows) { "\($0.observation.product) \($0.observation.store)" }.values
            .compactMap { places in places.min { isNewer($0, $1) } }
            .map { row in
                let price = row.observation
                return "\(price.product) \(price.store) \(row.id) \(price.day.iso) \(price.regular.thousandthsOfMinor) "
                    + "\(price.paid.thousandthsOfMinor) \(price.regularBase?.thousandthsOfMinor ?? 0)"
            }
        let storedRows = try owner.query(
            """
            SELECT product_id || ' ' || store_id || ' ' || price_id || ' ' || day || ' ' || regular_thousandths || ' '
                || paid_thousandths || ' ' || coalesce(base_thousandths, 0)
            FROM store_price WHERE household_id = \(household)
            """
        ).decode(String.self)
        #expect(Set(storedRows) == Set(expectedRows))
        #expect(storedRows.count == expectedRows.count)
    }

    private func checkProducts(_ rows: [Row], _ owner: SynchronousConnection, _ household: HouseholdID) throws {
        var expected: Set<String> = []
        for (product, seen) in Dictionary(grouping: rows, by: \.observation.product) {
            guard let newest = seen.min(by: { isNewer($0, $1) })?.observation else { continue }
            let change = PriceChange.changes(in: seen.map(\.observation), asOf: newest.day)
                .first { $0.later.chain == newest.chain }
            expected.insert(
                "\(product) \(newest.store) \(newest.day.iso) \(newest.regular.thousandthsOfMinor) \(change?.shownPermille ?? 0)"
            )
        }
        let storedRows = try owner.query(
            """
            SELECT product_id || ' ' || store_id || ' ' || day || ' ' || regular_thousandths || ' '
                || coalesce(change_permille, 0)
            FROM product_price WHERE household_id = \(household)
            """
        ).decode(String.self)
        #expect(Set(storedRows) == expected)
        #expect(storedRows.count == expected.count)
    }

    /// Checks that the spending of a day is the sum of the totals of its receipts. A receipt without a total counts
    /// with its lines.
    private func checkSpending(_ owner: SynchronousConnection, _ household: HouseholdID) throws {
        let receipts = try owner.query(
            """
            SELECT r.purchase_day, coalesce(r.total_minor, (SELECT sum(l.total_minor)::bigint FROM receipt_line l
                WHERE l.household_id = r.household_id AND l.receipt_id = r.id), 0)
            FROM receipt r WHERE r.household_id = \(household) AND r.booked_month IS NOT NULL
            """
        ).decode((LocalDate, Int64).self)
        var days: [LocalDate: Int64] = [:]
        var months: [LocalDate: Int64] = [:]
        for (day, amount) in receipts {
            days[day, default: 0] += amount
            months[day.month.firstDay, default: 0] += amount
        }
        let storedDays = try owner.query(
            "SELECT day, sum(amount_minor)::bigint FROM spending_day WHERE household_id = \(household) GROUP BY 1"
        ).decode((LocalDate, Int64).self)
        let storedMonths = try owner.query(
            "SELECT month, sum(amount_minor)::bigint FROM spending_month WHERE household_id = \(household) GROUP BY 1"
        ).decode((LocalDate, Int64).self)
        #expect(Dictionary(uniqueKeysWithValues: storedDays.filter { $0.1 != 0 }) == days.filter { $0.value != 0 })
        #expect(Dictionary(uniqueKeysWithValues: storedMonths.filter { $0.1 != 0 }) == months.filter { $0.value != 0 })
    }

    private func prices(_ owner: SynchronousConnection, _ household: HouseholdID) throws -> [Row] {
        try owner.query(
            """
            SELECT p.id, p.product_id, p.store_id, s.chain, p.day, p.regular_thousandths, p.paid_thousandths, p.unit,
                p.base_thousandths, p.base_unit
            FROM price p JOIN store s ON s.household_id = p.household_id AND s.id = p.store_id
            WHERE p.household_id = \(household)
            """
        ).decode(
            (PriceID, ProductID, StoreID, String, LocalDate, Int64, Int64, StoredUnit, Int64?, StoredUnit?).self
        ).map { row in
            func price(_ thousandths: Int64, _ unit: StoredUnit) -> UnitPrice {
                UnitPrice(thousandthsOfMinor: thousandths, per: unit.unit)
            }
            let base = row.8.flatMap { base in row.9.map { price(base, $0) } }
            return Row(
                id: row.0,
                observation: PriceObservation(
                    product: row.1, store: row.2, chain: ChainID(naming: row.3), day: row.4,
                    regular: price(row.5, row.7),
                    paid: price(row.6, row.7), quantity: .one, regularBase: base, paidBase: base, source: .receipt))
        }
    }
}
