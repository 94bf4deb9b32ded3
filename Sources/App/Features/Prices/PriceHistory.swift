import Domain
import Postgres

/// The prices and roll-ups of the receipts that count: those that are confirmed, published and not discarded.
enum PriceHistory {
    /// The number of receipts above which `update` avoids nested loops.
    private static let fewReceipts = 20

    /// Updates the prices and roll-ups after `receipts` changed. Idempotent: the result depends only on the stored
    /// data.
    ///
    /// Lines without a product get a product if their printed name is matched at the receipt's chain. The prices of the
    /// receipts are written again; the prices of receipts that no longer count are deleted. The roll-ups are recomputed
    /// for the months in which the receipts counted before and count now. The shares of receipts that are split by line
    /// are recomputed. Other receipts whose date `hidden_until` has passed are updated and written to the change log,
    /// too.
    ///
    /// - Parameter keepsSums: whether the lines and totals are the same as at the last update. Sums are then recomputed
    ///   only for receipts whose lines get a product or whose month changes.
    static func update(
        _ receipts: [ReceiptID], keepsSums: Bool = false, _ changes: HouseholdTransaction
    ) async throws {
        let today = WallClock.today()
        let affected = try await changes.query(
            PriceHistoryStatements.affectedReceipts(receipts, changes.household, today)
        ).decode((ReceiptID, LocalDate?, LocalDate?).self)
        guard !affected.isEmpty else { return }
        let published = Set(affected.map(\.0)).subtracting(receipts).sorted()
        try await PrintedPackages.record(of: published, changes)
        try await LineSplit.recompute(receipts, changes)
        let isFew = affected.count <= fewReceipts
        if !isFew { try await changes.query(.planForManyRows) }
        let counted = affected.map(\.0).sorted()
        let update = PriceHistoryStatements(
            household: changes.household, receipts: counted, today: today,
            sizes: try await PrintedPackages.sizes(in: counted, changes))
        let rows = try await changes.query(batch: [
            update.matchLines, update.deletePrices, update.insertPrices, update.setBookedMonths,
        ])
        let matchedReceipts = try rows[0].decode(ReceiptID.self)
        // The sums of `months` are recomputed. If there are few receipts, a receipt that did not count before is added
        // to the sums of its month without recomputing them, unless the month is in `months`.
        var months: Set<LocalDate> = []
        for (id, before, now) in affected where before != nil || !isFew {
            if keepsSums, before == now, !matchedReceipts.contains(id) { continue }
            months.formUnion([before, now].compactMap { $0 })
        }
        let added = affected.filter { _, before, now in
            before == nil && now.map { !months.contains($0) } ?? false
        }
        try await Publication.log(published, changes)
        func pairs(_ rows: Rows) throws -> Set<ProductStoreKey> {
            Set(try rows.decode((ProductID, StoreID).self).map { ProductStoreKey(product: $0.0, store: $0.1) })
        }
        let (removed, priced) = (try pairs(rows[1]), try pairs(rows[2]))
        var statements = RollUps.prices(
            Array(removed.union(priced)), mayBeEmpty: Array(removed.subtracting(priced)), changes.household)
        statements += RollUps.spending(Array(months), changes.household)
        statements += RollUps.spending(adding: added.map(\.0), months: added.compactMap(\.2), changes.household)
        if !matchedReceipts.isEmpty {
            let receipts = Set(matchedReceipts).sorted()
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

    /// Updates the prices and roll-ups of all receipts that have a line of one of `products`.
    static func update(linesOf products: [ProductID], _ changes: HouseholdTransaction) async throws {
        let receipts = try await changes.query(
            """
            SELECT DISTINCT receipt_id FROM receipt_line
            WHERE household_id = \(changes.household) AND product_id = ANY(\(products))
            """
        ).decode(ReceiptID.self)
        try await update(receipts, changes)
    }
}

/// The statements of one update, all for the same receipts. The lateral joins make the planner start with the receipts,
/// regardless of its estimates.
struct PriceHistoryStatements {
    let household: HouseholdID
    let receipts: [ReceiptID]
    let today: LocalDate
    /// The sizes in the printed names of products with several names.
    var sizes: [PrintedPackages.NameSize] = []

    /// Selects the receipts, and other receipts whose date `hidden_until` has passed: the identifier, the stored
    /// month in which the receipt counts, and the month in which it should count.
    static func affectedReceipts(_ receipts: [ReceiptID], _ household: HouseholdID, _ today: LocalDate) -> SQL {
        """
        SELECT r.id, r.booked_month, CASE WHEN \(isCounted(today)) THEN date_trunc('month', r.purchase_day)::date END
        FROM \(ReceiptSource.receipts(receipts, household))
        UNION
        SELECT r.id, r.booked_month, CASE WHEN \(isCounted(today)) THEN date_trunc('month', r.purchase_day)::date END
        FROM receipt r WHERE r.household_id = \(household) AND r.hidden_until <= \(today)
            AND r.booked_month IS NULL AND r.purchase_day IS NOT NULL AND r.stage = \(Stage.confirmed.sql)
            AND r.discarded_at IS NULL
        """
    }

    /// A condition on receipt `r`: confirmed, not discarded, not hidden.
    private static func isCounted(_ today: LocalDate) -> SQL {
        """
        (r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL AND \(Visibility.isPublished(today)))
        """
    }

    private var source: SQL { ReceiptSource.receipts(receipts, household) }

    /// Sets the product of each line that has none, if the name of the line is matched at the receipt's chain.
    var matchLines: SQL {
        """
        UPDATE receipt_line u SET product_id = b.product_id
        FROM (
            SELECT l.id, l.receipt_id, a.product_id
            FROM \(source)
            CROSS JOIN LATERAL (SELECT s.chain FROM store s WHERE s.household_id = \(household) AND s.id = r.store_id
                OFFSET 0) s
            CROSS JOIN LATERAL (SELECT * FROM receipt_line l WHERE l.household_id = \(household) AND l.receipt_id = r.id
                AND l.kind = 'item' AND l.product_id IS NULL AND l.alias_key <> '' OFFSET 0) l
            CROSS JOIN LATERAL (SELECT a.product_id FROM product_alias a WHERE a.household_id = \(household)
                AND a.chain = s.chain AND a.alias_key = l.alias_key OFFSET 0) a
            WHERE r.stage = \(Stage.confirmed.sql)) b
        WHERE u.household_id = \(household) AND u.id = b.id AND u.receipt_id = b.receipt_id
        RETURNING u.receipt_id
        """
    }

    /// Deletes the prices of the receipts.
    var deletePrices: SQL {
        """
        DELETE FROM price p USING unnest(\(receipts)::uuid[]) AS t (id)
        WHERE p.household_id = \(household) AND p.receipt_id = t.id
        RETURNING p.product_id, p.store_id
        """
    }

    /// Inserts one price for each item with a product, by the rules of the domain's `PriceObservation` in integer
    /// arithmetic: div((2a + b), 2b) is a / b rounded half up. `purchase` groups the lines of a receipt that have the
    /// same product, package size and regular price; they get the same paid price. A price has the identifier of its
    /// line, so another update writes the same rows.
    ///
    /// The size in the line's printed name replaces the size of the product on that date, unless a person entered that
    /// size, because packages of several sizes can be bought on one date.
    var insertPrices: SQL {
        """
        INSERT INTO price (household_id, id, product_id, store_id, day, regular_thousandths, paid_thousandths,
            base_thousandths, base_unit, quantity_thousandths, unit, is_offer, currency, source, receipt_id, line_id)
        SELECT household_id, line_id, product_id, store_id, day, regular, paid,
            CASE WHEN unit = 'piece' AND amount IS NOT NULL
                THEN div(2000::numeric * regular + amount, 2::numeric * amount) ELSE regular END,
            CASE WHEN unit = 'piece' AND amount IS NOT NULL THEN package_unit ELSE unit END,
            quantity, unit, paid < regular, currency, source, receipt_id, line_id
        FROM (
            SELECT purchased.*, CASE WHEN purchase_discounts = 0 OR purchase_total < 0 THEN regular
                ELSE div(2000000::numeric * purchase_total + purchase_quantity, 2::numeric * purchase_quantity)
                END AS paid
            FROM (
                SELECT lines.*, count(discounts) OVER purchase AS purchase_discounts,
                    sum(total + coalesce(discounts, 0)) OVER purchase AS purchase_total,
                    sum(quantity) OVER purchase AS purchase_quantity
                FROM (
                    SELECT l.household_id, l.line_id, l.receipt_id, l.product_id, l.store_id, l.day, l.quantity, l.unit,
                        l.total, l.currency, l.source, l.discounts,
                        CASE WHEN l.unit_price > 0
                            AND abs(round(l.unit_price::numeric * l.quantity / 1000000) - l.total) <= 1
                            THEN l.unit_price
                            ELSE div(2000000::numeric * l.total + l.quantity, 2::numeric * l.quantity) END AS regular,
                        coalesce(printed.amount, size.amount_thousandths) AS amount, size.unit AS package_unit
                    FROM (
                        SELECT l.household_id, l.id AS line_id, l.receipt_id, l.product_id, l.kind, l.unit, r.store_id,
                            l.alias_key, \(chain) AS chain,
                            r.purchase_day AS day, r.currency, l.quantity_thousandths AS quantity, l.total_minor AS total,
                            l.unit_price_thousandths AS unit_price,
                            CASE WHEN r.source IN ('import', 'manual') THEN r.source ELSE 'receipt' END AS source,
                            sum(l.total_minor) FILTER (WHERE l.kind = 'discount') OVER (
                                PARTITION BY l.receipt_id, CASE WHEN l.kind = 'discount' THEN l.bound_line_id ELSE l.id END)
                                AS discounts
                        FROM \(source)
                        CROSS JOIN LATERAL (SELECT * FROM receipt_line l WHERE l.household_id = \(household)
                            AND l.receipt_id = r.id AND l.kind IN ('item', 'discount') OFFSET 0) l
                        WHERE \(Self.isCounted(today)) AND r.store_id IS NOT NULL AND r.purchase_day IS NOT NULL) l
                    LEFT JOIN LATERAL (
                        SELECT k.amount_thousandths, k.unit, k.by_hand FROM product_package k
                        WHERE k.household_id = l.household_id AND k.product_id = l.product_id
                        ORDER BY k.valid_from <= l.day DESC,
                            CASE WHEN k.valid_from <= l.day THEN k.valid_from END DESC, k.valid_from
                        LIMIT 1) size ON true
                    LEFT JOIN (\(printedSizes)) printed ON printed.product_id = l.product_id
                        AND printed.chain = l.chain AND printed.alias_key = l.alias_key
                        AND printed.unit = size.unit AND NOT size.by_hand AND l.unit = 'piece'
                    WHERE l.kind = 'item' AND l.product_id IS NOT NULL AND l.total > 0 AND l.quantity > 0) lines
                WINDOW purchase AS (PARTITION BY receipt_id, product_id, unit, regular, amount)) purchased) priced
        WHERE regular BETWEEN 1 AND 100000000000 AND paid <= 100000000000
        RETURNING product_id, store_id
        """
    }

    /// An SQL expression: the chain of receipt `r`, if it is needed.
    private var chain: SQL {
        guard !sizes.isEmpty else { return "NULL::text" }
        return "(SELECT s.chain FROM store s WHERE s.household_id = \(household) AND s.id = r.store_id)"
    }

    private var printedSizes: SQL {
        """
        SELECT * FROM unnest(\(sizes.map(\.product))::uuid[], \(sizes.map(\.chain))::text[],
            \(sizes.map(\.key))::text[], \(sizes.map(\.thousandths))::bigint[], \(sizes.map(\.unit))::text[])
            AS n (product_id, chain, alias_key, amount, unit)
        """
    }

    /// Stores the month in which each receipt counts.
    var setBookedMonths: SQL {
        """
        UPDATE receipt r SET booked_month = CASE WHEN \(Self.isCounted(today)) THEN date_trunc('month', r.purchase_day)::date END
        FROM unnest(\(receipts)::uuid[]) AS t (id)
        WHERE r.household_id = \(household) AND r.id = t.id AND r.booked_month IS DISTINCT FROM
            CASE WHEN \(Self.isCounted(today)) THEN date_trunc('month', r.purchase_day)::date END
        """
    }
}
