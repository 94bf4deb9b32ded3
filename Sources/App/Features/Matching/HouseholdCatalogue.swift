import Domain
import EventLoop
import Postgres

/// A household's products and comparison groups, prepared for matching. Building it takes one round trip and some CPU
/// time.
struct HouseholdCatalogue: Sendable {
    let catalogue: Catalogue
    let products: [ProductID: Product]
    let groups: [ComparisonGroupID: Group]
    let categories: Categories
    /// The names of stores and chains.
    let naming: Naming
    /// The built-in words, and the abbreviations learned from this household's names.
    let vocabulary: Vocabulary
    /// A search index over the names and printed names of products.
    let names: NameSearch<ProductID>
    /// The comparison groups, sorted by name.
    let groupOrder: [ComparisonGroupID]
    /// The products of each comparison group.
    let productsByGroup: [ComparisonGroupID: [ProductID]]
    private let proposed = ProposalCache()

    private static let maximumProposals = 5

    /// Possible new groups, best first. Computed once per catalogue.
    func proposals(_ slowWork: SlowWork) async throws -> [GroupProposal] {
        if let known = proposed.groups { return known }
        return try await slowWork.run { [proposed, catalogue] in
            let found = catalogue.suggestNewGroups(limit: Self.maximumProposals)
            proposed.groups = found
            return found
        }
    }

    /// The proposed groups, after they were computed.
    private final class ProposalCache: @unchecked Sendable {
        // Safe to share: all properties are accessed under the lock.
        private let lock = Lock()
        private var stored: [GroupProposal]?

        var groups: [GroupProposal]? {
            get { lock.withLock { stored } }
            set { lock.withLock { stored = newValue } }
        }
    }

    struct Product: Sendable {
        let name: String
        let chain: String
        let category: CategoryID?
        let group: ComparisonGroupID?
        /// The latest price.
        let price: StoredPrice?
    }

    struct Group: Sendable {
        let name: String
        let unit: StoredUnit
        let category: CategoryID?
    }

    /// The maximum number of products that are loaded. Households usually have hundreds.
    static let maximumProducts: Int32 = 10_000

    /// The latest sizes and prices are selected by one scan: a lookup per product took ten times as long.
    static func statements(_ household: HouseholdID) -> [SQL] {
        [
            """
            SELECT d.id, d.name, d.chain, d.category_id, d.comparison_group_id, k.amount_thousandths, k.unit,
                p.store_id, d.chain, p.day, p.regular_thousandths, p.paid_thousandths, p.is_offer, p.unit,
                p.base_thousandths, p.base_unit, p.currency, NULL::uuid
            FROM product d
            LEFT JOIN (
                SELECT DISTINCT ON (k.product_id) k.product_id, k.amount_thousandths, k.unit FROM product_package k
                WHERE k.household_id = \(household) ORDER BY k.product_id, k.valid_from DESC) k ON k.product_id = d.id
            LEFT JOIN product_price p ON p.household_id = d.household_id AND p.product_id = d.id
            WHERE d.household_id = \(household) ORDER BY d.created_at DESC, d.id LIMIT \(maximumProducts)
            """,
            "SELECT product_id, chain, printed_name FROM product_alias WHERE household_id = \(household) ORDER BY id",
            """
            SELECT g.id, g.name, g.base_unit, (SELECT d.category_id FROM product d
                WHERE d.household_id = g.household_id AND d.comparison_group_id = g.id AND d.category_id IS NOT NULL
                GROUP BY d.category_id ORDER BY count(*) DESC, d.category_id LIMIT 1)
            FROM comparison_group g WHERE g.household_id = \(household) ORDER BY g.name, g.id
            """,
            Categories.query(household), Naming.query(household),
        ]
    }

    private struct ProductRow: RowDecodable {
        let id: ProductID
        let product: Product
        let size: Quantity?

        init(from row: inout RowReader) throws(PostgresError) {
            id = try row.next()
            let name: String = try row.next()
            let chain: String = try row.next()
            let category: CategoryID? = try row.next()
            let group: ComparisonGroupID? = try row.next()
            let amount: Int64? = try row.next()
            let unit: StoredUnit? = try row.next()
            size = amount.flatMap { amount in unit.map { Quantity(thousandths: amount, unit: $0.unit) } }
            product = Product(
                name: name, chain: chain, category: category, group: group, price: try StoredPrice.ifAny(from: &row))
        }
    }

    /// Decodes the results of `statements`. Names that are also in `old` are not analysed again.
    init(_ rows: [Rows], reusing old: HouseholdCatalogue?) throws {
        let products = try rows[0].decode(ProductRow.self)
        let categories = try Categories(rows[3])
        var aliases: [ProductID: [CatalogueAlias]] = [:]
        for (product, chain, printed) in try rows[1].decode((ProductID, String, String).self) {
            aliases[product, default: []].append(
                CatalogueAlias(chain: ChainID(naming: chain), printedName: printed))
        }
        var groups: [ComparisonGroupID: Group] = [:]
        let groupRows = try rows[2].decode((ComparisonGroupID, String, StoredUnit, CategoryID?).self)
        for (id, name, unit, category) in groupRows { groups[id] = Group(name: name, unit: unit, category: category) }
        self.categories = categories
        self.groups = groups
        groupOrder = groupRows.map(\.0)
        names = NameSearch(
            products.map { (id: $0.id, name: $0.product.name) }
                + products.flatMap { row in (aliases[row.id] ?? []).map { (id: row.id, name: $0.printedName) } })
        naming = try Naming(rows[4])
        let matched = products.flatMap { row in
            (aliases[row.id] ?? []).map { (printed: $0.printedName, name: row.product.name) }
        }
        vocabulary = Vocabulary.german.learning(from: matched)
        self.products = Dictionary(products.map { ($0.id, $0.product) }) { first, _ in first }
        productsByGroup = Dictionary(
            grouping: products.lazy.compactMap { row in row.product.group.map { (group: $0, product: row.id) } },
            by: \.group
        ).mapValues { $0.map(\.product) }
        catalogue = Catalogue(
            products: products.map { row in
                CatalogueProduct(
                    id: row.id, name: row.product.name,
                    // A product without printed names is found by its own name, as if its chain printed that name.
                    aliases: aliases[row.id]
                        ?? [CatalogueAlias(chain: ChainID(naming: row.product.chain), printedName: row.product.name)],
                    category: categories.matchingKey(row.product.category), group: row.product.group, size: row.size,
                    price: (row.product.price?.regular).flatMap { try? $0.rounded() })
            },
            groups: groupRows.map { id, name, unit, category in
                CatalogueGroup(id: id, name: name, baseUnit: unit.unit, category: categories.matchingKey(category))
            }, reusing: old?.catalogue)
    }
}
