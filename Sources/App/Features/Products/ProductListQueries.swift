import Domain
import Postgres

/// A product with its latest price and an earlier price.
struct ListedProduct: Sendable, RowDecodable {
    let id: ProductID
    let name: String
    let chain: String
    let category: CategoryID?
    let newest: StoredPrice?
    /// The earlier price that is compared with the latest price, chosen by the rules of `PriceChange.changes`.
    let earlier: StoredPrice?

    init(from row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        name = try row.next()
        chain = try row.next()
        category = try row.next()
        newest = try StoredPrice.ifAny(from: &row)
        earlier = try StoredPrice.ifAny(from: &row)
    }

    /// The columns that `init` reads, of product `d` and its row `m` of `product_price`.
    static let columns: SQL = """
        d.id, d.name, d.chain, d.category_id,
        m.store_id, d.chain, m.day, m.regular_thousandths, m.paid_thousandths, m.is_offer, m.unit, m.base_thousandths,
        m.base_unit, m.currency, NULL::uuid,
        m.earlier_store_id, d.chain, m.earlier_day, m.earlier_regular_thousandths, m.earlier_paid_thousandths,
        m.earlier_is_offer, m.earlier_unit, m.earlier_base_thousandths, m.earlier_base_unit, m.earlier_currency,
        NULL::uuid
        """

    /// Products `d` with their row `m` of `product_price`; the row is NULL for products that were never bought.
    static func source(_ products: SQL = "product d") -> SQL {
        """
        \(products)
        LEFT JOIN product_price m ON m.household_id = d.household_id AND m.product_id = d.id
        """
    }

    /// The change of the price; nil when the last purchase is more than `PriceChange.days` ago.
    ///
    /// - Parameter showsDay: whether to state the day of the earlier price.
    func change(_ days: DayText, showsDay: Bool = false) -> Change? {
        guard let newest, let earlier, newest.day > days.today.adding(days: -PriceChange.days) else { return nil }
        return Change(
            from: earlier, to: newest, of: id, days.language, since: showsDay ? days.short(earlier.day) : nil)
    }

    /// The values from which `MergeDoubt` decides whether two products can be the same.
    func mergeProperties(_ categories: Categories) -> MergeDoubt.Properties {
        MergeDoubt.Properties(
            category: category.map(categories.top), base: newest?.base ?? newest?.regular, sold: newest?.regular.unit,
            size: newest?.packageSize)
    }
}

/// Queries of the list of products.
struct ProductListQueries: Sendable {
    let database: Database
    let catalogues: HouseholdCatalogues
    let slowWork: SlowWork

    static let pageSize = 50
    /// The maximum number of products that a search finds.
    private static let maximumHits = 200

    struct Result: Sendable {
        /// The products of the page; if there is a next page, also the first product of that page.
        let products: [ListedProduct]
        let naming: Naming
        let categories: Categories
        /// The number of printed names that wait to be matched.
        let waiting: Int64
        /// Whether the household has products.
        let hasAny: Bool
        /// Whether no product matched exactly and the list shows products with similar names.
        var isCorrected = false
    }

    func list(_ filter: ProductFilter, _ member: Member) async throws -> Result {
        var found: [ProductID]?
        var isCorrected = false
        if !filter.search.isEmpty {
            let hits = try await search(filter.search, member.household)
            found = hits.map(\.id)
            // A lower score means that the best hit differs from the search text by at least a typing error.
            isCorrected = hits.first.map { $0.score < 0.66 } ?? false
        }
        let order = ProductPageOrder(filter, found, member.household)
        let rows = try await database.read(
            member.household,
            batch: [
                order.statement, Naming.query(member.household, where: Visibility.storeCondition(member)),
                Categories.query(member.household), WaitingNames.count(member),
                "SELECT EXISTS (SELECT 1 FROM product WHERE household_id = \(member.household))",
            ])
        var products: [ListedProduct] = try rows[0].decode()
        if order.hasRest, products.count <= Self.pageSize {
            products += try await rest(of: order, after: products.count, filter.skipped, member.household)
        }
        return Result(
            products: products, naming: try Naming(rows[1]), categories: try Categories(rows[2]),
            waiting: try rows[3].first(Int64.self) ?? 0, hasAny: try rows[4].first(Bool.self) ?? false,
            isCorrected: isCorrected)
    }

    /// Fills up a page with the products that `ProductPageOrder.rest` selects.
    ///
    /// - Parameters:
    ///   - shown: the number of products already on the page.
    ///   - skipped: the number of products on earlier pages.
    private func rest(
        of order: ProductPageOrder, after shown: Int, _ skipped: Int, _ household: HouseholdID
    ) async throws -> [ListedProduct] {
        var skippedRest = 0
        if shown == 0, skipped > 0 {
            let count = try await database.read(household, order.countBeforeRest).first(Int64.self) ?? 0
            skippedRest = max(0, skipped - Int(count))
        }
        return try await database.read(
            household, order.rest(skipping: skippedRest, limit: Self.pageSize + 1 - shown)
        ).decode()
    }

    /// Finds products whose name or printed names are similar to `text`, best match first.
    func search(
        _ text: String, _ household: HouseholdID, chain: String? = nil
    ) async throws -> [NameSearch<ProductID>.Hit] {
        try await search([text], household, chain: chain).first ?? []
    }

    /// Finds, for each text, the products with a similar name, best match first.
    func search(
        _ texts: [String], _ household: HouseholdID, chain: String? = nil
    ) async throws -> [[NameSearch<ProductID>.Hit]] {
        let catalogue = try await catalogues.load(household)
        return try await slowWork.run {
            texts.map { text in
                guard let chain else { return catalogue.names.find(text, limit: Self.maximumHits) }
                let ofChain = catalogue.names.find(text, limit: .max).lazy.filter {
                    catalogue.products[$0.id]?.chain == chain
                }
                return Array(ofChain.prefix(Self.maximumHits))
            }
        }
    }

    /// Loads the products with these identifiers, in the order of the identifiers.
    func products(_ ids: [ProductID], _ member: Member) async throws -> Result {
        let rows = try await database.read(
            member.household,
            batch: [
                """
                SELECT \(ListedProduct.columns)
                FROM unnest(\(ids)::uuid[]) WITH ORDINALITY AS f (id, place)
                JOIN product d ON d.household_id = \(member.household) AND d.id = f.id
                LEFT JOIN product_price m ON m.household_id = \(member.household) AND m.product_id = f.id
                ORDER BY f.place
                """,
                Naming.query(member.household), Categories.query(member.household),
            ])
        return Result(
            products: try rows[0].decode(), naming: try Naming(rows[1]), categories: try Categories(rows[2]),
            waiting: 0, hasAny: true)
    }
}
