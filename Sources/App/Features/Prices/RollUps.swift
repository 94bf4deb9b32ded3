import Domain
import Postgres

/// One row of `price_month`.
struct PriceBucket: Hashable {
    let product: ProductID
    /// The first day of the month.
    let month: LocalDate
}

/// Sums and means by month, recomputed from prices and booked receipts for the buckets that were touched.
enum RollUps {
    static func prices(_ buckets: [PriceBucket], _ household: HouseholdID) -> [SQL] {
        guard !buckets.isEmpty else { return [] }
        let products = buckets.map(\.product)
        let months = buckets.map(\.month)
        return [
            """
            DELETE FROM price_month m USING unnest(\(products)::uuid[], \(months)::date[]) AS b (product_id, month)
            WHERE m.household_id = \(household) AND m.product_id = b.product_id AND m.month = b.month
            """,
            """
            INSERT INTO price_month (household_id, product_id, month, observations, mean_regular_thousandths,
                lowest_regular_thousandths, highest_regular_thousandths, quantity_thousandths)
            SELECT p.household_id, b.product_id, b.month, count(*),
                div(2 * sum(p.regular_thousandths) + count(*), 2 * count(*)),
                min(p.regular_thousandths), max(p.regular_thousandths), sum(p.quantity_thousandths)
            FROM unnest(\(products)::uuid[], \(months)::date[]) AS b (product_id, month)
            JOIN price p ON p.household_id = \(household) AND p.product_id = b.product_id AND p.day >= b.month
                AND p.day < (b.month + interval '1 month')::date
            GROUP BY p.household_id, b.product_id, b.month
            """,
        ]
    }

    /// Sums by category: a line's own, else its product's; a discount's is that of its item, deposits have their own.
    /// What a receipt's lines leave of its total has none, so that the sums are what was paid.
    ///
    /// Receipts in another currency than the household's are not added.
    static func spending(_ months: [LocalDate], _ household: HouseholdID) -> [SQL] {
        guard !months.isEmpty else { return [] }
        return [
            "DELETE FROM spending_month WHERE household_id = \(household) AND month = ANY(\(months))",
            """
            INSERT INTO spending_month (household_id, month, category_id, amount_minor)
            SELECT \(household), s.booked_month, s.category_id, sum(s.amount_minor)
            FROM \(amounts(months, household)) s GROUP BY 2, 3
            """,
        ]
    }

    /// What receipt `r` comes to: its total, else the sum of its lines; nothing where it has neither. Its `amounts` make it up.
    static let total: SQL = """
        coalesce(r.total_minor, (SELECT sum(a.total_minor)::bigint FROM receipt_line a
            WHERE a.household_id = r.household_id AND a.receipt_id = r.id))
        """

    /// What was spent in these months, a row for each booked line and each rest: `booked_month`, `purchase_day`,
    /// `category_id` (the nil id where there is none), `amount_minor`.
    ///
    /// - Parameter member: counts their own gifts too, which are booked for nobody yet.
    static func amounts(_ months: [LocalDate], _ household: HouseholdID, seenBy member: Member? = nil) -> SQL {
        let isSpent = isSpent(months, household, seenBy: member)
        let month: SQL = "coalesce(r.booked_month, \(purchaseMonth))"
        return """
            (SELECT \(month) AS booked_month, r.purchase_day, \(category(household)) AS category_id, l.total_minor AS amount_minor
                FROM \(lines) WHERE \(isSpent)
            UNION ALL
            SELECT \(month), r.purchase_day, '00000000-0000-0000-0000-000000000000'::uuid,
                r.total_minor - coalesce(sum(l.total_minor), 0)
                FROM receipt r
                JOIN household h ON h.id = r.household_id AND h.currency = r.currency
                LEFT JOIN receipt_line l ON l.household_id = r.household_id AND l.receipt_id = r.id
                WHERE \(isSpent) AND r.total_minor IS NOT NULL
                GROUP BY r.household_id, r.id HAVING r.total_minor <> coalesce(sum(l.total_minor), 0))
            """
    }

    private static let purchaseMonth: SQL = "date_trunc('month', r.purchase_day)::date"

    /// Whether receipt `r` counts in these months.
    private static func isSpent(_ months: [LocalDate], _ household: HouseholdID, seenBy member: Member?) -> SQL {
        let gifts: SQL =
            member.map { " OR (\(Visibility.isOwnGift($0)) AND \(purchaseMonth) = ANY(\(months)))" } ?? ""
        return "r.household_id = \(household) AND (r.booked_month = ANY(\(months))\(gifts))"
    }

    /// What was spent in a month beside its `amounts`: other currencies than the household's, each with its sum.
    static func abroad(_ month: LocalDate, _ household: HouseholdID, seenBy member: Member) -> SQL {
        """
        SELECT r.currency, sum(\(total))::bigint FROM receipt r
        JOIN household h ON h.id = r.household_id AND h.currency <> r.currency
        WHERE \(isSpent([month], household, seenBy: member))
        GROUP BY 1 HAVING sum(\(total)) IS NOT NULL ORDER BY 1
        """
    }

    /// Booked lines `l` of receipts `r` with what tells their category.
    private static let lines: SQL = """
        receipt r
        JOIN household h ON h.id = r.household_id AND h.currency = r.currency
        JOIN receipt_line l ON l.household_id = r.household_id AND l.receipt_id = r.id
        \(categorySource)
        """

    /// What tells the category of a line `l`.
    static let categorySource: SQL = """
        LEFT JOIN product d ON d.household_id = l.household_id AND d.id = l.product_id
        LEFT JOIN receipt_line bl ON bl.household_id = l.household_id AND bl.id = l.bound_line_id AND l.kind = 'discount'
        LEFT JOIN product bd ON bd.household_id = bl.household_id AND bd.id = bl.product_id
        """

    /// The category of a line `l`, with its product `d`, and a discount's item `bl` with `bd`; the nil id where there is none.
    static func category(_ household: HouseholdID) -> SQL {
        """
        coalesce(l.category_id, d.category_id, bl.category_id, bd.category_id,
            CASE WHEN l.kind IN ('deposit', 'deposit_return') THEN (SELECT c.id FROM category c
                WHERE c.household_id = \(household) AND c.key = 'deposit' ORDER BY c.id LIMIT 1) END,
            '00000000-0000-0000-0000-000000000000'::uuid)
        """
    }
}
