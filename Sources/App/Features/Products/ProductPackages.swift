import Domain
import Postgres

/// Package sizes of products within a household transaction.
enum ProductPackages {
    /// The range of sizes that are recorded, in thousandths of their unit. Other sizes are ignored.
    static let plausible: ClosedRange<Int64> = 1...1_000_000_000

    /// All recorded sizes of a product.
    static func periods(
        of product: ProductID, _ changes: HouseholdTransaction
    ) async throws -> [PackageSizePeriod] {
        try await changes.query(
            """
            SELECT valid_from, amount_thousandths, unit FROM product_package
            WHERE household_id = \(changes.household) AND product_id = \(product)
            """
        ).decode((LocalDate, Int64, StoredUnit).self).map { from, thousandths, unit in
            PackageSizePeriod(from: from, size: Quantity(thousandths: thousandths, unit: unit.unit))
        }
    }

    /// The first days of validity of the sizes that a person entered.
    static func daysByHand(of product: ProductID, _ changes: HouseholdTransaction) async throws -> Set<LocalDate> {
        Set(
            try await changes.query(
                """
                SELECT valid_from FROM product_package
                WHERE household_id = \(changes.household) AND product_id = \(product) AND by_hand
                """
            ).decode(LocalDate.self))
    }

    /// The days on which pieces of a product were bought.
    static func days(of product: ProductID, _ changes: HouseholdTransaction) async throws -> [LocalDate] {
        try await changes.query(
            """
            SELECT DISTINCT day FROM price
            WHERE household_id = \(changes.household) AND product_id = \(product) AND unit = 'piece'
            """
        ).decode(LocalDate.self)
    }

    /// Records sizes. Replaces sizes with the same first day. A size that a person entered stays marked as entered if
    /// it does not change.
    ///
    /// - Parameter byHand: the first days of the sizes that a person entered.
    static func record(
        _ periods: [PackageSizePeriod], byHand: Set<LocalDate> = [], of product: ProductID,
        _ changes: HouseholdTransaction
    ) async throws {
        let sizes = periods.map { (from: $0.from, size: $0.size.stored) }.filter {
            plausible.contains($0.size.thousandths)
        }
        guard !sizes.isEmpty else { return }
        try await changes.query(
            """
            INSERT INTO product_package (household_id, product_id, valid_from, amount_thousandths, unit, by_hand)
            SELECT \(changes.household), \(product), n.* FROM unnest(\(sizes.map(\.from)),
                \(sizes.map(\.size.thousandths)), \(sizes.map(\.size.unit)),
                \(sizes.map { byHand.contains($0.from) })) AS n
            ON CONFLICT (household_id, product_id, valid_from)
            DO UPDATE SET amount_thousandths = excluded.amount_thousandths, unit = excluded.unit,
                by_hand = excluded.by_hand OR product_package.by_hand
                    AND product_package.amount_thousandths = excluded.amount_thousandths
                    AND product_package.unit = excluded.unit
            """)
    }
}
