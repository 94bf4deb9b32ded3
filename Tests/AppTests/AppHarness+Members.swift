import Domain
import Postgres

@testable import App

extension AppHarness {
    /// Adds a person to a second household. No page does this.
    func addMember(_ browser: Browser, to household: HouseholdID, as role: Member.Role) throws {
        try owner().query(
            """
            INSERT INTO membership (household_id, person_id, role)
            VALUES (\(household), \(browser.person), \(role.rawValue))
            """)
    }
}
