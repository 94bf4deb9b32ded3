import Archive
import Domain
import Foundation
import Postgres
import TestSupport
import Testing

@testable import App

/// Runs the commands as separate processes. A killed or refused command leaves no incomplete result.
@Suite(.timeLimit(.minutes(5))) struct KilledBackupTests {
    private static let kills = 6

    /// Runs a command, and kills it after the given time, if any. Returns its exit status (nil if killed) and its
    /// output.
    static func run(
        _ arguments: [String], killedAfter milliseconds: UInt32? = nil, database: String? = nil,
        _ settings: [String: String] = [:]
    ) throws -> (status: Int32?, output: String) {
        let testDatabase = try TestDatabase.current
        func url(_ settings: PostgresSettings) -> String {
            ["host", "port", "user", "dbname"].compactMap { key in
                (key == "dbname" ? database ?? settings[key] : settings[key]).map { "\(key)=\($0)" }
            }.joined(separator: " ")
        }
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: own).deletingLastPathComponent().appending(path: "allesteurer")
        process.arguments = arguments
        process.environment = [
            "ALLESTEURER_DATABASE_URL": url(testDatabase.settings),
            "ALLESTEURER_OWNER_DATABASE_URL": url(testDatabase.ownerSettings),
            "ALLESTEURER_SCRATCH_DATABASE_URL": url(try TestServer.settings()),
            "ALLESTEURER_BACKUP_KEY": "fünf Birnen im Korb", "ALLESTEURER_MIGRATIONS": TestSources.root + "/Migrations",
            "SWIFT_BACKTRACE": "enable=no",
        ].merging(settings) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        if let milliseconds {
            usleep(milliseconds * 1000)
            kill(process.processIdentifier, SIGKILL)
        }
        let printedText = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationReason == .exit ? process.terminationStatus : nil, printedText)
    }

    @Test(.database) func `a killed backup leaves no file that looks like a complete backup`() async throws {
        try await ArchivedScene.run { scene in
            let path = "\(scene.folder)/killed.tar"
            var killed = 0
            for attempt in 0..<Self.kills {
                let (status, _) = try Self.run(["backup", "--to", path], killedAfter: UInt32(10 + attempt * 25))
                if status == nil { killed += 1 }
                guard FileManager.default.fileExists(atPath: path) else { continue }
                _ = try scene.check(path)
                try FileManager.default.removeItem(atPath: path)
            }
            print("killed \(killed) of \(Self.kills) backups")
            #expect(killed > 0)
            let (status, printed) = try Self.run(["backup", "--to", path])
            #expect(status == 0, "\(printed)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder) == ["killed.tar"])
            let verified = try Self.run(["verify-backup", path])
            #expect(verified.status == 0, "\(verified.output)")
        }
    }

    @Test(.database) func `a killed restoration stores either nothing or everything`() async throws {
        try await ArchivedScene.run { scene in
            let path = try await scene.backUp(.household(scene.household))
            let owner = try scene.harness.owner()
            /// The number of rows of each household.
            func rowCounts() throws -> [Int64] {
                try owner.query(
                    """
                    SELECT (SELECT count(*) FROM receipt_line l WHERE l.household_id = h.id)
                        + (SELECT count(*) FROM blob_chunk c JOIN blob b ON b.household_id = c.household_id
                            AND b.id = c.blob_id WHERE c.household_id = h.id AND b.purpose <> 'preview')
                        + (SELECT count(*) FROM change_log c WHERE c.household_id = h.id)
                    FROM household h
                    """
                ).decode(Int64.self)
            }
            let whole = try #require(try rowCounts().first)
            var killed = 0
            for attempt in 0..<Self.kills {
                let (status, _) = try Self.run(["restore", path], killedAfter: UInt32(40 + attempt * 40))
                if status == nil { killed += 1 }
                let counts = try rowCounts()
                #expect(counts.allSatisfy { $0 == whole }, "\(counts)")
            }
            print("killed \(killed) of \(Self.kills) restorations")
            #expect(killed > 0)
            let countBefore = try rowCounts().count
            let (status, printed) = try Self.run(["restore", path])
            #expect(status == 0, "\(printed)")
            // PostgreSQL may have committed the killed restoration after the rows were counted.
            #expect(try rowCounts().count >= countBefore + 1)
            let counts = try rowCounts()
            #expect(counts.allSatisfy { $0 == whole }, "\(counts)")
        }
    }

    @Test(.database) func `backup and restore move the whole installation into an empty database`() async throws {
        try await ArchivedScene.run { scene in
            let path = "\(scene.folder)/all.tar"
            #expect(try Self.run(["backup", "--to", path]).status == 0)
            let creator = try SynchronousConnection(try TestServer.settings())
            let name = "test_moved_\(UInt64.random(in: .min ... .max))"
            try creator.query(
                SQL(uncheckedText: "CREATE DATABASE \(name) OWNER \(TestServer.ownerRole) TEMPLATE template0"))
            defer { _ = try? creator.query(SQL(uncheckedText: "DROP DATABASE \(name) WITH (FORCE)")) }
            let restoration = try Self.run(["restore", path], database: name)
            #expect(restoration.status == 0, "\(restoration.output)")
            #expect(restoration.output.contains("Restored households: 1; people: 2."))
            let moved = try SynchronousConnection(
                try TestServer.settings(user: TestServer.ownerRole, database: name))
            let old = try scene.harness.owner()
            let uuid: SQL = "SELECT uuid FROM installation"
            #expect(try moved.query(uuid).first(ReceiptID.self) != old.query(uuid).first(ReceiptID.self))
            let hashes: SQL = "SELECT login || password_hash FROM person ORDER BY 1"
            #expect(try moved.query(hashes).decode(String.self) == old.query(hashes).decode(String.self))
            // The database is not empty the second time.
            let secondRestoration = try Self.run(["restore", path], database: name)
            #expect(secondRestoration.status == 1)
            #expect(secondRestoration.output.contains("nothing was restored"), "\(secondRestoration.output)")
        }
    }

    @Test(.database) func `a refused restoration leaves no rows, and does not claim that nothing was changed`()
        async throws
    {
        try await ArchivedScene.run { scene in
            let path = try await scene.backUp(.installation)
            let forgedArchive = try scene.forge(path) { part, line in part.name == "store" ? [line, line] : [line] }
            let creator = try SynchronousConnection(try TestServer.settings())
            let name = "test_refused_\(UInt64.random(in: .min ... .max))"
            try creator.query(
                SQL(uncheckedText: "CREATE DATABASE \(name) OWNER \(TestServer.ownerRole) TEMPLATE template0"))
            defer { _ = try? creator.query(SQL(uncheckedText: "DROP DATABASE \(name) WITH (FORCE)")) }
            let refusal = try Self.run(["restore", forgedArchive], database: name)
            #expect(refusal.status == 1 && refusal.output.contains("nothing was restored"), "\(refusal.output)")
            #expect(!refusal.output.contains("nothing was changed"))
            let left = try SynchronousConnection(
                try TestServer.settings(user: TestServer.ownerRole, database: name))
            #expect(try left.query("SELECT count(*) FROM schema_migration").first(Int64.self) ?? 0 > 0)
            #expect(try left.query("SELECT count(*) FROM household").first(Int64.self) == 0)
        }
    }
}
