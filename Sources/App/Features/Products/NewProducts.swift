import Domain
import Postgres

/// A product to insert into a chain.
struct NewProduct: Sendable {
    let id: ProductID
    let chain: String
    /// The preferred name. `NewProducts.add` truncates it if it is too long, and appends a number if the chain already
    /// has a product with this name.
    let name: String
    var category: CategoryID?
    var group: ComparisonGroupID?
    /// The content of one piece; nil for weighed products.
    var package: Quantity?
    /// The day from which on the package is sold.
    var from: LocalDate = .firstPurchaseDay
}

/// A printed name of a chain to match to a product.
struct NewAlias: Sendable {
    let chain: String
    let key: String
    let printedName: String
    let product: ProductID
    /// The batch of names that were matched together.
    var batch: MatchingBatchID?
}

/// Inserts products and their printed names within a household transaction, with few statements even for many products.
enum NewProducts {
    /// The number of rows in one statement.
    private static let batchSize = 2_000
    /// Leaves room for the number that is appended to a taken name.
    private static let maximumNameLength = TextLimit.productName - 10

    /// Inserts products. Gives each a name that is unique in its chain.
    static func add(_ products: [NewProduct], _ changes: HouseholdTransaction) async throws {
        guard !products.isEmpty else { return }
        let household = changes.household
        let chains = Set(products.map(\.chain)).sorted()
        let stored = try await changes.query(
            "SELECT chain, name FROM product WHERE household_id = \(household) AND chain = ANY(\(chains))"
        ).decode((String, String).self)
        var takenNames: [String: Set<String>] = [:]
        for (chain, name) in stored { takenNames[chain, default: []].insert(name) }
        let names = products.map { uniqueName($0.name, among: &takenNames[$0.chain, default: []]) }
        for batch in zip(products, names).map({ (product: $0.0, name: $0.1) }).batches(of: batchSize) {
            let sizes = batch.compactMap { entry in
                entry.product.package.map { (product: entry.product, size: $0.stored) }
            }.filter { (1...1_000_000_000).contains($0.size.thousandths) }
            try await changes.query(batch: [
                """
                INSERT INTO product (household_id, id, chain, name, category_id, comparison_group_id)
                SELECT \(household), n.* FROM unnest(\(batch.map(\.product.id)), \(batch.map(\.product.chain)),
                    \(batch.map(\.name)), \(batch.map(\.product.category)), \(batch.map(\.product.group))) AS n
                """,
                """
                INSERT INTO product_package (household_id, product_id, valid_from, amount_thousandths, unit)
                SELECT \(household), n.* FROM unnest(\(sizes.map(\.product.id)), \(sizes.map(\.product.from)),
                    \(sizes.map(\.size.thousandths)), \(sizes.map(\.size.unit))) AS n
                """,
            ])
        }
        changes.changed(.product, products.map(\.id))
    }

    /// Matches printed names to products. A name that is already matched to a product is moved to the new product. Each
    /// name may occur only once in `aliases`.
    static func match(_ aliases: [NewAlias], _ changes: HouseholdTransaction) async throws {
        for batch in aliases.batches(of: batchSize) {
            let rows = try await changes.query(
                """
                INSERT INTO product_alias (household_id, id, chain, alias_key, printed_name, product_id, batch_id)
                SELECT \(changes.household), n.* FROM unnest(\(batch.map { _ in AliasID.new() }), \(batch.map(\.chain)),
                    \(batch.map(\.key)), \(batch.map(\.printedName)), \(batch.map(\.product)),
                    \(batch.map(\.batch))) AS n
                ON CONFLICT (household_id, chain, alias_key)
                DO UPDATE SET product_id = excluded.product_id, batch_id = excluded.batch_id,
                    revision = product_alias.revision + 1
                RETURNING id
                """)
            changes.changed(.alias, try rows.decode(AliasID.self))
        }
    }

    /// The name, truncated and with a number if it is taken already.
    private static func uniqueName(_ name: String, among taken: inout Set<String>) -> String {
        let trimmed = name.trimmed.cut(to: maximumNameLength)
        let wanted = trimmed.isEmpty ? "?" : trimmed
        var name = wanted
        var number = 2
        while !taken.insert(name).inserted {
            name = "\(wanted) \(number)"
            number += 1
        }
        return name
    }
}
