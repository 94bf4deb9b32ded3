import Archive
import Domain
import Foundation
import Postgres
import TestSupport
import Testing

@testable import App

/// Restores the archives in `Files`, which earlier versions of the program wrote.
@Suite(.timeLimit(.minutes(5))) struct ArchiveFixtureTests {
    private static let folder = TestSources.root + "/Tests/AppTests/Archives/Files"

    /// Returns the paths of archives such as `schema-0041-installation.tar` and `schema-0041-household.tar`.
    private static func fixtures(_ scope: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix("-\(scope).tar") }.sorted()
            .map { "\(folder)/\($0)" }
    }

    @Test(.database, .enabled(if: ProcessInfo.processInfo.environment["ALLESTEURER_WRITE_ARCHIVES"] == "1"))
    func `adds archives of the current schema`() async throws {
        try await AppHarness.run { harness in
            // Add a row of every kind, and prices from an import.
            let tenant = try await Tenant.make(harness, mark: "Muster")
            try await tenant.owner.importTable([
                ("Milch", "1,49", "2026-11-02", "BILLA"), ("Milch", "1,59", "2026-11-09", "BILLA"),
            ])
            let scene = ArchivedScene(harness: harness, anna: tenant.owner, folder: Self.folder)
            let number = try Migration.read(directory: TestSources.root + "/Migrations").count
            let name = "schema-" + String(repeating: "0", count: 4 - String(number).count) + String(number)
            for (scope, suffix) in [
                (ArchiveExport.Scope.installation, "installation"), (.household(tenant.household), "household"),
            ] {
                try? FileManager.default.removeItem(atPath: "\(Self.folder)/\(name)-\(suffix).tar")
                _ = try await scene.backUp(scope, name: "\(name)-\(suffix).tar")
            }
        }
    }

    /// Returns the number of rows of each table, in the archive and in the database.
    private func rows(_ path: String, _ database: SynchronousConnection, _ household: SQL) throws -> [String: [Int64]] {
        var counts: [String: [Int64]] = [:]
        let lines = try ArchivedScene.documents(path).lines
        for table in ArchivedTable.all {
            let storedCount = try database.query(
                SQL(uncheckedText: "SELECT count(*) FROM \(table.name) WHERE \(table.householdColumn) = ") + household
            ).first(Int64.self)
            counts[table.name] = [Int64(lines.count { $0.part == table.name }), storedCount ?? -1]
        }
        return counts
    }

    /// Tables that a later migration fills from other tables, so an old archive may lack their rows.
    private static let filledLater: Set = ["expense_month", "store_price", "product_price"]

    @Test(.database) func `restores an installation of an earlier version into an empty database`() throws {
        let fixtures = try Self.fixtures("installation")
        #expect(!fixtures.isEmpty)
        for path in fixtures {
            let creator = try SynchronousConnection(try TestServer.settings())
            let name = "test_fixture_\(UInt64.random(in: .min ... .max))"
            try creator.query(
                SQL(uncheckedText: "CREATE DATABASE \(name) OWNER \(TestServer.ownerRole) TEMPLATE template0"))
            defer { _ = try? creator.query(SQL(uncheckedText: "DROP DATABASE \(name) WITH (FORCE)")) }
            let restoration = try KilledBackupTests.run(["restore", path], database: name)
            #expect(restoration.status == 0, "\(restoration.output)")
            let owner = try SynchronousConnection(try TestServer.settings(user: TestServer.ownerRole, database: name))
            let household = try #require(try owner.query("SELECT id FROM household").first(HouseholdID.self))
            for (table, counts) in try rows(path, owner, "\(household)") where !Self.filledLater.contains(table) {
                #expect(counts[0] == counts[1], "\(path): \(table)")
            }
            let schema = try owner.query("SELECT max(number)::bigint FROM schema_migration").first(Int64.self)
            #expect(schema == Int64(try Migration.read(directory: TestSources.root + "/Migrations").count))
            #expect(
                try owner.query("SELECT count(*) FROM spending_month WHERE amount_minor > 0").first(Int64.self) ?? 0 > 0
            )
        }
    }

    @Test(.database) func `restores a household of an earlier version into a database with other households`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            for path in try Self.fixtures("household") {
                let restoration = try KilledBackupTests.run(["restore", path])
                #expect(restoration.status == 0, "\(restoration.output)")
                let match = try #require(restoration.output.firstMatch(of: #/Restored as household ([0-9a-f-]{36})/#))
                let household = try #require(HouseholdID(String(match.output.1)))
                #expect(household != anna.household)
                for (table, counts) in try rows(path, owner, "\(household)") where !Self.filledLater.contains(table) {
                    #expect(counts[0] == counts[1], "\(path): \(table)")
                }
            }
        }
    }
}
