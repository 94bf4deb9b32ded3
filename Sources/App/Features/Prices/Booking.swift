import Domain
import Postgres

/// Writes prices and roll-ups of confirmed receipts, and removes those of other receipts.
///
/// Idempotent: the result depends only on what is stored.
enum Booking {
    /// Up to this many receipts are booked with nested loops.
    private static let fewReceipts = 20

    /// Books `receipts` as they are in this transaction.
    ///
    /// Lines without a product are bound where their printed name is an exact alias at the receipt's chain. A receipt's
    /// prices are written anew, and the months of prices and spending that it touched before or touches now are
    /// recomputed. Receipts that are no longer confirmed lose their prices. Gifts whose day has come are booked too.
    static func rebook(_ receipts: [ReceiptID], _ changes: HouseholdTransaction) async throws {
        let scope = BookingScope(household: changes.household, receipts: receipts, today: WallClock.today())
        if receipts.count > fewReceipts {
            // After an import the planner's statistics lack the household: it expects one row and would scan all
            // lines once per receipt. Hash joins do not depend on that estimate. The penalty on unavoidable nested
            // loops must not start JIT compilation.
            try await changes.query(
                "SELECT set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)")
        }
        let rows = try await changes.query(batch: [
            scope.months, scope.binding, scope.removal, scope.observations, scope.marking,
        ])
        let bound = try rows[1].decode(ReceiptID.self)
        var months: Set<LocalDate> = []
        for (before, now) in try rows[0].decode((LocalDate?, LocalDate?).self) {
            months.formUnion([before, now].compactMap { $0 })
        }
        func places(_ rows: Rows) throws -> Set<ShelfPlace> {
            Set(try rows.decode((ProductID, StoreID).self).map { ShelfPlace(product: $0.0, store: $0.1) })
        }
        let (left, priced) = (try places(rows[2]), try places(rows[3]))
        var statements = RollUps.prices(
            Array(left.union(priced)), mayBeEmpty: Array(left.subtracting(priced)), changes.household)
        statements += RollUps.spending(Array(months), changes.household)
        if !bound.isEmpty {
            let receipts = Set(bound).sorted()
            statements.append(
                """
                UPDATE receipt SET revision = revision + 1
                WHERE household_id = \(changes.household) AND id = ANY(\(receipts))
                """)
            changes.changed(.receipt, receipts)
        }
        guard !statements.isEmpty else { return }
        try await changes.query(batch: statements)
    }

    /// Books every receipt that has a line of one of `products`.
    static func rebook(linesOf products: [ProductID], _ changes: HouseholdTransaction) async throws {
        let receipts = try await changes.query(
            """
            SELECT DISTINCT receipt_id FROM receipt_line
            WHERE household_id = \(changes.household) AND product_id = ANY(\(products))
            """
        ).decode(ReceiptID.self)
        try await rebook(receipts, changes)
    }
}

/// The statements of one booking, each over the same receipts.
struct BookingScope {
    let household: HouseholdID
    let receipts: [ReceiptID]
    let today: LocalDate

    /// Condition over receipt `r`: confirmed, not discarded, not hidden.
    private var isBookable: SQL {
        """
        (r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL AND \(Visibility.isPublished(today)))
        """
    }

    /// Condition over receipt `r`: one of `receipts`, or a gift that is not hidden any more.
    private var isAffected: SQL {
        """
        r.household_id = \(household) AND (r.id = ANY(\(receipts)) OR (r.hidden_until <= \(today)
            AND r.booked_month IS NULL AND r.purchase_day IS NOT NULL AND r.stage = \(Stage.confirmed.sql)
            AND r.discarded_at IS NULL))
        """
    }

    /// Months of the receipts before and after this booking.
    var months: SQL {
        """
        SELECT r.booked_month, CASE WHEN \(isBookable) THEN date_trunc('month', r.purchase_day)::date END
        FROM receipt r WHERE \(isAffected)
        """
    }

    /// Binds lines by an equal key of the same chain only.
    var binding: SQL {
        """
        UPDATE receipt_line l SET product_id = a.product_id
        FROM receipt r
        JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
        JOIN product_alias a ON a.household_id = r.household_id AND a.chain = s.chain
        WHERE \(isAffected) AND r.stage = \(Stage.confirmed.sql) AND l.household_id = r.household_id AND l.receipt_id = r.id
            AND l.kind = 'item' AND l.product_id IS NULL AND l.alias_key <> '' AND l.alias_key = a.alias_key
        RETURNING l.receipt_id
        """
    }

