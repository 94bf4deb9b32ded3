import Domain
import Postgres

/// A product in a store: the key of a row of `store_price`.
struct ProductStoreKey: Hashable {
    let product: ProductID
    let store: StoreID
}

/// Statements that write the tables of newest prices and of sums. Pages read these tables, because reading all prices
/// and receipts is slow. A transaction recomputes only the rows that it affects.
enum RollUps {
    /// Recomputes `store_price` for these product-store pairs and `product_price` for their products.
    ///
    /// - Parameter mayBeEmpty: the pairs that may have no price any more.
    static func prices(_ pairs: [ProductStoreKey], mayBeEmpty: [ProductStoreKey], _ household: HouseholdID) -> [SQL] {
        guard !pairs.isEmpty else { return [] }
        func source(_ pairs: [ProductStoreKey]) -> SQL {
            """
            unnest(\(pairs.map(\.product))::uuid[], \(pairs.map(\.store))::uuid[]) AS t (product_id, store_id)
            """
        }
        let products = Set(pairs.map(\.product)).sorted()
        var statements: [SQL] = []
        if !mayBeEmpty.isEmpty { statements.append(deletingUnpriced(source(mayBeEmpty), household)) }
        statements.append(newest(source(pairs), household))
        if !mayBeEmpty.isEmpty {
            statements.append(deletingUnpriced(Set(mayBeEmpty.map(\.product)).sorted(), household))
        }
        return statements + [newest(products, household)]
    }

    /// Recomputes both tables for these products in all stores.
    static func prices(of products: [ProductID], _ household: HouseholdID) -> [SQL] {
        let source: SQL = """
            (SELECT product_id, store_id FROM price
                WHERE household_id = \(household) AND product_id = ANY(\(products))
            UNION SELECT product_id, store_id FROM store_price
                WHERE household_id = \(household) AND product_id = ANY(\(products))) AS t
            """
        return [
            deletingUnpriced(source, household), newest(source, household), deletingUnpriced(products, household),
            newest(products, household),
        ]
    }

    /// Deletes the rows of pairs without a price.
    ///
    /// - Parameter pairs: distinct pairs as a source `t` of `product_id`, `store_id`.
    private static func deletingUnpriced(_ pairs: SQL, _ household: HouseholdID) -> SQL {
        """
        DELETE FROM store_price m USING \(pairs)
        WHERE m.household_id = \(household) AND m.product_id = t.product_id AND m.store_id = t.store_id
            AND NOT EXISTS (SELECT 1 FROM price q WHERE q.household_id = \(household)
                AND q.product_id = t.product_id AND q.store_id = t.store_id)
        """
    }

    /// Writes the newest price of each pair.
    ///
    /// - Parameter pairs: distinct pairs as a source `t` of `product_id`, `store_id`.
    private static func newest(_ pairs: SQL, _ household: HouseholdID) -> SQL {
        """
        INSERT INTO store_price AS m (household_id, product_id, store_id, price_id, \(columns))
        SELECT \(household), t.product_id, t.store_id, n.* FROM \(pairs)
        CROSS JOIN LATERAL (
            SELECT q.id, \(columns("q.")) FROM price q WHERE q.household_id = \(household)
                AND q.product_id = t.product_id AND q.store_id = t.store_id
            ORDER BY \(PriceOrder.newestFirst("q")) LIMIT 1) n
        ON CONFLICT (household_id, product_id, store_id) DO UPDATE
        SET (price_id, \(columns)) = (SELECT excluded.price_id, \(columns("excluded.")))
        WHERE m IS DISTINCT FROM excluded
        """
    }

    /// Deletes the rows of products without a price.
    private static func deletingUnpriced(_ products: [ProductID], _ household: HouseholdID) -> SQL {
        """
        DELETE FROM product_price m WHERE m.household_id = \(household) AND m.product_id = ANY(\(products))
            AND NOT EXISTS (SELECT 1 FROM store_price q
                WHERE q.household_id = \(household) AND q.product_id = m.product_id)
        """
    }

