import Domain
import Postgres
import TestSupport

@testable import App

/// Random receipts for tests of prices and sums, inserted and changed directly in the database. The same seed gives the
/// same receipts, except for their identifiers.
struct DrawnReceipts {
    let household: HouseholdID
    let stores: [StoreID]
    let products: [ProductID]
    /// The person who uploads the receipts.
    var person: PersonID?
    private var generator: SplitMix64

    private static let chains = ["spar", "hofer"]
    private static let names = ["VOLLMILCH 1L", "BUTTER 250G", "BANANEN", "SEMMEL", "KAFFEE 500G", "REIS"]

    /// Inserts stores of two chains, products with aliases for some names, and packages of some products.
    init(seed: UInt64, _ household: HouseholdID, _ connection: SynchronousConnection) throws {
        var generator = SplitMix64(seed: seed)
        self.household = household
        stores = Self.chains.map { _ in StoreID.new() }
        products = (0..<8).map { _ in ProductID.new() }
        for (store, chain) in zip(stores, Self.chains) {
            try connection.query(
                "INSERT INTO store (household_id, id, chain, name) VALUES (\(household), \(store), \(chain), \(chain))")
        }
        for (index, product) in products.enumerated() {
            let chain = Self.chains[index % 2]
            try connection.query(
                """
                INSERT INTO product (household_id, id, chain, name)
                VALUES (\(household), \(product), \(chain), \("Produkt \(index)"))
                """)
            if index < 6, let key = AliasKey(printed: Self.names[index / 2]) {
                try connection.query(
                    """
                    INSERT INTO product_alias (household_id, id, chain, alias_key, printed_name, product_id)
                    VALUES (\(household), \(AliasID.new()), \(chain), \(key.text), \(Self.names[index / 2]), \(product))
                    """)
            }
            if index % 3 == 0 {
                for day in ["2026-02-01", "2026-06-15"] {
                    try connection.query(
                        """
                        INSERT INTO product_package (household_id, product_id, valid_from, amount_thousandths, unit)
                        VALUES (\(household), \(product), \(LocalDate(parsing: day)),
                            \(Int64.random(in: 1...2_000, using: &generator)),
                            \(index % 2 == 0 ? "kg" : "l"))
                        """)
                }
            }
        }
        self.generator = generator
    }

    /// Fills the household with random confirmed receipts.
    static func fill(_ harness: AppHarness, _ browser: Browser) async throws -> DrawnReceipts {
        let owner = try harness.owner()
        var drawn = try DrawnReceipts(seed: 7, browser.household, owner)
        var receipts: [ReceiptID] = []
        for _ in 0..<30 { receipts.append(try drawn.insert(owner)) }
        let all = receipts
        try await harness.database.write(browser.household, by: nil) { changes in
            try await PriceHistory.update(all, changes)
        }
        return drawn
    }

    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &generator)]
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    mutating func day() -> LocalDate {
        LocalDate(dayNumber: Int.random(in: 20_454...20_700, using: &generator))
    }

    /// Inserts a receipt with lines of random kinds, in a random stage.
    mutating func insert(_ connection: SynchronousConnection) throws -> ReceiptID {
        let receipt = ReceiptID.new()
        let stage = chance(85) ? "confirmed" : "review"
        try connection.query(
            """
            INSERT INTO receipt (household_id, id, stage, store_id, purchase_day, source, person_id)
            VALUES (\(household), \(receipt), \(stage), \(chance(95) ? pick(stores) : nil),
                \(chance(95) ? day() : nil), \(pick(["upload", "import", "manual"])), \(person))
            """)
        var items: [ReceiptLineID] = []
        for position in 0..<Int.random(in: 1...9, using: &generator) {
            let line = ReceiptLineID.new()
            let kind = pick(["item", "item", "item", "discount", "deposit", "deposit_return", "coupon", "rounding"])
            let name = pick(Self.names)
            let weighed = chance(20)
            let quantity =
                weighed ? Int64.random(in: 1...3_000, using: &generator) : pick([1_000, 1_000, 2_000, 3_000])
            let sign: Int64 = kind == "item" || kind == "deposit" ? (chance(5) ? -1 : 1) : -1
            let total = sign * Int64.random(in: 0...2_500, using: &generator)
            let printed: Int64? =
                chance(50) ? total * 1_000_000 / quantity + Int64.random(in: -2...2, using: &generator) : nil
            let discountedItem = kind == "discount" && chance(70) && !items.isEmpty ? pick(items) : nil
            let product = kind == "item" && chance(40) ? pick(products) : nil
            try connection.query(
                """
                INSERT INTO receipt_line (household_id, id, receipt_id, position, kind, printed_name, alias_key,
                    quantity_thousandths, unit, unit_price_thousandths, total_minor, bound_line_id, product_id)
                VALUES (\(household), \(line), \(receipt), \(Int32(position)), \(kind), \(name),
                    \(AliasKey(printed: name)?.text ?? ""), \(quantity), \(weighed ? "kg" : "piece"), \(printed),
                    \(total), \(discountedItem), \(product))
                """)
            if kind == "item" { items.append(line) }
        }
        return receipt
    }

    /// Changes a receipt at random without updating the prices.
    mutating func edit(_ receipt: ReceiptID, _ connection: SynchronousConnection) throws {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
            try connection.query("UPDATE receipt SET discarded_at = now() WHERE id = \(receipt)")
        case 1:
            try connection.query(
                "UPDATE receipt SET discarded_at = NULL, stage = 'confirmed' WHERE id = \(receipt)")
        case 2: try connection.query("UPDATE receipt SET purchase_day = \(day()) WHERE id = \(receipt)")
        case 3:
            try connection.query(
                "UPDATE receipt_line SET total_minor = total_minor * 2 WHERE receipt_id = \(receipt) AND position = 0")
        case 4:
            try connection.query(
                """
                UPDATE receipt_line SET product_id = \(pick(products))
                WHERE receipt_id = \(receipt) AND kind = 'item' AND position < 2
                """)
        default:
            try connection.query(
                """
                UPDATE receipt SET hidden_until = CASE WHEN hidden_until IS NULL THEN current_date + 30 END
                WHERE id = \(receipt)
                """)
        }
    }
}
