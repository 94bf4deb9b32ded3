import Archive
import Domain
import EventLoop
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Failed, interrupted and damaged jobs that make or restore archives.
@Suite(.timeLimit(.minutes(5))) struct ArchiveJobTests {
    @Test(.database) func `an archive that could not be made is reported until it is dismissed`() async throws {
        try await ArchiveFolderScene.run { scene in
            let anna = try await scene.harness.signUp()
            _ = try await anna.post("/settings/archives", ["passphrase": ArchiveFolderScene.passphrase])
            let name = try #require(scene.names(anna).first)
            // Create a folder with the name of the archive's file, so that the file cannot be created.
            let folder = HouseholdArchives(root: scene.folder, anna.household).folder
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)\(BackupFile.suffix)", withIntermediateDirectories: false)
            try await scene.runJobs()
            #expect(try await anna.get("/settings/archives").text.contains("konnte nicht erstellt werden"))
            _ = try await anna.post("/settings/archives/removal", ["archive": name])
            #expect(try await !anna.get("/settings/archives").text.contains("konnte nicht erstellt werden"))
        }
    }

    @Test(.database) func `only the newest archives are kept`() async throws {
        try await ArchiveFolderScene.run { scene in
            let anna = try await scene.harness.signUp()
            let archives = HouseholdArchives(root: scene.folder, anna.household)
            try archives.makeFolder()
            for time in Int64(1)...5 {
                try Data([1]).write(to: URL(fileURLWithPath: "\(archives.folder)/\(archives.newArchive(madeAt: time))"))
            }
            let name = try await scene.make(anna)
            #expect(Set(scene.names(anna)) == [name, archives.newArchive(madeAt: 5), archives.newArchive(madeAt: 4)])
        }
    }

    @Test(.database) func `deletes an upload that a killed server left without a job`() async throws {
        try await ArchiveFolderScene.run { scene in
            let anna = try await scene.harness.signUp()
            let archives = HouseholdArchives(root: scene.folder, anna.household)
            try archives.makeFolder()
            let (orphaned, waiting, kept) = (archives.newUpload(), archives.newUpload(), archives.newArchive(madeAt: 1))
            for name in [orphaned, waiting, "\(waiting).job", kept] {
                try Data([1]).write(to: URL(fileURLWithPath: "\(archives.folder)/\(name)"))
            }
            let now = Int64(time(nil))
            archives.removePartialFiles(now: now)
            #expect(Set(try FolderListing.names(archives.folder)) == [orphaned, waiting, "\(waiting).job", kept])
            archives.removePartialFiles(now: now + 4_000)
            #expect(Set(try FolderListing.names(archives.folder)) == [waiting, "\(waiting).job", kept])
        }
    }

    @Test(.database) func `ends jobs whose files are damaged, and accepts new jobs`() async throws {
        try await ArchiveFolderScene.run { scene in
            let anna = try await scene.harness.signUp()
            let archives = HouseholdArchives(root: scene.folder, anna.household)
            try archives.makeFolder()
            let (upload, archive) = (archives.newUpload(), archives.newArchive(madeAt: 1))
            for name in [upload, "\(upload).job", "\(archive).job", "foreign.job"] {
                try Data([1]).write(to: URL(fileURLWithPath: "\(archives.folder)/\(name)"))
            }
            #expect(archives.isBusy)
            try await scene.runJobs()
            #expect(!archives.isBusy)
            #expect(Set(try FolderListing.names(archives.folder)) == ["\(upload).result", "\(archive).result"])
            let states = archives.entries().map { "\($0.name) \($0.state)" }
            #expect(Set(states) == ["\(upload) refused(\"failed\")", "\(archive) refused(\"unmade\")"])
            let answer = try await anna.post("/settings/archives", ["passphrase": ArchiveFolderScene.passphrase])
            #expect(answer.location == "/settings/archives")
        }
    }

    @Test(.database) func `a job is damaged if its file contains no job`() async throws {
        try await ArchiveFolderScene.run { scene in
            let anna = try await scene.harness.signUp()
            let archives = HouseholdArchives(root: scene.folder, anna.household)
            try archives.makeFolder()
            let name = archives.newUpload()
            let path = "\(archives.folder)/\(name).job"
            #expect(!archives.isDamaged(name))
            for bytes in [Data(), Data("{}".utf8), Data(repeating: 32, count: 20_000)] {
                try bytes.write(to: URL(fileURLWithPath: path))
                #expect(archives.isDamaged(name))
            }
            let key = try #require(ArchiveKey([UInt8](repeating: 1, count: 32)))
            try archives.add(ArchiveJob(kind: .make, person: anna.person, key: key), for: name)
            #expect(!archives.isDamaged(name))
            // A file that cannot be read is tried again for an hour.
            let now = Int64(time(nil))
            #expect(!archives.isDamaged(name, now: now + 3_000) { _, _ in nil })
            #expect(archives.isDamaged(name, now: now + 4_000) { _, _ in nil })
            #expect(!archives.isDamaged(name, now: now + 4_000))
        }
    }

    @Test(.database) func `a job that takes too long is retried for an hour`() async throws {
        try await ArchiveFolderScene.run { scene in
            let anna = try await scene.harness.signUp()
            let archives = HouseholdArchives(root: scene.folder, anna.household)
            try archives.makeFolder()
            let name = archives.newArchive(madeAt: 1)
            try Data([1]).write(to: URL(fileURLWithPath: "\(archives.folder)/\(name).job"))
            let now = Int64(time(nil))
            #expect(archives.mayRetry(name, now: now + 3_000))
            #expect(!archives.mayRetry(name, now: now + 4_000))
        }
    }
}
