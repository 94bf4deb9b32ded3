import Domain
import Postgres

/// The package sizes in the printed names of products with several names, such as `KEKSE 500G` and `KEKSE 400G`.
enum PrintedPackages {
    /// Records the size in the printed name of each item of `receipts`, if the product has another size on the date of
    /// the receipt. Does not change sizes that a person entered, or the sizes of other purchases. Must run before the
    /// prices of the receipts are written. Leaves out hidden receipts until they are published, because all members see
    /// the sizes and the days from which they apply.
    static func record(of receipts: [ReceiptID], _ changes: HouseholdTransaction) async throws {
        guard !receipts.isEmpty else { return }
        let household = changes.household
        let names = try await changes.query(
            """
            SELECT DISTINCT a.product_id, r.purchase_day, a.printed_name
            FROM \(names(on: receipts, household))
            WHERE r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL AND r.purchase_day IS NOT NULL
                AND \(Visibility.isPublished())
            ORDER BY 1, 2, 3
            """
        ).decode((ProductID, LocalDate, String).self)
        for (product, lines) in Dictionary(grouping: names, by: \.0).sorted(by: { $0.key < $1.key }) {
            let bought = lines.compactMap { _, day, name in
                PackageSize(inName: name).map { PackageSizePeriod(from: day, size: $0.total) }
            }
            if !bought.isEmpty { try await record(bought, of: product, changes) }
        }
    }

    /// The size in a printed name of a product that has several names.
    struct NameSize: Sendable {
        let product: ProductID
        let chain: String
        /// The key of the name.
        let key: String
        /// In thousandths of the unit.
        let thousandths: Int64
        let unit: StoredUnit
    }

    /// A table expression: the items `l` of the receipts `r` with their names `a`, for products with several names.
    ///
    /// `OFFSET 0` makes PostgreSQL find the lines by receipt. Without statistics, it would read all items of the
    /// household.
    static func names(on receipts: [ReceiptID], _ household: HouseholdID) -> SQL {
        """
        \(ReceiptSource.receipts(receipts, household))
        JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
        CROSS JOIN LATERAL (SELECT * FROM receipt_line l
            WHERE l.household_id = r.household_id AND l.receipt_id = r.id OFFSET 0) l
        JOIN product_alias a ON a.household_id = r.household_id AND a.chain = s.chain
            AND l.kind = 'item' AND l.unit = 'piece' AND l.alias_key <> '' AND a.alias_key = l.alias_key
            AND a.product_id = coalesce(l.product_id, a.product_id)
            AND EXISTS (SELECT 1 FROM product_alias o
                WHERE o.household_id = a.household_id AND o.product_id = a.product_id AND o.id <> a.id)
        """
    }

    /// Reads the sizes in the printed names on the receipts, for products with several names.
    static func sizes(in receipts: [ReceiptID], _ changes: HouseholdTransaction) async throws -> [NameSize] {
        let household = changes.household
        let names = try await changes.query(
            """
            SELECT DISTINCT a.product_id, a.chain, a.alias_key, a.printed_name
            FROM \(names(on: receipts, household))
            """
        ).decode((ProductID, String, String, String).self)
        return names.compactMap { product, chain, key, name in
            guard let size = PackageSize(inName: name)?.total.stored,
                ProductPackages.plausible.contains(size.thousandths)
            else {
                return nil
            }
            return NameSize(
                product: product, chain: chain, key: key, thousandths: size.thousandths, unit: size.unit)
        }
    }

    private static func record(
        _ bought: [PackageSizePeriod], of product: ProductID, _ changes: HouseholdTransaction
    ) async throws {
        let own = try await ProductPackages.periods(of: product, changes)
        let daysByHand = try await ProductPackages.daysByHand(of: product, changes)
        let days = try await ProductPackages.days(of: product, changes)
        let added = own.periods(
            joining: bought.filter { line in
                own.period(on: line.from).map { !daysByHand.contains($0.from) } ?? false
            }, keeping: days)
        guard !added.isEmpty else { return }
        try await ProductPackages.record(added, of: product, changes)
        try await ProductEdits.raiseRevision(product, changes)
    }
}
