import Domain
import Postgres

/// Confirmed receipts for the records of a table, not stored yet. Each `ImportPurchase` becomes one receipt, or several
/// if the total would exceed `Money.limit`. Products are found by exact names.
///
/// `init` prepares everything from the state of the household at change `number`, without locking the household.
/// `insert` stores the receipts only if the household has not changed since.
struct PreparedImport: Sendable {
    /// The number of records to be stored.
    let count: Int
    /// The sequence number of the household's last change when the queries of `statements` ran.
    private let number: Int64
    private let categories: [(id: CategoryID, name: String)]
    private let stores: [(store: Store, name: String)]
    private let products: [NewProduct]
    private let aliases: [NewAlias]
    private let receipts: [(purchase: ImportPurchase, receipt: NewReceipt)]

    /// The queries whose results `init` needs. The sequence number is queried first, so that `insert` detects changes
    /// during the other queries.
    static func statements(_ part: ImportTable, _ member: Member) -> [SQL] {
        let household = member.household
        return [
            number(household), part.storedLinesQuery(member),
            "SELECT id, name, key FROM category WHERE household_id = \(household) ORDER BY position DESC, id",
            """
            SELECT id, chain, name, former_names FROM store WHERE household_id = \(household)
            ORDER BY created_at DESC, id DESC
            """,
            """
            SELECT a.chain, a.alias_key, d.id, d.category_id FROM product_alias a
            JOIN product d ON d.household_id = a.household_id AND d.id = a.product_id
            WHERE a.household_id = \(household)
            """,
        ]
    }

    private static func number(_ household: HouseholdID) -> SQL {
        "SELECT sync_seq FROM household WHERE id = \(household)"
    }

    /// Prepares the records of `part` that are not stored yet. Slow, so it must run in `SlowWork`.
    ///
    /// - Parameter rows: the results of `statements`.
    init(_ part: ImportTable, _ rows: [Rows]) throws {
        guard let number = try rows[0].first(Int64.self) else { throw Refusal.notFound }
        self.number = number
        var part = part
        try part.markKnown(rows[1])
        let records = part.newRecords
        count = records.count
        let (categories, addedCategories) = Self.categories(
            for: records, try rows[2].decode((CategoryID, String, String).self))
        let (stores, addedStores) = Self.stores(
            for: records, try rows[3].decode((StoreID, String, String, [String]).self))
        let products = try Self.products(for: records, stores, categories, rows[4])
        self.categories = addedCategories
        self.stores = addedStores
        self.products = products.added
        aliases = products.aliases
        receipts = Self.receipts(records, stores, products.known, categories)
    }

    /// Stores the receipts. Returns false, and stores nothing, if the household has changed since the queries ran.
    func insert(_ changes: HouseholdTransaction) async throws -> Bool {
        guard try await changes.query(Self.number(changes.household)).first(Int64.self) == number else { return false }
        try await addCategories(changes)
        try await addStores(changes)
        try await NewProducts.add(products, changes)
        try await NewProducts.match(aliases, changes)
        for currency in Currency.allCases {
            let paid = receipts.filter { $0.purchase.currency == currency }.map(\.receipt)
            try await BulkReceipts.insert(paid, source: "import", currency: currency, changes)
        }
        let ids = receipts.map(\.receipt.id)
        try await PrintedPackages.record(of: ids, changes)
        try await PriceHistory.update(ids, changes)
        return true
    }

    private func addCategories(_ changes: HouseholdTransaction) async throws {
        try await changes.query(
            """
            INSERT INTO category (household_id, id, name, position)
            SELECT \(changes.household), n.id, n.name, 1000
            FROM unnest(\(categories.map(\.id)), \(categories.map(\.name))) AS n (id, name)
            """)
        changes.changed(.category, categories.map(\.id))
    }

    private func addStores(_ changes: HouseholdTransaction) async throws {
        try await changes.query(
            """
            INSERT INTO store (household_id, id, chain, name)
            SELECT \(changes.household), n.* FROM unnest(\(stores.map(\.store.id)), \(stores.map(\.store.chain)),
                \(stores.map(\.name))) AS n
            """)
        changes.changed(.store, stores.map(\.store.id))
    }

    private static func receipts(
        _ records: [ImportRecord], _ stores: [String: Store], _ products: [NameInChain: Product],
        _ categories: [String: CategoryID]
    ) -> [(purchase: ImportPurchase, receipt: NewReceipt)] {
        // Keeps the order of the file, so that an export after an import has the receipts of a date in the same order.
        var purchases: [(purchase: ImportPurchase, records: [ImportRecord])] = []
        var positions: [ImportPurchase: Int] = [:]
        for record in records {
            let purchase = ImportPurchase(record)
            let position = positions[purchase] ?? purchases.count
            positions[purchase] = position
            if position == purchases.count { purchases.append((purchase, [])) }
            purchases[position].records.append(record)
        }
        let parts = purchases.flatMap { purchase, records in withinMoneyLimit(records).map { (purchase, $0) } }
        return parts.compactMap { purchase, records in
            guard let store = stores[purchase.storeKey] else { return nil }
            let receipt = NewReceipt(
                id: .new(), store: store.id, day: purchase.day, time: nil,
                totalMinor: records.reduce(0) { $0 + $1.price.minorUnits },
                lines: lines(records, store, products, categories))
            return (purchase, receipt)
        }
    }