    var removal: SQL {
        """
        DELETE FROM price p USING receipt r
        WHERE \(isAffected) AND p.household_id = r.household_id AND p.receipt_id = r.id
        RETURNING p.product_id, p.store_id
        """
    }

    /// One price for each item bound to a product, by the rules of the domain's `PriceObservation`, in whole numbers:
    /// div((2a + b), 2b) is a / b rounded half up. A price has its line's id, so that booking again changes nothing.
    var observations: SQL {
        """
        INSERT INTO price (household_id, id, product_id, store_id, day, regular_thousandths, paid_thousandths,
            base_thousandths, base_unit, quantity_thousandths, unit, is_offer, currency, source, receipt_id, line_id)
        SELECT household_id, line_id, product_id, store_id, day, regular, paid,
            CASE WHEN unit = 'piece' AND amount IS NOT NULL
                THEN div(2000::numeric * regular + amount, 2::numeric * amount) ELSE regular END,
            CASE WHEN unit = 'piece' AND amount IS NOT NULL THEN package_unit ELSE unit END,
            quantity, unit, paid < regular, currency, source, receipt_id, line_id
        FROM (
            SELECT lines.*, CASE WHEN discounts IS NULL OR total + discounts < 0 THEN regular
                ELSE div(2000000::numeric * (total + discounts) + quantity, 2::numeric * quantity) END AS paid
            FROM (
                SELECT l.household_id, l.line_id, l.receipt_id, l.product_id, l.store_id, l.day, l.quantity, l.unit,
                    l.total, l.currency, l.source, l.discounts,
                    CASE WHEN l.unit_price > 0
                        AND abs(round(l.unit_price::numeric * l.quantity / 1000000) - l.total) <= 1
                        THEN l.unit_price
                        ELSE div(2000000::numeric * l.total + l.quantity, 2::numeric * l.quantity) END AS regular,
                    size.amount_thousandths AS amount, size.unit AS package_unit
                FROM (
                    SELECT l.household_id, l.id AS line_id, l.receipt_id, l.product_id, l.kind, l.unit, r.store_id,
                        r.purchase_day AS day, r.currency, l.quantity_thousandths AS quantity, l.total_minor AS total,
                        l.unit_price_thousandths AS unit_price,
                        CASE WHEN r.source IN ('import', 'manual') THEN r.source ELSE 'receipt' END AS source,
                        sum(l.total_minor) FILTER (WHERE l.kind = 'discount') OVER (
                            PARTITION BY l.receipt_id, CASE WHEN l.kind = 'discount' THEN l.bound_line_id ELSE l.id END)
                            AS discounts
                    FROM receipt r
                    JOIN receipt_line l ON l.household_id = r.household_id AND l.receipt_id = r.id
                    WHERE \(isAffected) AND \(isBookable) AND r.store_id IS NOT NULL
                        AND r.purchase_day IS NOT NULL AND l.kind IN ('item', 'discount')) l
                LEFT JOIN LATERAL (
                    SELECT k.amount_thousandths, k.unit FROM product_package k
                    WHERE k.household_id = l.household_id AND k.product_id = l.product_id
                    ORDER BY k.valid_from <= l.day DESC,
                        CASE WHEN k.valid_from <= l.day THEN k.valid_from END DESC, k.valid_from
                    LIMIT 1) size ON true
                WHERE l.kind = 'item' AND l.product_id IS NOT NULL AND l.total > 0 AND l.quantity > 0) lines) priced
        WHERE regular BETWEEN 1 AND 100000000000 AND paid <= 100000000000
        RETURNING product_id, store_id
        """
    }

    /// Stores the month in which each receipt is booked.
    var marking: SQL {
        """
        UPDATE receipt r SET booked_month = CASE WHEN \(isBookable) THEN date_trunc('month', r.purchase_day)::date END
        WHERE \(isAffected) AND r.booked_month IS DISTINCT FROM
            CASE WHEN \(isBookable) THEN date_trunc('month', r.purchase_day)::date END
        """
    }
}
