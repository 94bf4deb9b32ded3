import Domain
import Foundation
import HTTP
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import App

/// A watched folder whose files cannot be read, deleted or moved.
@Suite(.timeLimit(.minutes(5))) struct FaultyFolderTests {
    private static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
        + [0xFF, 0xC0, 0, 11, 8, 0, 100, 0, 100, 1, 1, 0x11, 0] + [UInt8](repeating: 0, count: 3_000)

    /// Makes operations on files fail, as a fault of the disk or of permissions does, until the fault is repaired.
    private final class Fault: Sendable {
        private let exists = Atomic<Bool>(true)
        private let attempts = Atomic<Int>(0)

        /// The number of operations that failed.
        var count: Int { attempts.load(ordering: .relaxed) }

        func repair() { exists.store(false, ordering: .relaxed) }

        /// Whether the operation fails.
        func fails() -> Bool {
            guard exists.load(ordering: .relaxed) else { return false }
            attempts.add(1, ordering: .relaxed)
            return true
        }
    }

    private struct Scene {
        let harness: AppHarness
        let household: HouseholdID
        let root: String
        /// Seconds since 1970.
        let start = Int64(time(nil))
        var watched: WatchedFolder

        private var folder: String { "\(root)/\(household)" }

        init(_ harness: AppHarness, _ operations: FileOperations) async throws {
            self.harness = harness
            household = try await harness.signUp().household
            root = FileManager.default.temporaryDirectory.appendingPathComponent("watched-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(
                atPath: "\(root)/\(household)", withIntermediateDirectories: true)
            watched = WatchedFolder(
                root: root, database: harness.database, texts: harness.app.texts, log: harness.app.log,
                operations: operations)
        }

        /// Discards the state of earlier rounds, as a restart of the server does.
        mutating func restart(_ operations: FileOperations, log: Log) {
            watched = WatchedFolder(
                root: root, database: harness.database, texts: harness.app.texts, log: log, operations: operations)
        }

        func put(_ name: String, _ bytes: [UInt8]) throws {
            try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }

        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

        /// Runs two rounds. The first round only records new files.
        ///
        /// - Parameter seconds: the time of both rounds, after the start of the test.
        mutating func rounds(after seconds: Int64 = 60) async throws {
            for _ in 0..<2 { try await watched.round(now: start + seconds) }
        }

        func count(_ table: String) throws -> Int64? {
            try harness.owner().query(SQL(uncheckedText: "SELECT count(*) FROM \(table)")).first(Int64.self)
        }

        func remove() { try? FileManager.default.removeItem(atPath: root) }
    }

    @Test(.database) func `a file that cannot be read is tried again later, and does not stop other files`()
        async throws
    {
        try await AppHarness.run { harness in
            let fault = Fault()
            var operations = FileOperations()
            operations.read = { file, range in
                file.size > Self.jpeg.count && fault.fails() ? nil : file.read(range)
            }
            var scene = try await Scene(harness, operations)
            defer { scene.remove() }
            try scene.put("a.jpg", Self.jpeg + [1])
            try scene.put("b.jpg", Self.jpeg)
            try await scene.rounds()
            #expect(try scene.names() == ["a.jpg"])
            #expect(try scene.count("receipt") == 1)
            #expect(try scene.count("blob") == 1)
            // The pauses are one minute and two minutes.
            #expect(fault.count == 1)
            try await scene.rounds(after: 100)
            #expect(fault.count == 1)
            try await scene.rounds(after: 130)
            #expect(fault.count == 2)
            try await scene.rounds(after: 200)
            #expect(fault.count == 2)
            fault.repair()
            try await scene.rounds(after: 300)
            #expect(try scene.names() == [])
            #expect(try scene.count("receipt") == 2)
        }
    }

    @Test(.database) func `a file that cannot be deleted is imported once, and the fault is logged once`() async throws
    {
        try await AppHarness.run { harness in
            let fault = Fault()
            var operations = FileOperations()
            operations.delete = { fault.fails() ? EACCES : FileOperations().delete($0) }
            var scene = try await Scene(harness, operations)
            defer { scene.remove() }
            let logFile = LogFile()
            defer { logFile.remove() }
            scene.restart(operations, log: logFile.log(.warning))
            try scene.put("a.jpg", Self.jpeg)
            try scene.put("b.jpg", Self.jpeg + [1])
            try await scene.rounds()
            try await scene.rounds(after: 130)
            #expect(try scene.names() == ["a.jpg", "b.jpg"])
            #expect(try scene.count("receipt") == 2)
            let log = try logFile.text()
            #expect(log.split(separator: "\n").count == 1, "\(log)")
            #expect(log.contains("unlink") && !log.contains("a.jpg"))
            // The digest does not find a discarded receipt, so the file is recognised by its row in `watched_file`.
            try harness.owner().query("UPDATE receipt SET discarded_at = now()")
            scene.restart(operations, log: harness.app.log)
            try await scene.rounds()
            #expect(try scene.count("receipt") == 2)
            #expect(try scene.count("watched_file") == 2)
            // A changed file becomes another receipt.
            try scene.put("b.jpg", Self.jpeg + [1, 2])
            try await scene.rounds()
            #expect(try scene.count("receipt") == 3)
            fault.repair()
            try await scene.rounds(after: 300)
            #expect(try scene.names() == [])
            #expect(try scene.count("receipt") == 3)
            #expect(try scene.count("watched_file") == 0)
        }
    }

    @Test(.database) func `a file that a person deleted is imported again when it comes back`() async throws {
        try await AppHarness.run { harness in
            var operations = FileOperations()
            operations.delete = { _ in EACCES }
            var scene = try await Scene(harness, operations)
            defer { scene.remove() }
            try scene.put("a.jpg", Self.jpeg)
            try await scene.rounds()
            #expect(try scene.count("watched_file") == 1)
            // Size and time of the file do not change.
            let (path, aside) = ("\(scene.root)/\(scene.household)/a.jpg", "\(scene.root)/a.jpg")
            try FileManager.default.moveItem(atPath: path, toPath: aside)
            try await scene.rounds(after: 70)
            #expect(try scene.count("watched_file") == 0)
            try harness.owner().query("UPDATE receipt SET discarded_at = now()")
            try FileManager.default.moveItem(atPath: aside, toPath: path)
            try await scene.rounds(after: 80)
            #expect(try scene.count("receipt") == 2)
        }
    }

    @Test(.database) func `no file is read while the database's disk is full`() async throws {
        try await AppHarness.run { harness in
            let fault = Fault()
            var operations = FileOperations()
            operations.read = { file, range in fault.fails() ? nil : file.read(range) }
            var scene = try await Scene(harness, operations)
            defer { scene.remove() }
            try scene.put("a.jpg", Self.jpeg)
            harness.database.diskSpace.recordRefusal()
            try await scene.rounds()
            #expect(try scene.names() == ["a.jpg"])
            #expect(fault.count == 0)
        }
    }

    @Test(.database) func `a refused file that cannot be moved is not read in every round`() async throws {
        try await AppHarness.run { harness in
            let fault = Fault()
            var operations = FileOperations()
            operations.move = { fault.fails() ? EACCES : FileOperations().move($0, $1) }
            var scene = try await Scene(harness, operations)
            defer { scene.remove() }
            try scene.put("a.jpg", Array("text".utf8))
            for _ in 0..<3 { try await scene.rounds() }
            #expect(fault.count == 1)
            fault.repair()
            try await scene.rounds(after: 130)
            #expect(try scene.names() == ["refused"])
        }
    }

    @Test(.database) func `a file whose name is not UTF-8 is reported once, and does not stop other files`()
        async throws
    {
        try await AppHarness.run { harness in
            var scene = try await Scene(harness, FileOperations())
            defer { scene.remove() }
            let logFile = LogFile()
            defer { logFile.remove() }
            scene.restart(FileOperations(), log: logFile.log(.warning))
            // "ä.jpg" in ISO 8859-1.
            let name = Array("\(scene.root)/\(scene.household)/".utf8) + [0xE4] + Array(".jpg".utf8) + [0]
            let file = name.withUnsafeBytes {
                open($0.baseAddress!.assumingMemoryBound(to: CChar.self), O_CREAT | O_WRONLY, 0o600)
            }
            try #require(file >= 0)
            close(file)
            // FileManager cannot delete it.
            defer { _ = name.withUnsafeBytes { unlink($0.baseAddress!.assumingMemoryBound(to: CChar.self)) } }
            try scene.put("b.jpg", Self.jpeg)
            for _ in 0..<2 { try await scene.rounds() }
            #expect(try scene.count("receipt") == 1)
            let log = try logFile.text()
            #expect(log.split(separator: "\n").count == 1 && log.contains("lstat"), "\(log)")
        }
    }
}
