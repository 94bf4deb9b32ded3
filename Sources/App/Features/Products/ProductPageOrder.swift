import Domain
import Postgres

/// The statements that select one page of the product list. Without a search, a statement reads an index in the order
/// of the list and stops when the page is full. Other tables are joined by LATERAL with LIMIT 1, so that the planner
/// always looks up their rows by primary key.
struct ProductPageOrder {
    private let filter: ProductFilter
    /// Search results, best first; nil without a search.
    private let found: [ProductID]?
    private let household: HouseholdID

    init(_ filter: ProductFilter, _ found: [ProductID]?, _ household: HouseholdID) {
        self.filter = filter
        self.found = found
        self.household = household
    }

    /// Limits the result to one product more than the page shows, so that the caller can tell whether there is a next
    /// page.
    private var limit: SQL { "LIMIT \(Int32(ProductListQueries.pageSize + 1)) OFFSET \(Int32(filter.skipped))" }

    /// A condition on the product `d`.
    private var condition: SQL {
        var parts: [SQL] = ["d.household_id = \(household)"]
        if let chain = filter.chain { parts.append("d.chain = \(chain)") }
        if let category = filter.category {
            parts.append(
                """
                d.category_id IN (
                    WITH RECURSIVE below AS (
                        SELECT \(category)::uuid AS id
                        UNION SELECT c.id FROM category c JOIN below ON c.parent_id = below.id
                        WHERE c.household_id = \(household))
                    SELECT id FROM below)
                """)
        }
        return parts.joined(separator: " AND ")
    }

    /// Selects the products of the page. In some orders, the products of `rest` follow; see `hasRest`.
    var statement: SQL {
        if let found {
            return """
                SELECT \(ListedProduct.columns)
                FROM unnest(\(found)::uuid[]) WITH ORDINALITY AS f (id, place)
                JOIN LATERAL (SELECT * FROM product d
                    WHERE d.household_id = \(household) AND d.id = f.id LIMIT 1) d ON true
                LEFT JOIN LATERAL (SELECT * FROM product_price m
                    WHERE m.household_id = \(household) AND m.product_id = f.id LIMIT 1) m ON true
                WHERE \(condition) ORDER BY f.place \(limit)
                """
        }
        switch filter.order {
        case .recent: return withPrices(orderedBy: "m.day DESC, m.product_id")
        case .name:
            return """
                SELECT \(ListedProduct.columns)
                FROM (SELECT * FROM product d WHERE \(condition) ORDER BY d.name, d.id \(limit)) d
                LEFT JOIN LATERAL (SELECT * FROM product_price m
                    WHERE m.household_id = \(household) AND m.product_id = d.id LIMIT 1) m ON true
                ORDER BY d.name, d.id
                """
        case .rise: return withPrices(orderedBy: "m.change_permille DESC, m.product_id")
        }
    }

    /// Whether the list also contains the products of `rest`, after those of `statement`.
    var hasRest: Bool { found == nil && filter.order != .name }

    /// A condition on the product `d` and its row `m` of `product_price`. `statement` selects the products that meet
    /// the condition; `rest` selects the others.
    private var isBeforeRest: SQL {
        guard filter.order == .rise else { return "m.product_id IS NOT NULL" }
        return """
            (m.day > \(WallClock.today().adding(days: -PriceChange.days)) AND m.change_permille IS NOT NULL)
            """
    }

    /// Selects the products of `statement`, ordered by columns of `product_price` that have an index.
    private func withPrices(orderedBy order: SQL) -> SQL {
        """
        SELECT \(ListedProduct.columns) FROM product_price m
        JOIN LATERAL (SELECT * FROM product d
            WHERE d.household_id = \(household) AND d.id = m.product_id LIMIT 1) d ON true
        WHERE m.household_id = \(household) AND \(isBeforeRest) AND \(condition)
        ORDER BY \(order) \(limit)
        """
    }

    /// Counts the products of `statement`, for orders with a `rest`.
    var countBeforeRest: SQL {
        """
        SELECT count(*) FROM product_price m
        JOIN product d ON d.household_id = m.household_id AND d.id = m.product_id
        WHERE m.household_id = \(household) AND \(isBeforeRest) AND \(condition)
        """
    }

    /// Selects the products that are not in `statement`, by name.
    func rest(skipping skipped: Int, limit: Int) -> SQL {
        """
        SELECT \(ListedProduct.columns) FROM product d
        LEFT JOIN LATERAL (SELECT * FROM product_price m
            WHERE m.household_id = \(household) AND m.product_id = d.id LIMIT 1) m ON true
        WHERE \(condition) AND \(isBeforeRest) IS NOT TRUE
        ORDER BY d.name, d.id LIMIT \(Int32(limit)) OFFSET \(Int32(skipped))
        """
    }
}
