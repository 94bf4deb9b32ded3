import Domain
import Postgres

/// Turns records of a table into confirmed receipts, one per `ImportPurchase`. Products are found by exact names.
struct ImportBooking {
    private let changes: HouseholdTransaction
    private let slowWork: SlowWork

    init(_ changes: HouseholdTransaction, _ slowWork: SlowWork) {
        self.changes = changes
        self.slowWork = slowWork
    }

    func book(_ records: [ImportRecord]) async throws {
        let categories = try await categories(for: records)
        let stores = try await stores(for: records)
        let products = try await products(for: records, stores, categories)
        let receipts = try await slowWork.run { Self.receipts(records, stores, products, categories) }
        for currency in Currency.allCases {
            let paid = receipts.filter { $0.purchase.currency == currency }.map(\.receipt)
            try await BulkReceipts.insert(paid, source: "import", currency: currency, changes)
        }
        try await Booking.rebook(receipts.map(\.receipt.id), changes)
    }

    private static func receipts(
        _ records: [ImportRecord], _ stores: [String: Store], _ products: [Named: Product],
        _ categories: [String: CategoryID]
    ) -> [(purchase: ImportPurchase, receipt: NewReceipt)] {
        // In the order of the file, so that an export and an import keep the order of a day's receipts.
        var purchases: [(purchase: ImportPurchase, records: [ImportRecord])] = []
        var places: [ImportPurchase: Int] = [:]
        for record in records {
            let purchase = ImportPurchase(record)
            let place = places[purchase] ?? purchases.count
            places[purchase] = place
            if place == purchases.count { purchases.append((purchase, [])) }
            purchases[place].records.append(record)
        }
        let parts = purchases.flatMap { purchase, records in affordable(records).map { (purchase, $0) } }
        return parts.compactMap { purchase, records in
            guard let store = stores[purchase.shop] else { return nil }
            let receipt = NewReceipt(
                id: .new(), store: store.id, day: purchase.day, time: nil,
                totalMinor: records.reduce(0) { $0 + $1.price.minorUnits },
                lines: lines(records, store, products, categories))
            return (purchase, receipt)
        }
    }

    private static func lines(
        _ records: [ImportRecord], _ store: Store, _ products: [Named: Product], _ categories: [String: CategoryID]
    ) -> [NewLine] {
        var items: [Int: (line: ReceiptLineID, category: CategoryID?)] = [:]
        return records.map { record in
            let id = ReceiptLineID.new()
            let category = record.categoryKey.flatMap { categories[$0] }
            let item = record.item.flatMap { items[$0] }
            var product: Product?
            // A line stores a category only if it differs from its product's, a discount if it differs from its item's.
            var inherited = item?.category
            if record.kind == .item {
                product = products[Named(chain: store.chain, key: record.aliasKey)]
                inherited = product?.category
                items[record.line] = (id, category ?? inherited)
            }
            return NewLine(
                id: id, kind: record.kind, printedName: record.name, aliasKey: record.aliasKey,
                quantity: record.quantity, unitPrice: record.unitPrice, totalMinor: record.price.minorUnits,
                boundLine: item?.line, product: product?.id, category: category == inherited ? nil : category)
        }
    }

    /// Splits the records so that each receipt's total is within `Money.limit`.
    private static func affordable(_ records: [ImportRecord]) -> [[ImportRecord]] {
        var runs: [[ImportRecord]] = []
        var sum: Int64 = 0
        for record in records {
            sum += record.price.minorUnits
            if runs.isEmpty || abs(sum) > Money.limit {
                runs.append([])
                sum = record.price.minorUnits
            }
            runs[runs.count - 1].append(record)
        }
        return runs
    }

    // MARK: Parts

    private struct Store: Sendable {
        let id: StoreID
        let chain: String
    }

    /// A name of a chain.
    private struct Named: Hashable, Sendable {
        let chain: String
        let key: String
    }

    private struct Product: Sendable {
        let id: ProductID
        let category: CategoryID?
    }

    /// Categories by folded name. Missing ones are added at the end of the list.
    private func categories(for records: [ImportRecord]) async throws -> [String: CategoryID] {
        let stored = try await changes.query(
            "SELECT id, name, key FROM category WHERE household_id = \(changes.household) ORDER BY position DESC, id"
        ).decode((CategoryID, String, String).self)
        var known = ImportKeys.categories(stored)
        var added: [(id: CategoryID, name: String)] = []
        for record in records {
            guard let name = record.category, let key = record.categoryKey, known[key] == nil else { continue }
            let category = (id: CategoryID.new(), name: name)
            known[key] = category.id
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

    /// Stores by folded name. Missing ones are added. Purchases without a shop get a store named `–`.
    private func stores(for records: [ImportRecord]) async throws -> [String: Store] {
        let rows = try await changes.query(
            """
            SELECT id, chain, name FROM store WHERE household_id = \(changes.household) ORDER BY created_at DESC, id DESC
            """)
        var known: [String: Store] = [:]
        for (id, chain, name) in try rows.decode((StoreID, String, String).self) {
            known[ImportKeys.shop(name)] = Store(id: id, chain: chain)
        }
        var added: [(store: Store, name: String)] = []
        for record in records where known[record.shopKey] == nil {
            let folded = record.shopKey
            let name = folded.isEmpty ? "–" : record.shop
            let store = Store(
                id: .new(),
                chain: StoreNaming.knownChain(record.shop)
                    ?? (folded.isEmpty ? "-" : folded.cut(to: TextLimit.storeName)))
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

    /// Products by exact alias of the shop's chain. An unknown name becomes a new product with that name.
    private func products(
        for records: [ImportRecord], _ stores: [String: Store], _ categories: [String: CategoryID]
    ) async throws -> [Named: Product] {
        let rows = try await changes.query(
            """
            SELECT a.chain, a.alias_key, d.id, d.category_id FROM product_alias a
            JOIN product d ON d.household_id = a.household_id AND d.id = a.product_id
            WHERE a.household_id = \(changes.household)
            """)
        let found = try await slowWork.run { try Self.products(for: records, stores, categories, rows) }
        try await NewProducts.add(found.added, changes)
        try await NewProducts.teach(found.aliases, changes)
        return found.known
    }

    private static func products(
        for records: [ImportRecord], _ stores: [String: Store], _ categories: [String: CategoryID], _ rows: Rows
    ) throws -> (known: [Named: Product], added: [NewProduct], aliases: [NewAlias]) {
        var known: [Named: Product] = [:]
        for (chain, key, id, category) in try rows.decode((String, String, ProductID, CategoryID?).self) {
            known[Named(chain: chain, key: key)] = Product(id: id, category: category)
        }
        var added: [NewProduct] = []
        var aliases: [NewAlias] = []
        for record in records where record.kind == .item && !record.aliasKey.isEmpty {
            guard let store = stores[record.shopKey] else { continue }
            let named = Named(chain: store.chain, key: record.aliasKey)
            guard known[named] == nil else { continue }
            let product = Product(id: .new(), category: record.categoryKey.flatMap { categories[$0] })
            known[named] = product
            added.append(
                NewProduct(
                    id: product.id, chain: store.chain, name: record.name, category: product.category,
                    package: record.package))
            aliases.append(
                NewAlias(chain: store.chain, key: record.aliasKey, printedName: record.name, product: product.id))
        }
        return (known, added, aliases)
    }
}
