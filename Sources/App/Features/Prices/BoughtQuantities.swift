import Domain
import Postgres

/// The quantities that a household bought and kept: returned items are subtracted.
enum BoughtQuantities {
    /// The purchase of a returned item is searched in this number of days before the return.
    private static let maximumDays: Int32 = 365

    /// A table expression with some columns of `price` for the period after `start` until `end`. It contains the prices
    /// of the period, and a row with a negative quantity for each returned item that was bought in the period. Items
    /// bought before the period are left out, because their purchases are not in the sums.
    static func source(_ household: HouseholdID, after start: LocalDate, until end: LocalDate) -> SQL {
        """
        (SELECT q.product_id, q.store_id, q.day, q.base_unit, q.base_thousandths, q.regular_thousandths,
            q.quantity_thousandths, q.currency
        FROM price q WHERE q.household_id = \(household) AND q.day > \(start) AND q.day <= \(end)
        UNION ALL
        SELECT l.product_id, b.store_id, r.purchase_day, b.base_unit, b.base_thousandths, b.regular_thousandths,
            -abs(l.quantity_thousandths), b.currency
        FROM receipt_line l
        JOIN receipt r ON r.household_id = l.household_id AND r.id = l.receipt_id
        CROSS JOIN LATERAL (SELECT q.* FROM price q
            WHERE q.household_id = l.household_id AND q.product_id = l.product_id AND q.unit = l.unit
                AND q.currency = r.currency AND q.day <= r.purchase_day AND q.day > r.purchase_day - \(maximumDays)
            ORDER BY abs(div(1000000::numeric * l.total_minor, l.quantity_thousandths))
                NOT IN (q.paid_thousandths, q.regular_thousandths), \(PriceOrder.newestFirst("q")) LIMIT 1) b
        WHERE l.household_id = \(household) AND l.kind = 'item' AND l.total_minor < 0 AND l.quantity_thousandths <> 0
            AND r.booked_month IS NOT NULL AND r.purchase_day > \(start) AND r.purchase_day <= \(end)
            AND b.day > \(start)
        OFFSET 0)
        """
    }
}
