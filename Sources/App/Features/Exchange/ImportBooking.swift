import Domain
import Postgres

/// Turns records of a table into confirmed receipts, one a shop and day; products are bound by their exact names.
struct ImportBooking {
    private let changes: HouseholdTransaction
    private let currency: Currency

    init(_ changes: HouseholdTransaction, currency: Currency) {
        self.changes = changes
        self.currency = currency
    }

    /// - Returns: the receipts that were booked.
    func book(_ records: [LineItemRecord]) async throws -> [ReceiptID] {
        let categories = try await categories(for: records)
        let stores = try await stores(for: records)
        let products = try await products(for: records, stores, categories)
        var receipts: [NewReceipt] = []
        let purchases = Dictionary(grouping: records) {
            Purchase(shop: ImportTable.shopKey($0.shop ?? ""), day: $0.day)
        }
        for (purchase, records) in purchases.sorted(by: { $0.key < $1.key }) {
            guard let store = stores[purchase.shop] else { continue }
            let lines = records.map { record in
                let category = record.category.flatMap { categories[ImportTable.shopKey($0)] }
                let product = products[Named(chain: store.chain, record)]
                // What costs nothing or less is no ware: something taken back, or a discount on the whole.
                let kind: LineKind = record.price.minorUnits < 0 ? .coupon : .item
                return NewLine(
                    id: .new(), kind: kind, printedName: record.name, quantity: .one,
                    unitPrice: record.price.minorUnits * 1_000, totalMinor: record.price.minorUnits,
                    product: kind == .item ? product?.id : nil,
                    category: category == product?.category ? nil : category)
            }
            receipts.append(
                NewReceipt(
                    id: .new(), store: store.id, day: purchase.day, time: nil,
                    totalMinor: records.reduce(0) { $0 + $1.price.minorUnits }, lines: lines))
        }
        try await BulkReceipts.insert(receipts, source: "import", currency: currency, changes)
        try await Booking.rebook(receipts.map(\.id), changes)
        return receipts.map(\.id)
    }

    // MARK: Parts

    private struct Purchase: Hashable, Comparable {
        let shop: String
        let day: LocalDate

        static func < (left: Purchase, right: Purchase) -> Bool {
            (left.day, left.shop) < (right.day, right.shop)
        }
    }

    private struct Store {
        let id: StoreID
        let chain: String
    }

    /// A name at a chain.
    private struct Named: Hashable {
        let chain: String
        let key: String

        init(chain: String, key: String) {
            self.chain = chain
            self.key = key
        }

        init(chain: String, _ record: LineItemRecord) {
            self.chain = chain
            key = AliasKey(printed: record.name)?.text ?? ""
        }
    }

    private struct Product {
        let id: ProductID
        let category: CategoryID?
    }

    /// Categories by their folded name; missing ones are added at the end.
    private func categories(for records: [LineItemRecord]) async throws -> [String: CategoryID] {
        var known: [String: CategoryID] = [:]
        let stored = try await changes.query(
            "SELECT id, name, key FROM category WHERE household_id = \(changes.household) ORDER BY position DESC, id"
        ).decode((CategoryID, String, String).self)
        for (id, name, key) in stored {
            known[ImportTable.shopKey(name)] = id
            // Built-in categories are known by their names in both languages.
            guard let template = CategoryTemplate.template(key) else { continue }
            for language in Language.allCases where known[ImportTable.shopKey(template.name(language))] == nil {
                known[ImportTable.shopKey(template.name(language))] = id
            }
        }
        var added: [(id: CategoryID, name: String)] = []
        for name in records.compactMap(\.category) where known[ImportTable.shopKey(name)] == nil {
            let category = (id: CategoryID.new(), name: String(name.prefix(60)))
            known[ImportTable.shopKey(name)] = category.id
            added.append(category)
        }
        try await changes.query(
            """
            INSERT INTO category (household_id, id, name, position)
            SELECT \(changes.household), n.id, n.name, 1000
            FROM unnest(\(added.map(\.id)), \(added.map(\.name))) AS n (id, name)
            """)
        changes.changed(.category, added.map(\.id))
        return known
    }

