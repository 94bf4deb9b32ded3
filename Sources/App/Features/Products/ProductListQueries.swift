import Domain
import Postgres

/// A product with its newest price and the one that is compared with.
struct ListedProduct: Sendable, RowDecodable {
    let id: ProductID
    let name: String
    let chain: String
    let category: CategoryID?
    let newest: StoredPrice?
    /// The last price from before the days that are looked at, a year before the newest at most, else the first in
    /// them; nothing when the newest is older.
    let earlier: StoredPrice?

    init(from row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        name = try row.next()
        chain = try row.next()
        category = try row.next()
        newest = try StoredPrice.ifAny(from: &row)
        earlier = try StoredPrice.ifAny(from: &row)
    }

    /// The columns that `init` reads.
    static let columns: SQL = """
        d.id, d.name, d.chain, d.category_id,
        p.store_id, p.chain, p.day, p.regular_thousandths, p.paid_thousandths, p.is_offer, p.unit, p.base_thousandths,
        p.base_unit, p.currency, p.receipt_id,
        e.store_id, e.chain, e.day, e.regular_thousandths, e.paid_thousandths, e.is_offer, e.unit, e.base_thousandths,
        e.base_unit, e.currency, e.receipt_id
        """

    /// Products `d` with their newest price `p` and the price `e` of the same chain that it is compared with.
    ///
    /// - Parameter products: some of them, as `d`: each costs three look-ups.
    static func source(_ products: SQL = "product d", since start: LocalDate, until today: LocalDate) -> SQL {
        """
        \(products)
        LEFT JOIN LATERAL (
            SELECT q.*, s.chain FROM price q JOIN store s ON s.household_id = q.household_id AND s.id = q.store_id
            WHERE q.household_id = d.household_id AND q.product_id = d.id AND q.day <= \(today)
            ORDER BY \(PriceOrder.newestFirst("q")) LIMIT 1) p ON true
        LEFT JOIN LATERAL (
            SELECT * FROM (
                (SELECT q.*, s.chain FROM price q JOIN store s ON s.household_id = q.household_id AND s.id = q.store_id
                 WHERE q.household_id = d.household_id AND q.product_id = d.id AND q.day <= \(start)
                    AND q.day >= p.day - \(Int32(PriceChange.reach)) AND s.chain = p.chain
                 ORDER BY \(PriceOrder.newestFirst("q")) LIMIT 1)
                UNION ALL
                (SELECT q.*, s.chain FROM price q JOIN store s ON s.household_id = q.household_id AND s.id = q.store_id
                 WHERE q.household_id = d.household_id AND q.product_id = d.id AND q.day > \(start)
                    AND q.day < p.day AND s.chain = p.chain
                 ORDER BY \(PriceOrder.oldestFirst("q")) LIMIT 1)) candidates
            WHERE p.day > \(start) ORDER BY day LIMIT 1) e ON true
        """
    }
}

extension ListedProduct {
    /// What tells whether two products can be one good.
    func goods(_ categories: Categories) -> MergeDoubt.Goods {
        MergeDoubt.Goods(
            category: category.map(categories.top), base: newest?.base ?? newest?.regular, sold: newest?.regular.unit,
            size: newest?.packageSize)
    }
}

extension ListedProduct {
    /// The products `d` that were bought after a day: only their prices can have moved since.
    static func bought(_ household: HouseholdID, after start: LocalDate) -> SQL {
        """
        (SELECT b.* FROM product b WHERE b.household_id = \(household) AND b.id IN (
            SELECT q.product_id FROM price q WHERE q.household_id = \(household) AND q.day > \(start))) d
        """
    }
}

/// What the list of products asks.
struct ProductListQueries: Sendable {
    let database: Database
    let slowWork: SlowWork

    static let pageSize = 50
    /// Names that are searched; more would be a wholesaler's list.
    static let mostNames: Int32 = 40_000

    struct Result: Sendable {
        /// One more than shown when there are further ones.
        let products: [ListedProduct]
        let naming: Naming
        let categories: Categories
        let waiting: Int64
        let hasAny: Bool
        /// Whether only similar names were found.
        var isCorrected = false
    }

    func list(_ filter: ProductFilter, _ member: Member) async throws -> Result {
        var found: [ProductID]?
        var isCorrected = false
        if !filter.search.isEmpty {
            let hits = try await search(filter.search, member.household)
            found = hits.map(\.id)
            // A slip costs more than half of a word's likeness.
            isCorrected = hits.first.map { $0.score < 0.66 } ?? false
        }
        let rows = try await database.read(
            member.household,
            batch: [
                statement(filter, found, member),
                Naming.query(member.household, where: Visibility.storeCondition(member)),
                Categories.query(member.household), WaitingNames.count(member),
                "SELECT EXISTS (SELECT 1 FROM product WHERE household_id = \(member.household))",
            ])
        return Result(
            products: try rows[0].decode(), naming: try Naming(rows[1]), categories: try Categories(rows[2]),
            waiting: try rows[3].first(Int64.self) ?? 0, hasAny: try rows[4].first(Bool.self) ?? false,
            isCorrected: isCorrected)
    }

