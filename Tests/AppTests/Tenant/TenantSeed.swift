import Domain
import Postgres

@testable import App

/// Inserts the rows of a tenant directly in the database, because the matrices need hundreds of households.
struct TenantSeed {
    let connection: SynchronousConnection
    let household: HouseholdID
    let person: PersonID
    /// A word that occurs in all names of the tenant, to recognise its data in the pages of other tenants.
    let mark: String
    var ids: [String: [String]] = [:]

    /// Records an identifier under its names in routes and forms.
    mutating func record<Tag>(_ id: Identifier<Tag>, as names: String...) {
        for name in names { ids[name, default: []].append(id.description) }
    }

    let store = StoreID.new()
    let products = [ProductID.new(), ProductID.new()]

    init(connection: SynchronousConnection, household: HouseholdID, person: PersonID, mark: String) {
        self.connection = connection
        self.household = household
        self.person = person
        self.mark = mark
        ids["day"] = ["2026-02-01"]
        ids["page"] = ["1"]
        ids["household"] = [household.description]
    }
}
