import Domain
import Postgres
import TestSupport
import Testing

@testable import App

/// A household with a document of every kind that a path, a form field or a filter can identify.
struct Tenant {
    let owner: Browser
    let household: HouseholdID
    /// Identifiers by their names in routes and forms.
    let ids: [String: [String]]
    /// A word that every text of this household contains, and no text of another household.
    let mark: String

    /// Returns the second identifier of this name, or the first if there is no second.
    func second(_ name: String) -> String { ids[name]?.dropFirst().first ?? ids[name]?.first ?? "" }
    func first(_ name: String) -> String { ids[name]?.first ?? "" }

    static func make(_ harness: AppHarness, mark: String) async throws -> Tenant {
        try addDocuments(
            try harness.owner(), of: try await harness.signUp("\(mark) Berger", household: "\(mark)haus"), mark: mark)
    }

    /// Adds another document of every kind to the household of `owner`, with `mark` in every text.
    static func addDocuments(_ connection: SynchronousConnection, of owner: Browser, mark: String) throws -> Tenant {
        let household = owner.household
        var seed = TenantSeed(connection: connection, household: household, person: owner.person, mark: mark)
        try connection.query("BEGIN")
        try seed.storesAndProducts()
        try seed.receipts()
        try seed.history()
        try seed.people()
        try seed.waitingFile()
        try seed.upload()
        // Increase the sequence number of the last change, because catalogues are cached by it.
        try connection.query("UPDATE household SET sync_seq = sync_seq + 1 WHERE id = \(household)")
        try seed.expenses()
        try seed.bankFiles()
        try seed.wines()
        try seed.plans()
        try connection.query("COMMIT")
        return Tenant(owner: owner, household: household, ids: seed.ids, mark: mark)
    }

    /// Returns a checksum of the household's rows in each table, including its people.
    func checksums(_ connection: SynchronousConnection) throws -> [String: String] {
        let tables = try connection.query(
            """
            SELECT table_name::text FROM information_schema.columns
            WHERE table_schema = 'public' AND column_name = 'household_id' ORDER BY 1
            """
        ).decode(String.self)
        var sums: [String: String] = [:]
        for table in tables {
            // The table names come from the system catalogs, so they need no quoting.
            let rows = try connection.query(
                SQL(
                    uncheckedText:
                        "SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM \(table) t WHERE ")
                    + "household_id = \(household)")
            sums[table] = try rows.first(String.self)
        }
        sums["household"] = try connection.query("SELECT md5(h::text) FROM household h WHERE id = \(household)")
            .first(String.self)
        sums["person"] = try connection.query(
            """
            SELECT md5(string_agg(p::text, '|' ORDER BY p.id)) FROM person p
            WHERE id IN (SELECT person_id FROM membership WHERE household_id = \(household))
            """
        ).first(String.self)
        return sums
    }
}
