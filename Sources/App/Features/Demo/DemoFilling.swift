import Demo
import Domain
import Postgres

/// Stores a generated household: receipts, matched names, comparison groups and expenses.
struct DemoFilling {
    private let generated: DemoHousehold
    private let changes: HouseholdTransaction
    private let chainKeys: [ChainID: String]

    /// The number of newest receipts that remain in the inbox.
    private static let receiptsInInbox = 4
    /// The number of comparison groups that are not stored, so that the app can suggest them.
    private static let suggestedGroups = 6
    /// The number of products that are not stored, so that their names wait to be matched.
    private static let unmatchedProducts = 4

    init(_ generated: DemoHousehold, _ changes: HouseholdTransaction) {
        self.generated = generated
        self.changes = changes
        chainKeys = Dictionary(generated.chains.map { ($0.id, $0.name.lowercased()) }) { first, _ in first }
    }

    func insert() async throws {
        let categories = try Categories(try await changes.query(Categories.query(changes.household)))
        try await insertStores()
        let known = try await insertProducts(categories)
        let aliases = try await insertAliases(known)
        let receipts = generated.receipts.enumerated().map { index, receipt in
            newReceipt(receipt, aliases, verdict: verdict(at: index))
        }
        try await BulkReceipts.insert(receipts, source: "demo", currency: .eur, changes)
        try await PriceHistory.update(receipts.filter { $0.verdict == nil }.map(\.id), changes)
        try await DemoExpenses(today: WallClock.today(), changes).insert()
    }

    private func insertStores() async throws {
        let chains = generated.chains
        let stores = generated.stores
        try await changes.query(batch: [
            """
            INSERT INTO chain (id, name) SELECT * FROM unnest(\(chains.map { $0.name.lowercased() }),
                \(chains.map(\.name))) ON CONFLICT DO NOTHING
            """,
            """
            INSERT INTO store (household_id, id, chain, name, street, town)
            SELECT \(changes.household), n.* FROM unnest(\(stores.map(\.id)), \(stores.map { chainKey($0.chain) }),
                \(stores.map { "\(chainName($0.chain)) \($0.town)" }), \(stores.map(\.street)),
                \(stores.map { "\($0.postcode) \($0.town)" })) AS n
            """,
        ])
        changes.changed(.store, stores.map(\.id))
    }

    /// Inserts comparison groups, products and packages.
    ///
    /// - Returns: the inserted products.
    private func insertProducts(_ categories: Categories) async throws -> [DemoHousehold.Product] {
        let groups = Array(generated.groups.dropLast(Self.suggestedGroups))
        let grouped = Set(groups.map(\.id))
        let products = Array(generated.products.dropLast(Self.unmatchedProducts))
        let packages = products.flatMap { product in product.sizes.map { (product.id, $0.from, $0.size.stored) } }
        try await changes.query(batch: [
            """
            INSERT INTO comparison_group (household_id, id, name, base_unit)
            SELECT \(changes.household), n.* FROM unnest(\(groups.map(\.id)), \(groups.map(\.name)),
                \(groups.map { StoredUnit($0.baseUnit) })) AS n
            """,
            """
            INSERT INTO product (household_id, id, chain, name, category_id, comparison_group_id)
            SELECT \(changes.household), n.* FROM unnest(\(products.map(\.id)), \(products.map { chainKey($0.chain) }),
                \(products.map(\.name)), \(products.map { categories.id(key: $0.category) }),
                \(products.map { grouped.contains($0.group) ? $0.group : nil })) AS n
            """,
            """
            INSERT INTO product_package (household_id, product_id, valid_from, amount_thousandths, unit)
            SELECT \(changes.household), n.* FROM unnest(\(packages.map(\.0)), \(packages.map(\.1)),
                \(packages.map(\.2.thousandths)), \(packages.map(\.2.unit))) AS n
            """,
        ])
        changes.changed(.comparisonGroup, groups.map(\.id))
        changes.changed(.product, products.map(\.id))
        return products
    }

    /// A printed name of a chain.
    private struct PrintedName: Hashable {
        let chain: String
        let key: String
    }

    /// Inserts the printed names of the products. Leaves out three names of products that also have another name, so
    /// that the matching page shows them.
    private func insertAliases(_ products: [DemoHousehold.Product]) async throws -> [PrintedName: ProductID] {
        var matched: [PrintedName: ProductID] = [:]
        var rows: [(id: AliasID, printed: PrintedName, name: String, product: ProductID)] = []
        var furtherNames = 0
        for product in products {
            for (index, printed) in product.printedNames.enumerated() {
                guard let key = AliasKey(printed: printed.name)?.text else { continue }
                if index > 0 { furtherNames += 1 }
                if index > 0, furtherNames <= 3 { continue }
                let name = PrintedName(chain: self.chainKey(product.chain), key: key)
                guard matched[name] == nil else { continue }
                matched[name] = product.id
                rows.append((.new(), name, printed.name, product.id))
            }
        }
        try await changes.query(
            """
            INSERT INTO product_alias (household_id, id, chain, alias_key, printed_name, product_id)
            SELECT \(changes.household), n.* FROM unnest(\(rows.map(\.id)), \(rows.map(\.printed.chain)),
                \(rows.map(\.printed.key)), \(rows.map(\.name)), \(rows.map(\.product))) AS n
            """)
        changes.changed(.alias, rows.map(\.id))
        return matched
    }

    private func newReceipt(
        _ receipt: DemoHousehold.Receipt, _ aliases: [PrintedName: ProductID], verdict: Verdict?
    ) -> NewReceipt {
        let chain = chainKey(receipt.chain)
        return NewReceipt(
            id: receipt.id, store: receipt.store, day: receipt.day, time: receipt.time,
            totalMinor: receipt.total.minorUnits, verdict: verdict,
            lines: receipt.lines.map { line in
                let key = AliasKey(printed: line.printedName)?.text ?? ""
                return NewLine(
                    id: line.id, kind: line.kind, printedName: line.printedName, aliasKey: key,
                    quantity: line.quantity, unitPrice: line.unitPrice.thousandthsOfMinor,
                    totalMinor: line.total.minorUnits,
                    vatClass: line.vatClass?.code ?? "", vatRate: line.vatRate.map { Int32($0.tenthsOfPercent * 10) },
                    reducedLine: line.kind == .discount ? line.belongsTo.map { receipt.lines[$0].id } : nil,
                    product: line.kind == .item ? aliases[PrintedName(chain: chain, key: key)] : nil)
            })
    }

    /// The reader's verdict for the newest receipts, which remain in the inbox; nil for confirmed receipts.
    private func verdict(at index: Int) -> Verdict? {
        // 1 for the newest receipt.
        let rank = generated.receipts.count - index
        guard rank <= Self.receiptsInInbox else { return nil }
        return rank == 2 ? .review : .proven
    }

    /// The key of a chain in the household.
    private func chainKey(_ chain: ChainID) -> String { chainKeys[chain] ?? "" }

    private func chainName(_ chain: ChainID) -> String { generated.chains.first { $0.id == chain }?.name ?? "" }
}
