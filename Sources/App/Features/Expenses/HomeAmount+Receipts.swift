import Domain
import Postgres

/// Amounts of receipts in the household's currency. The expressions refer to the receipt `r`, the household `h` and the
/// factor `f`.
///
/// The amounts of the lines add up to the amount of the receipt. For each line, two sums are converted: the sum of the
/// lines before this line, and the same sum including this line. The line gets the difference.
extension HomeAmount {
    /// A table expression with at most one row: the converted amount is the amount of the receipt times `num` divided
    /// by `den`. It has no row if no rate is known. `LIMIT` tells the planner the maximum number of rows.
    static let factor: SQL = """
        LATERAL (SELECT 1::numeric AS num, 1::numeric AS den WHERE r.currency = h.currency
            UNION ALL
            SELECT v.num, v.den FROM (
                SELECT (SELECT x.stated_minor FROM expense x WHERE x.household_id = r.household_id
                        AND x.receipt_id = r.id AND x.stated_currency = h.currency) AS stated,
                    abs(\(RollUps.total)) AS size
                WHERE r.currency <> h.currency) t
            CROSS JOIN LATERAL (
                SELECT t.stated::numeric AS num, t.size::numeric AS den WHERE t.stated IS NOT NULL AND t.size > 0
                UNION ALL
                SELECT home.rate * 100, own.rate * power(10::numeric, own.digits)
                FROM \(rate("r.currency", on: "r.purchase_day")) own, \(rate("h.currency", on: "r.purchase_day")) home
                WHERE t.stated IS NULL OR t.size = 0 OR t.size IS NULL) v
            LIMIT 1)
        """

    /// The converted amount of an expression for an amount of the receipt.
    static func converted(_ amount: SQL) -> SQL {
        "(CASE WHEN r.currency = h.currency THEN \(amount) ELSE \(scaled(amount))::bigint END)"
    }

    /// The converted amount of the receipt without its sign; NULL if no rate is known.
    static let magnitude: SQL = """
        (CASE WHEN r.currency = h.currency THEN abs(\(RollUps.total))
            ELSE (SELECT abs(\(converted(RollUps.total))) FROM \(factor) f) END)
        """

    /// The converted amount of the line `l`.
    static let line: SQL = """
        (CASE WHEN r.currency = h.currency THEN l.total_minor ELSE (
            SELECT \(scaled("(b.sum + l.total_minor)")) - \(scaled("b.sum"))
            FROM (SELECT coalesce(sum(a.total_minor), 0)::bigint AS sum FROM receipt_line a
                WHERE a.household_id = r.household_id AND a.receipt_id = r.id
                    AND (a.position, a.id) < (l.position, l.id)) b)::bigint END)
        """

    /// The converted difference between the total of the receipt and an expression for the sum of its lines.
    static func difference(from sum: SQL) -> SQL {
        """
        (CASE WHEN r.currency = h.currency THEN r.total_minor - \(sum)
            ELSE (\(scaled("r.total_minor")) - \(scaled(sum)))::bigint END)
        """
    }

    /// A condition: no rate is known for the receipt.
    static let isMissing: SQL = "NOT EXISTS (SELECT 1 FROM \(factor) f)"

    private static func scaled(_ amount: SQL) -> SQL { "round(\(amount)::numeric * f.num / f.den)" }
}