    /// Products whose name or printed names are like `text`, best first.
    func search(
        _ text: String, _ household: HouseholdID, chain: String? = nil
    ) async throws -> [NameSearch<ProductID>.Hit] {
        try await search([text], household, chain: chain).first ?? []
    }

    /// For each text the products that are called like it, best first: the names are read once for all of them.
    func search(
        _ texts: [String], _ household: HouseholdID, chain: String? = nil
    ) async throws -> [[NameSearch<ProductID>.Hit]] {
        // A printed name without its product is not there; only which chain's it is has to be asked.
        let ofChain: SQL = chain.map { "AND d.chain = \($0)" } ?? ""
        let printed: SQL =
            chain == nil
            ? "SELECT a.product_id, a.printed_name FROM product_alias a WHERE a.household_id = \(household)"
            : """
            SELECT a.product_id, a.printed_name FROM product_alias a
            JOIN product d ON d.household_id = a.household_id AND d.id = a.product_id
            WHERE a.household_id = \(household) \(ofChain)
            """
        let names = try await database.read(
            household,
            """
            SELECT d.id, d.name FROM product d WHERE d.household_id = \(household) \(ofChain)
            UNION ALL \(printed)
            LIMIT \(Self.mostNames)
            """
        )
        return try await slowWork.run {
            let names = try names.decode((ProductID, String).self)
            let search = NameSearch(names.lazy.map { (id: $0.0, name: $0.1) })
            return texts.map { search.find($0, limit: 200) }
        }
    }

    /// These products in this order.
    func products(_ ids: [ProductID], _ member: Member) async throws -> Result {
        let today = WallClock.today()
        let rows = try await database.read(
            member.household,
            batch: [
                """
                SELECT \(ListedProduct.columns)
                FROM \(ListedProduct.source(since: today.adding(days: -PriceChange.days), until: today))
                WHERE d.household_id = \(member.household) AND d.id = ANY(\(ids))
                ORDER BY array_position(\(ids), d.id)
                """,
                Naming.query(member.household), Categories.query(member.household),
            ])
        return Result(
            products: try rows[0].decode(), naming: try Naming(rows[1]), categories: try Categories(rows[2]),
            waiting: 0, hasAny: true)
    }

    private func statement(_ filter: ProductFilter, _ found: [ProductID]?, _ member: Member) -> SQL {
        let today = WallClock.today()
        var conditions: [SQL] = ["d.household_id = \(member.household)"]
        if let found { conditions.append("d.id = ANY(\(found))") }
        if let chain = filter.chain { conditions.append("d.chain = \(chain)") }
        if let category = filter.category {
            conditions.append(
                """
                d.category_id IN (
                    WITH RECURSIVE below AS (
                        SELECT \(category)::uuid AS id
                        UNION SELECT c.id FROM category c JOIN below ON c.parent_id = below.id
                        WHERE c.household_id = \(member.household))
                    SELECT id FROM below)
                """)
        }
        let start = today.adding(days: -PriceChange.days)
        // The page is chosen first: a household that took years over has thousands of products.
        let page: SQL = """
            (SELECT d.*, n.rank FROM product d
            LEFT JOIN (\(ranks(filter.order, found, member, start, today))) n (product_id, rank) ON n.product_id = d.id
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY n.rank DESC NULLS LAST, d.name, d.id
            LIMIT \(Int32(Self.pageSize + 1)) OFFSET \(Int32(filter.skipped))) d
            """
        return """
            SELECT \(ListedProduct.columns) FROM \(ListedProduct.source(page, since: start, until: today))
            ORDER BY d.rank DESC NULLS LAST, d.name, d.id
            """
    }

    /// Products with what the list is ordered by, the highest first; those left out follow by name.
    private func ranks(
        _ order: ProductFilter.Order, _ found: [ProductID]?, _ member: Member, _ start: LocalDate, _ today: LocalDate
    ) -> SQL {
        let household = member.household
        switch order {
        case .recent:
            if let found { return "SELECT f.id, -f.place FROM unnest(\(found)) WITH ORDINALITY AS f (id, place)" }
            return """
                SELECT q.product_id, max(q.day) FROM price q WHERE q.household_id = \(household) AND q.day <= \(today)
                GROUP BY 1
                """
        case .name: return "SELECT NULL::uuid, NULL::integer WHERE false"
        case .rise:
            let bought = ListedProduct.bought(household, after: start)
            return """
                SELECT d.id, p.base_thousandths::numeric / nullif(e.base_thousandths, 0)
                FROM \(ListedProduct.source(bought, since: start, until: today))
                """
        }
    }
}
