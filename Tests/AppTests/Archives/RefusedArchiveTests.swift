import Archive
import Crypto
import Domain
import Foundation
import Postgres
import TestSupport
import Testing

@testable import App

/// Archives that must be refused without any change.
@Suite(.timeLimit(.minutes(5))) struct RefusedArchiveTests {
    /// Restores `path` as a new household and expects a refusal without changes.
    private func expectRefusal(
        _ path: String, _ scene: ArchivedScene, _ note: String, _ expected: ArchiveError? = nil
    ) async throws {
        let countsBefore = try scene.counts()
        do {
            let restoration = try scene.restoration(path)
            _ = try await restoration.restoreHousehold(scene.pool, .byLogin, as: .new())
            Issue.record("accepted: \(note)")
        } catch let error as ArchiveError {
            if let expected { #expect(error == expected, "\(note)") }
        }
        #expect(try scene.counts() == countsBefore, "\(note)")
    }

    @Test(.database) func `refuses an archive with a flipped bit or a cut in any block, and changes nothing`()
        async throws
    {
        try await ArchivedScene.run { scene in
            let path = try await scene.backUp(.household(scene.household))
            let countsBefore = try scene.counts()
            let archive = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            let damaged = "\(scene.folder)/damaged.tar"
            let key = try scene.check(path).key
            // Every 512-byte block of the documents, and some blocks of the pictures. ArchiveTests flips every bit.
            let blocks = stride(from: 0, to: archive.count, by: 512).filter { $0 < 60_000 || $0 % 65_536 == 0 }
            var accepted: [String] = []
            for start in blocks {
                var bytes = archive
                bytes[start + (start / 512) % 512] ^= 4
                try Data(bytes).write(to: URL(fileURLWithPath: damaged))
                if (try? ArchiveCheck.run(damaged, key: { _ in key })) != nil { accepted.append("bit at \(start)") }
                try Data(archive[..<start]).write(to: URL(fileURLWithPath: damaged))
                if (try? ArchiveCheck.run(damaged, key: { _ in key })) != nil { accepted.append("cut at \(start)") }
            }
            #expect(accepted == [])
            #expect(try scene.counts() == countsBefore)
        }
    }

    @Test(.database) func `refuses a wrong passphrase, a later schema, and an archive of the whole installation`()
        async throws
    {
        try await ArchivedScene.run { scene in
            let path = try await scene.backUp(.household(scene.household))
            #expect(throws: ArchiveError.wrongPassphrase) {
                try ArchiveCheck.run(path, ArchivedScene.otherPassphrase)
            }
            let newer = try scene.forge(path, head: { $0.schema += 1 }) { _, line in [line] }
            let schema = try scene.check(path).head.schema
            #expect(throws: ArchiveError.newer("schema \(schema + 1)")) { try scene.restoration(newer) }
            let everything = try await scene.backUp(.installation, name: "everything.tar")
            try await expectRefusal(everything, scene, "an archive of the installation")
            let restoration = try scene.restoration(everything)
            await #expect(throws: Restoration.Problem.notEmpty) { try await restoration.restoreAll(scene.pool) }
        }
    }

    @Test(.database) func `documents that no archive can contain are refused, and nothing is changed`() async throws {
        try await ArchivedScene.run { scene in
            let path = try await scene.backUp(.household(scene.household))
            let other = try await scene.harness.signUp("Otto Maier", household: "Andere")
            func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }
            let own = scene.household.description
            let cases: [(String, (ArchivePart, [UInt8]) -> [[UInt8]])] = [
                ("a row twice", { part, line in part.name == "store" ? [line, line] : [line] }),
                (
                    "a row of another household",
                    { part, line in
                        guard part.name == "store" else { return [line] }
                        return [Array(text(line).replacing(own, with: other.household.description).utf8)]
                    }
                ),
                (
                    "a membership of another household",
                    { part, line in
                        guard part.name == "membership" else { return [line] }
                        return [Array(text(line).replacing(own, with: other.household.description).utf8)]
                    }
                ),
                (
                    "a person who is not in the archive",
                    { part, line in
                        guard part.name == "membership" else { return [line] }
                        return [
                            Array(
                                text(line).replacing(
                                    #/"person_id": "[^"]*"/#, with: "\"person_id\": \"\(PersonID.new())\""
                                ).utf8)
                        ]
                    }
                ),
                ("a reference to a missing row", { part, line in part.name == "product" ? [] : [line] }),
                ("a household without its row", { part, line in part.name == "household" ? [] : [line] }),
                ("a missing picture", { part, line in part.isPictures ? [] : [line] }),
                (
                    "a missing column",
                    { part, line in
                        part.name == "store"
                            ? [Array(text(line).replacing("\"town\":", with: "\"twon\":").utf8)] : [line]
                    }
                ),
                (
                    "a number out of range",
                    { part, line in
                        part.name == "price"
                            ? [
                                Array(
                                    text(line).replacing(
                                        #/"paid_thousandths": \d+/#, with: "\"paid_thousandths\": 1e300"
                                    ).utf8)
                            ] : [line]
                    }
                ),
                (
                    "a value that violates a constraint",
                    { part, line in
                        part.name == "household"
                            ? [Array(text(line).replacing("\"EUR\"", with: "\"XXX\"").utf8)] : [line]
                    }
                ),
                (
                    "nested arrays",
                    { part, line in
                        part.name == "store"
                            ? [
                                Array(
                                    (String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000))
                                        .utf8)
                            ] : [line]
                    }
                ),
                ("not an object", { part, line in part.name == "store" ? [Array("1".utf8)] : [line] }),
                ("not JSON", { part, line in part.name == "store" ? [Array("{\"id\":".utf8)] : [line] }),
                (
                    "a zero byte",
                    { part, line in
                        part.name == "store"
                            ? [Array(text(line).replacing("\"town\": \"\"", with: "\"town\": \"\\u0000\"").utf8)]
                            : [line]
                    }
                ),
                ("a person twice", { part, line in part == .people ? [line, line] : [line] }),
            ]
            for (note, edit) in cases {
                try await expectRefusal(try scene.forge(path, edit), scene, note)
            }
        }
    }

    @Test(.database) func `an unknown table is refused`() async throws {
        try await ArchivedScene.run { scene in
            let path = try await scene.backUp(.household(scene.household))
            let head = try scene.check(path).head
            for table in ["session", "person", "pg_authid", "unknown"] {
                let forgedArchive = "\(scene.folder)/\(table).tar"
                let file = try BackupFile(forgedArchive)
                let writer = try ArchiveWriter(file, head)
                try writer.append(
                    Array("{\"id\":\"\(scene.household)\"}".utf8),
                    to: .documents(table, of: scene.household.relabelled()))
                _ = try writer.finish(try ArchiveKey(passphrase: ArchivedScene.passphrase, salt: head.salt))
                _ = try file.finish()
                try await expectRefusal(forgedArchive, scene, table)
            }
        }
    }

    @Test(.database) func `a backup never replaces a file, and a failed backup leaves no file`() async throws {
        try await ArchivedScene.run { scene in
            let path = try await scene.backUp(.installation)
            #expect(throws: BackupFile.AlreadyExists.self) { try BackupFile(path) }
            do {
                let file = try BackupFile("\(scene.folder)/second.tar")
                try file.write([UInt8](repeating: 1, count: 1 << 20))
                #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder).contains("second.tar.part"))
                // The partial file of a running backup is not replaced.
                #expect(throws: BackupFile.AlreadyExists.self) { try BackupFile("\(scene.folder)/second.tar") }
                #expect(!BackupFile.removePartialFile("\(scene.folder)/second.tar.part"))
                #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder).contains("second.tar.part"))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder) == ["archive.tar"])
        }
    }
}