    private static func lines(
        _ records: [ImportRecord], _ store: Store, _ products: [NameInChain: Product],
        _ categories: [String: CategoryID]
    ) -> [NewLine] {
        var items: [Int: (line: ReceiptLineID, category: CategoryID?)] = [:]
        return records.map { record in
            let id = ReceiptLineID.new()
            let category = record.categoryKey.flatMap { categories[$0] }
            let item = record.item.flatMap { items[$0] }
            var product: Product?
            // The category of a line is stored only if it differs from the category of its product. The category of a
            // discount is compared with the category of its item.
            var inherited = item?.category
            if record.kind == .item {
                product = products[NameInChain(chain: store.chain, key: record.aliasKey)]
                inherited = product?.category
                items[record.line] = (id, category ?? inherited)
            }
            return NewLine(
                id: id, kind: record.kind, printedName: record.name, aliasKey: record.aliasKey,
                quantity: record.quantity, unitPrice: record.unitPrice, totalMinor: record.price.minorUnits,
                reducedLine: item?.line, product: product?.id, category: category == inherited ? nil : category)
        }
    }

    /// Splits the records of a receipt, so that no total exceeds `Money.limit`.
    private static func withinMoneyLimit(_ records: [ImportRecord]) -> [[ImportRecord]] {
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

    /// A folded name within a chain of stores.
    private struct NameInChain: Hashable, Sendable {
        let chain: String
        let key: String
    }

    private struct Product: Sendable {
        let id: ProductID
        let category: CategoryID?
    }

    /// Returns all categories by folded name, and the new ones among them as `added`.
    private static func categories(
        for records: [ImportRecord], _ stored: [(CategoryID, String, String)]
    ) -> (known: [String: CategoryID], added: [(id: CategoryID, name: String)]) {
        var known = ImportKeys.categories(stored)
        var added: [(id: CategoryID, name: String)] = []
        for record in records {
            guard let name = record.category, let key = record.categoryKey, known[key] == nil else { continue }
            let category = (id: CategoryID.new(), name: name)
            known[key] = category.id
            added.append(category)
        }
        return (known, added)
    }

    /// Returns all stores by folded name, and the new ones among them as `added`. A former name leads to its store if
    /// no other store has or had this name. Purchases without a store get a store named `–`.
    private static func stores(
        for records: [ImportRecord], _ stored: [(StoreID, String, String, [String])]
    ) -> (known: [String: Store], added: [(store: Store, name: String)]) {
        // Former names that several stores had are not used.
        var storesByFormerName: [String: Set<StoreID>] = [:]
        for (id, _, _, formerNames) in stored {
            for name in formerNames { storesByFormerName[ImportKeys.store(name), default: []].insert(id) }
        }
        var known: [String: Store] = [:]
        for (id, chain, _, formerNames) in stored {
            for name in formerNames where storesByFormerName[ImportKeys.store(name)]?.count == 1 {
                known[ImportKeys.store(name)] = Store(id: id, chain: chain)
            }
        }
        for (id, chain, name, _) in stored { known[ImportKeys.store(name)] = Store(id: id, chain: chain) }
        var added: [(store: Store, name: String)] = []
        for record in records where known[record.storeKey] == nil {
            let folded = record.storeKey
            let name = folded.isEmpty ? "–" : record.store
            let store = Store(
                id: .new(),
                chain: StoreNaming.knownChain(record.store)
                    ?? (folded.isEmpty ? "-" : folded.cut(to: TextLimit.storeName)))
            known[folded] = store
            added.append((store, name))
        }
        return (known, added)
    }

    /// Finds products by exact alias in the store's chain. Creates a product for each unknown name.
    private static func products(
        for records: [ImportRecord], _ stores: [String: Store], _ categories: [String: CategoryID], _ rows: Rows
    ) throws -> (known: [NameInChain: Product], added: [NewProduct], aliases: [NewAlias]) {
        var known: [NameInChain: Product] = [:]
        for (chain, key, id, category) in try rows.decode((String, String, ProductID, CategoryID?).self) {
            known[NameInChain(chain: chain, key: key)] = Product(id: id, category: category)
        }
        var added: [NewProduct] = []
        var aliases: [NewAlias] = []
        for record in records where record.kind == .item && !record.aliasKey.isEmpty {
            guard let store = stores[record.storeKey] else { continue }
            let nameInChain = NameInChain(chain: store.chain, key: record.aliasKey)
            guard known[nameInChain] == nil else { continue }
            let product = Product(id: .new(), category: record.categoryKey.flatMap { categories[$0] })
            known[nameInChain] = product
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
