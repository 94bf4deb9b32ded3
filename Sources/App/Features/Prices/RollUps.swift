import Domain
import Postgres

/// A product in a store: the key of a row of `store_price`.
struct ProductStoreKey: Hashable {
    let product: ProductID
    let store: StoreID
}

/// Statements that write the tables of newest prices and of sums, which pages read instead of all prices and receipts.
/// A transaction recomputes only the rows that it affects.
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

    /// Writes the newest price of each product, and the earlier price that it is compared with.
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

    /// Selects the price that the latest price `n` of product `t` is compared with, as in `PriceChange.changes`.
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

    /// Recomputes all sums of these months: the spending by day and category, the expenses and the balances.
    ///
    /// The amount of a line is added to the line's category, else to that of its product. A discount without a category
    /// is added to the category of the discounted item, and a deposit to the category of deposits. The difference
    /// between a receipt's total and its lines has no category, so the sums add up to the amounts paid. Receipts in
    /// other currencies are converted; those without a known exchange rate are left out.
    static func spending(_ months: [LocalDate], _ household: HouseholdID) -> [SQL] {
        guard !months.isEmpty else { return [] }
        return [
            """
            DELETE FROM spending_day d WHERE d.household_id = \(household) AND d.day = ANY(ARRAY(
                SELECT generate_series(t.month, t.month + interval '1 month - 1 day', interval '1 day')::date
                FROM unnest(\(months)::date[]) AS t (month)))
            """,
            "DELETE FROM spending_month WHERE household_id = \(household) AND month = ANY(\(months))",
            """
            INSERT INTO spending_day (household_id, day, category_id, amount_minor)
            SELECT \(household), s.purchase_day, s.category_id, sum(s.amount_minor)
            FROM \(amounts(months, household)) s GROUP BY 2, 3
            """,
            """
            INSERT INTO spending_month (household_id, month, category_id, amount_minor)
            SELECT \(household), t.month, d.category_id, sum(d.amount_minor)
            FROM unnest(\(months)::date[]) AS t (month)
            CROSS JOIN LATERAL (SELECT * FROM spending_day d WHERE d.household_id = \(household) AND d.day >= t.month
                AND d.day < (t.month + interval '1 month')::date OFFSET 0) d
            GROUP BY 2, 3
            """,
        ] + ExpenseSums.statements(months: months, household)
    }

    /// Adds receipts that count and that the sums do not contain yet.
    ///
    /// - Parameter months: the months in which they count.
    static func spending(adding receipts: [ReceiptID], months: [LocalDate], _ household: HouseholdID) -> [SQL] {
        guard !receipts.isEmpty else { return [] }
        let source = ReceiptSource.receipts(receipts, household)
        return [
            """
            WITH added AS MATERIALIZED (
                SELECT s.purchase_day AS day, s.category_id, sum(s.amount_minor)::bigint AS amount
                FROM \(amounts(household, of: source, where: "r.booked_month IS NOT NULL")) s GROUP BY 1, 2),
            days AS (
                INSERT INTO spending_day AS d (household_id, day, category_id, amount_minor)
                SELECT \(household), day, category_id, amount FROM added
                ON CONFLICT (household_id, day, category_id) DO UPDATE
                SET amount_minor = d.amount_minor + excluded.amount_minor)
            INSERT INTO spending_month AS m (household_id, month, category_id, amount_minor)
            SELECT \(household), date_trunc('month', day)::date, category_id, sum(amount) FROM added GROUP BY 2, 3
            ON CONFLICT (household_id, month, category_id) DO UPDATE
            SET amount_minor = m.amount_minor + excluded.amount_minor
            """,
            ExpenseSums.adding(receipts, household),
        ] + BalanceSums.statements(months: months, household)
    }

    /// An SQL expression: the total of receipt `r`, or the sum of its lines if it has no total; NULL if it has neither.
    /// Equals the sum of its `amounts`.
    static let total: SQL = """
        coalesce(r.total_minor, (SELECT sum(a.total_minor)::bigint FROM receipt_line a
            WHERE a.household_id = r.household_id AND a.receipt_id = r.id))
        """

    /// The spending of these months, with a row for each line and for each difference to a total: `purchase_day`,
    /// `category_id` (the nil identifier when there is none), `amount_minor`.
    static func amounts(_ months: [LocalDate], _ household: HouseholdID) -> SQL {
        amounts(household, of: "receipt r", where: "r.household_id = \(household) AND r.booked_month = ANY(\(months))")
    }

    /// The spending of a member's own gifts in a range of days, in the columns of `amounts`. A gift is a receipt that
    /// is hidden from the other members until a date. Until then it is not in the sums of the household.
    static func giftAmounts(_ days: Range<LocalDate>, seenBy member: Member) -> SQL {
        amounts(
            member.household, of: "\(gifts(seenBy: member)) r",
            where: "r.purchase_day >= \(days.lowerBound) AND r.purchase_day < \(days.upperBound)")
    }

    private static func amounts(_ household: HouseholdID, of receipts: SQL, where isSpent: SQL) -> SQL {
        """
        (SELECT r.purchase_day, \(category(household)) AS category_id, \(HomeAmount.line) AS amount_minor
            FROM \(receipts)
            JOIN household h ON h.id = r.household_id
            CROSS JOIN \(HomeAmount.factor) f
            JOIN receipt_line l ON l.household_id = r.household_id AND l.receipt_id = r.id
            \(categoryLookup(household))
            WHERE \(isSpent)
        UNION ALL
        SELECT r.purchase_day, '00000000-0000-0000-0000-000000000000'::uuid,
                \(HomeAmount.difference(from: "t.total"))
            FROM \(receipts)
            JOIN household h ON h.id = r.household_id
            CROSS JOIN \(HomeAmount.factor) f
            CROSS JOIN LATERAL (SELECT coalesce(sum(a.total_minor), 0)::bigint AS total FROM receipt_line a
                WHERE a.household_id = r.household_id AND a.receipt_id = r.id) t
            WHERE \(isSpent) AND r.total_minor <> t.total)
        """
    }

    /// Selects a member's own receipts that are still hidden from the others. Uses the index of hidden receipts.
    private static func gifts(seenBy member: Member) -> SQL {
        """
        (SELECT * FROM receipt r WHERE r.household_id = \(member.household) AND r.booked_month IS NULL
            AND \(Visibility.isOwnGift(member)) OFFSET 0)
        """
    }

    /// Spending of a month for which no exchange rate is known, by currency.
    static func abroad(_ month: Month, seenBy member: Member) -> SQL {
        let household = member.household
        let (first, next) = (month.firstDay, month.next.firstDay)
        return """
            SELECT r.currency, sum(\(total))::bigint
            FROM (SELECT * FROM receipt r WHERE r.household_id = \(household) AND r.booked_month = \(first)
                UNION ALL
                SELECT * FROM \(gifts(seenBy: member)) g WHERE g.purchase_day >= \(first) AND g.purchase_day < \(next)) r
            JOIN household h ON h.id = r.household_id AND h.currency <> r.currency
            WHERE \(HomeAmount.isMissing)
            GROUP BY 1 HAVING sum(\(total)) IS NOT NULL ORDER BY 1
            """
    }
}