    /// Stores by their folded name; missing ones are added. Nameless purchases get a store of the same kind.
    private func stores(for records: [LineItemRecord]) async throws -> [String: Store] {
        let rows = try await changes.query(batch: [
            """
            SELECT id, chain, name FROM store WHERE household_id = \(changes.household) ORDER BY created_at DESC, id DESC
            """,
            "SELECT id, name FROM chain",
        ])
        var known: [String: Store] = [:]
        for (id, chain, name) in try rows[0].decode((StoreID, String, String).self) {
            known[ImportTable.shopKey(name)] = Store(id: id, chain: chain)
        }
        let chains = try rows[1].decode((String, String).self)
        var added: [(store: Store, name: String)] = []
        for shop in records.map({ $0.shop ?? "" }) where known[ImportTable.shopKey(shop)] == nil {
            let folded = ImportTable.shopKey(shop)
            let name = shop.isEmpty ? "–" : String(shop.prefix(80))
            // `SPAR Naschmarkt` follows the naming of SPAR.
            let chain = chains.first { folded == ImportTable.shopKey($0.1) || folded.hasPrefix($0.0 + " ") }?.0
            let store = Store(id: .new(), chain: chain ?? (folded.isEmpty ? "-" : String(folded.prefix(80))))
            known[folded] = store
            added.append((store, name))
        }
        try await changes.query(
            """
            INSERT INTO store (household_id, id, chain, name)
            SELECT \(changes.household), n.* FROM unnest(\(added.map(\.store.id)), \(added.map(\.store.chain)),
                \(added.map(\.name))) AS n
            """)
        changes.changed(.store, added.map(\.store.id))
        return known
    }

    /// Products by exact alias at the shop's chain; a name that is not known yet becomes a product of that name.
    private func products(
        for records: [LineItemRecord], _ stores: [String: Store], _ categories: [String: CategoryID]
    ) async throws -> [Named: Product] {
        let rows = try await changes.query(batch: [
            """
            SELECT a.chain, a.alias_key, d.id, d.category_id FROM product_alias a
            JOIN product d ON d.household_id = a.household_id AND d.id = a.product_id
            WHERE a.household_id = \(changes.household)
            """,
            "SELECT chain, name FROM product WHERE household_id = \(changes.household)",
        ])
        var known: [Named: Product] = [:]
        for (chain, key, id, category) in try rows[0].decode((String, String, ProductID, CategoryID?).self) {
            known[Named(chain: chain, key: key)] = Product(id: id, category: category)
        }
        var taken = Set(try rows[1].decode((String, String).self).map { "\($0.0)\u{0}\($0.1)" })
        var added: [(named: Named, product: Product, name: String, printed: String, alias: AliasID)] = []
        for record in records where record.price.minorUnits >= 0 {
            guard let store = stores[ImportTable.shopKey(record.shop ?? "")] else { continue }
            let named = Named(chain: store.chain, record)
            guard !named.key.isEmpty, known[named] == nil else { continue }
            let category = record.category.flatMap { categories[ImportTable.shopKey($0)] }
            let product = Product(id: .new(), category: category)
            known[named] = product
            let wanted = String(record.name.prefix(110))
            var name = wanted
            var number = 2
            while !taken.insert("\(named.chain)\u{0}\(name)").inserted {
                name = "\(wanted) \(number)"
                number += 1
            }
            added.append((named, product, name, record.name, .new()))
        }
        try await insert(added)
        return known
    }

    private func insert(
        _ added: [(named: Named, product: Product, name: String, printed: String, alias: AliasID)]
    ) async throws {
        for batch in added.batches(of: 2_000) {
            let sizes = batch.compactMap { entry in
                PackageSize(inName: entry.printed).map { (entry.product.id, $0.total.stored) }
            }.filter { (1...1_000_000_000).contains($0.1.thousandths) }
            try await changes.query(batch: [
                """
                INSERT INTO product (household_id, id, chain, name, category_id)
                SELECT \(changes.household), n.* FROM unnest(\(batch.map(\.product.id)), \(batch.map(\.named.chain)),
                    \(batch.map(\.name)), \(batch.map(\.product.category))) AS n
                """,
                """
                INSERT INTO product_alias (household_id, id, chain, alias_key, printed_name, product_id)
                SELECT \(changes.household), n.* FROM unnest(\(batch.map(\.alias)), \(batch.map(\.named.chain)),
                    \(batch.map(\.named.key)), \(batch.map(\.printed)), \(batch.map(\.product.id))) AS n
                """,
                """
                INSERT INTO product_package (household_id, product_id, valid_from, amount_thousandths, unit)
                SELECT \(changes.household), n.id, \(LocalDate.firstPurchaseDay), n.amount, n.unit
                FROM unnest(\(sizes.map(\.0)), \(sizes.map(\.1.thousandths)), \(sizes.map(\.1.unit)))
                    AS n (id, amount, unit)
                """,
            ])
        }
        changes.changed(.product, added.map(\.product.id))
        changes.changed(.alias, added.map(\.alias))
    }
}
