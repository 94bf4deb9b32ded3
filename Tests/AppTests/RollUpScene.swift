import Domain
import Postgres

@testable import App

extension AppHarness {
    /// Recomputes the roll-ups of a household after a test has written prices or booked receipts directly.
    func rollUp(_ household: HouseholdID) async throws {
        try await database.write(household, by: nil) { changes in
            let rows = try await changes.query(batch: [
                "SELECT id FROM product WHERE household_id = \(household)",
                """
                SELECT DISTINCT booked_month FROM receipt
                WHERE household_id = \(household) AND booked_month IS NOT NULL
                """,
            ])
            let products = try rows[0].decode(ProductID.self)
            let months = try rows[1].decode(LocalDate.self)
            try await changes.query(
                batch: RollUps.prices(of: products, household) + RollUps.spending(months, household))
        }
    }
}
