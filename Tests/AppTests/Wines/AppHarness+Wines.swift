import Domain
import Postgres

@testable import App

extension AppHarness {
    /// Sets the limits of a household's wines, as the operator's command does; nil for no limit.
    func limitWines(
        _ household: HouseholdID, scansADay: Int32? = nil, hasLive: Bool = true, maximumWines: Int32? = nil,
        keyScansADay: Int32? = nil
    ) throws {
        try owner().query(
            """
            INSERT INTO wine_plan (household_id, scans_a_day, has_live, most_wines, key_scans_a_day)
            VALUES (\(household), \(scansADay), \(hasLive), \(maximumWines), \(keyScansADay))
            """)
    }
}