    /// Writes the newest price of each product, and the earlier price for the comparison with it.
    private static func newest(_ products: [ProductID], _ household: HouseholdID) -> SQL {
        """
        INSERT INTO product_price AS m (household_id, product_id, store_id, \(columns),
            earlier_store_id, \(earlierColumns), change_permille)
        SELECT \(household), t.product_id, n.store_id, \(columns("n.")), e.store_id, \(columns("e.")), \(permille)
        FROM unnest(\(products)::uuid[]) AS t (product_id)
        CROSS JOIN LATERAL (
            SELECT q.*, s.chain FROM store_price q
            JOIN store s ON s.household_id = q.household_id AND s.id = q.store_id
            WHERE q.household_id = \(household) AND q.product_id = t.product_id
            ORDER BY q.day DESC, q.regular_thousandths DESC, q.price_id DESC LIMIT 1) n
        LEFT JOIN LATERAL (\(earlier(household))) e ON true
        ON CONFLICT (household_id, product_id) DO UPDATE
        SET (store_id, \(columns), earlier_store_id, \(earlierColumns), change_permille) = (SELECT
            excluded.store_id, \(columns("excluded.")), excluded.earlier_store_id, \(columns("excluded.earlier_")),
            excluded.change_permille)
        WHERE m IS DISTINCT FROM excluded
        """
    }

    /// The columns of a price in the roll-ups.
    private static let columnNames: [SQL] = [
        "day", "regular_thousandths", "paid_thousandths", "is_offer", "unit", "base_thousandths", "base_unit",
        "currency",
    ]
    private static let columns = columnNames.joined(separator: ", ")
    private static let earlierColumns = columns("earlier_")

    private static func columns(_ prefix: SQL) -> SQL { columnNames.map { "\(prefix)\($0)" }.joined(separator: ", ") }

    /// Selects the earlier price for the comparison with the latest price `n` of product `t`, as in
    /// `PriceChange.changes`.
    private static func earlier(_ household: HouseholdID) -> SQL {
        let price: SQL = """
            SELECT q.store_id, q.id, \(columns("q.")) FROM price q
            JOIN store s ON s.household_id = q.household_id AND s.id = q.store_id
            WHERE q.household_id = \(household) AND q.product_id = t.product_id AND s.chain = n.chain
                AND q.currency = n.currency
            """
        let days = Int32(PriceChange.days)
        return """
            SELECT * FROM (
                (\(price) AND q.day <= n.day - \(days) AND q.day >= n.day - \(Int32(PriceChange.maximumDaysBetween))
                 ORDER BY \(PriceOrder.newestFirst("q")) LIMIT 1)
                UNION ALL
                (\(price) AND q.day > n.day - \(days) AND q.day < n.day
                 ORDER BY \(PriceOrder.oldestFirst("q")) LIMIT 1)) c
            ORDER BY c.day LIMIT 1
            """
    }

    /// The price change from `e` to `n` in tenths of a percent, as in `PriceChange.shownPermille`; NULL when it is zero
    /// or undefined.
    private static let permille: SQL = """
        CASE WHEN n.unit = e.unit AND n.currency = e.currency AND e.regular_thousandths > 0 THEN nullif(
            CASE WHEN n.base_unit = e.base_unit AND e.base_thousandths > 0
                AND 2 * abs(e.regular_thousandths::numeric * n.base_thousandths
                    - n.regular_thousandths::numeric * e.base_thousandths)
                    > e.regular_thousandths + n.regular_thousandths
                THEN round(1000 * (n.base_thousandths - e.base_thousandths)::numeric / e.base_thousandths)
                ELSE round(1000 * (n.regular_thousandths - e.regular_thousandths)::numeric / e.regular_thousandths)
            END, 0)::bigint END
        """
}
