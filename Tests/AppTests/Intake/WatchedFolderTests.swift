import Domain
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct WatchedFolderTests {
    private static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
        + [0xFF, 0xC0, 0, 11, 8, 0, 100, 0, 100, 1, 1, 0x11, 0] + [UInt8](repeating: 0, count: 3_000)

    private struct Scene {
        let harness: AppHarness
        let anna: Browser
        let root: String
        let folder: String
        var watched: WatchedFolder

        func put(_ name: String, _ bytes: [UInt8]) throws {
            try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }

        func names(_ path: String = "") -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(path)")) ?? []).sorted()
        }

        /// Runs two rounds after the files were written. The first round only records the files.
        mutating func rounds() async throws {
            let later = Int64(time(nil)) + 60
            for _ in 0..<2 { try await watched.round(now: later) }
        }

        func receiptCount() throws -> Int64? {
            try harness.owner().query("SELECT count(*) FROM receipt WHERE household_id = \(anna.household)")
                .first(Int64.self)
        }
    }

    private func scene(_ body: @escaping @Sendable (inout Scene) async throws -> Void) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let root = FileManager.default.temporaryDirectory.appendingPathComponent("watched-\(UUID().uuidString)")
                .path
            defer { try? FileManager.default.removeItem(atPath: root) }
            let folder = "\(root)/\(anna.household)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            var scene = Scene(
                harness: harness, anna: anna, root: root, folder: folder,
                watched: WatchedFolder(
                    root: root, database: harness.database, texts: harness.app.texts, log: harness.app.log))
            try await body(&scene)
        }
    }

    @Test(.database) func `a file becomes a receipt of the owner and is deleted`() async throws {
        try await scene { scene in
            try scene.put("a.jpg", Self.jpeg)
            try await scene.rounds()
            #expect(scene.names() == [])
            let owner = try scene.harness.owner().query("SELECT person_id FROM receipt").decode(PersonID.self)
            #expect(owner == [scene.anna.person])
            let jobs = try scene.harness.owner().query("SELECT count(*) FROM job").first(Int64.self)
            #expect(jobs == 1)
            // Puts the same file again, as if the server had been killed after it stored the file and before it deleted
            // it.
            try scene.put("b.jpg", Self.jpeg)
            try await scene.rounds()
            #expect(scene.names() == [])
            #expect(try scene.receiptCount() == 1)
        }
    }

    @Test(.database) func `a growing file, an unfinished file and hidden files stay in the folder`() async throws {
        try await scene { scene in
            try scene.put("a.jpg", Self.jpeg)
            try await scene.watched.round()
            try await scene.watched.round()
            #expect(scene.names() == ["a.jpg"])
            let later = Int64(time(nil)) + 60
            try scene.put("a.jpg", Self.jpeg + [1])
            try await scene.watched.round(now: later)
            #expect(scene.names() == ["a.jpg"])
            try scene.put("b.jpg.part", Self.jpeg)
            try scene.put(".c.jpg", Self.jpeg)
            try await scene.rounds()
            #expect(scene.names() == [".c.jpg", "b.jpg.part"])
            #expect(try scene.receiptCount() == 1)
        }
    }

    @Test(.database) func `a file that another program replaces while it is stored stays in the folder`() async throws {
        try await scene { scene in
            try scene.put("a.jpg", Self.jpeg)
            let later = Int64(time(nil)) + 60
            try await scene.watched.round(now: later)
            let (owner, locking) = (try scene.harness.owner(), try scene.harness.owner())
            try locking.query("BEGIN")
            // Stops the import after the file was read, before its receipt is stored.
            try locking.query("SELECT 1 FROM household WHERE id = \(scene.anna.household) FOR NO KEY UPDATE")
            let watched = scene.watched
            async let stored = Self.round(watched, now: later)
            try await owner.waitForBlockedStatement()
            try scene.put("a.jpg", Self.jpeg + [1])
            try locking.query("COMMIT")
            scene.watched = try await stored
            #expect(scene.names() == ["a.jpg"])
            try await scene.rounds()
            #expect(scene.names() == [])
            #expect(try scene.receiptCount() == 2)
        }
    }

    private static func round(_ watched: WatchedFolder, now: Int64) async throws -> WatchedFolder {
        var watched = watched
        try await watched.round(now: now)
        return watched
    }

    @Test(.database, arguments: ["blob_chunk", "receipt"])
    func `a file for which the disk has no space leaves no copies, and the fault is reported to monitors`(
        _ table: String
    ) async throws {
        try await scene { scene in
            try scene.put("a.jpg", Self.jpeg)
            let owner = try scene.harness.owner()
            try owner.run(
                script: """
                    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
                    CREATE TRIGGER refuse BEFORE INSERT ON \(table) FOR EACH ROW EXECUTE FUNCTION refuse();
                    """)
            do {
                try await scene.rounds()
                Issue.record("the receipt was stored")
            } catch let error as PostgresError {
                #expect(error.sqlState == .diskFull)
            }
            // Later rounds wait, or fail in the same way if more than a minute has passed.
            _ = try? await scene.rounds()
            #expect(scene.names() == ["a.jpg"])
            #expect(try owner.query("SELECT count(*) FROM blob").first(Int64.self) == 0)
            #expect(try await scene.anna.get("/readyz").status == .serviceUnavailable)
            try owner.run(script: "DROP TRIGGER refuse ON \(table)")
            // After a restart, the server does not wait because of the full disk.
            scene.watched = WatchedFolder(
                root: scene.root, database: Database(pools: [scene.harness.database.pool]),
                texts: scene.harness.app.texts, log: scene.harness.app.log)
            try await scene.rounds()
            #expect(scene.names() == [])
            #expect(try scene.receiptCount() == 1)
        }
    }

    @Test(.database) func `an error in one household does not stop the import for others`() async throws {
        try await scene { scene in
            let eva = try await scene.harness.signUp("Eva Kern", household: "Anderswo")
            // The households are processed in the order of their identifiers.
            let households = [scene.anna.household, eva.household].sorted { $0.description < $1.description }
            for household in households {
                let folder = "\(scene.root)/\(household)"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try Data(Self.jpeg).write(to: URL(fileURLWithPath: "\(folder)/a.jpg"))
            }
            let owner = try scene.harness.owner()
            try owner.run(
                script: """
                    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN RAISE EXCEPTION 'refused'; END $$;
                    CREATE TRIGGER refuse BEFORE INSERT ON receipt FOR EACH ROW
                        WHEN (NEW.household_id = '\(households[0])') EXECUTE FUNCTION refuse();
                    """)
            do {
                try await scene.rounds()
                Issue.record("the first household has no error")
            } catch is PostgresError {}
            let storedHouseholds = try owner.query("SELECT household_id FROM receipt").decode(HouseholdID.self)
            #expect(storedHouseholds == [households[1]])
        }
    }

    @Test(.database) func `a file from a machine whose clock is ahead is imported`() async throws {
        try await scene { scene in
            try scene.put("a.jpg", Self.jpeg)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: 86_400)], ofItemAtPath: "\(scene.folder)/a.jpg")
            try await scene.rounds()
            #expect(scene.names() == [])
            #expect(try scene.receiptCount() == 1)
        }
    }

    @Test(.database)
    func `links, pipes and files that are not receipts are moved aside with the reason`() async throws {
        try await scene { scene in
            let secret = "\(scene.root)/secret"
            try Data(Self.jpeg).write(to: URL(fileURLWithPath: secret))
            symlink(secret, "\(scene.folder)/a.jpg")
            link(secret, "\(scene.folder)/b.jpg")
            mkfifo("\(scene.folder)/c.jpg", 0o600)
            try scene.put("d.jpg", Array("text".utf8))
            try scene.put("e.jpg", [])
            try await scene.rounds()
            #expect(scene.names() == ["refused"])
            #expect(scene.names("refused") == ["a", "b", "c", "d", "e"].flatMap { ["\($0).jpg", "\($0).jpg.txt"] })
            let reason = try String(contentsOfFile: "\(scene.folder)/refused/d.jpg.txt", encoding: .utf8)
            #expect(reason.contains("PDF"))
            #expect(try scene.receiptCount() == 0)
            #expect(FileManager.default.fileExists(atPath: secret))
            // A second file with the same name does not replace the first.
            try scene.put("d.jpg", Array("other".utf8))
            try await scene.rounds()
            #expect(scene.names("refused").contains("2-d.jpg"))
        }
    }

    @Test(.database) func `more than 99 refused files with the same name are all kept`() async throws {
        try await scene { scene in
            let refused = "\(scene.folder)/refused"
            try FileManager.default.createDirectory(atPath: refused, withIntermediateDirectories: true)
            let names = ["a.jpg"] + (2...99).map { "\($0)-a.jpg" }
            for name in names { try Data(name.utf8).write(to: URL(fileURLWithPath: "\(refused)/\(name)")) }
            try scene.put("a.jpg", Array("new".utf8))
            try await scene.rounds()
            for name in names {
                #expect(try String(contentsOfFile: "\(refused)/\(name)", encoding: .utf8) == name)
            }
            #expect(try String(contentsOfFile: "\(refused)/100-a.jpg", encoding: .utf8) == "new")
        }
    }

    @Test(.database) func `the text with the reason does not replace a refused file`() async throws {
        try await scene { scene in
            try scene.put("b.jpg.txt", Array("first".utf8))
            try await scene.rounds()
            try scene.put("b.jpg", Array("second".utf8))
            try await scene.rounds()
            let refused = "\(scene.folder)/refused"
            #expect(try String(contentsOfFile: "\(refused)/b.jpg.txt", encoding: .utf8) == "first")
            #expect(try String(contentsOfFile: "\(refused)/2-b.jpg", encoding: .utf8) == "second")
        }
    }

    @Test(.database) func `folders of unknown households and linked folders stay unchanged`() async throws {
        try await scene { scene in
            let unknownFolder = "\(scene.root)/\(HouseholdID.new())"
            try FileManager.default.createDirectory(atPath: unknownFolder, withIntermediateDirectories: true)
            try Data(Self.jpeg).write(to: URL(fileURLWithPath: "\(unknownFolder)/a.jpg"))
            let other = try await scene.harness.signUp("Eva Kern")
            symlink(unknownFolder, "\(scene.root)/\(other.household)")
            try await scene.rounds()
            #expect(FileManager.default.fileExists(atPath: "\(unknownFolder)/a.jpg"))
            let count = try scene.harness.owner().query("SELECT count(*) FROM receipt").first(Int64.self)
            #expect(count == 0)
        }
    }
}
