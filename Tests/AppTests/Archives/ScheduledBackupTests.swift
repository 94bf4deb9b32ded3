import Archive
import Domain
import EventLoop
import Foundation
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct ScheduledBackupTests {
    private static let schedule = BackupSchedule(interval: 86_400, backupsToKeep: 2)
    /// The time 2026-11-25T00:33:48Z, in seconds since 1970.
    private static let now: Int64 = 1_795_566_828

    private static func name(_ seconds: Int64) -> String { BackupName(household: nil, madeAt: now + seconds).text }

    @Test func `the file name of a backup contains its time, which is read from the name`() throws {
        #expect(Self.name(0) == "allesteurer-20261125T003348Z.tar")
        #expect(BackupName(text: Self.name(0)) == BackupName(household: nil, madeAt: Self.now))
        let household = BackupName(household: .new(), madeAt: Self.now)
        #expect(BackupName(text: household.text) == household)
    }

    @Test(arguments: [
        "", ".tar", "allesteurer-20261125T003348Z.tar.part", "allesteurer-20261332T003348Z.tar",
        "allesteurer-20261125T006348Z.tar", "../allesteurer-20261125T003348Z.tar", "household-x-20261125T003348Z.tar",
        "Allesteurer-20261125T003348Z.tar", "allesteurer-20261125T0033４8Z.tar",
    ])
    func `rejects file names that are not names of backups`(text: String) { #expect(BackupName(text: text) == nil) }

    @Test func `a backup is due when the newest backup is as old as the interval`() {
        let (schedule, now) = (Self.schedule, Self.now)
        #expect(schedule.isDue([], now: now))
        #expect(schedule.isDue(["notes.txt", "\(Self.name(-60)).part"], now: now))
        #expect(!schedule.isDue([Self.name(-90_000), Self.name(-86_399)], now: now))
        #expect(schedule.isDue([Self.name(-86_400)], now: now))
        // The clock of another server is ahead.
        #expect(!schedule.isDue([Self.name(60)], now: now))
        #expect(!schedule.isDue([Self.name(86_400)], now: now))
    }

    @Test func `a backup with a time far in the future does not delay the next backup`() {
        let (schedule, now) = (Self.schedule, Self.now)
        let future = [Self.name(500_000), Self.name(300_000_000)]
        #expect(schedule.isDue(future, now: now))
        #expect(schedule.isDue(future + [Self.name(-86_400)], now: now))
        #expect(!schedule.isDue(future + [Self.name(-86_399)], now: now))
        // The new backup is kept, although the times of two other backups are later.
        #expect(schedule.expired(future + [Self.name(0)], after: Self.name(0)) == [])
        #expect(schedule.expired(future + [Self.name(0), Self.name(-1)], after: Self.name(0)) == [Self.name(-1)])
    }

    @Test func `deletes all but the newest backups, and no other files`() {
        let household = BackupName(household: .new(), madeAt: 0).text
        let names = [Self.name(-3), Self.name(-1), "notes.txt", Self.name(-2), household, Self.name(-4)]
        #expect(Self.schedule.expired(names, after: Self.name(-1)) == [Self.name(-3), Self.name(-4)])
    }

    @Test(.database)
    func `writes a backup, deletes the partial file of an interrupted backup, and keeps the newest backups`()
        async throws
    {
        try await ArchivedScene.run { scene in
            var config = try AppHarness.config()
            config.backupFolder = scene.folder
            config.backupKey = ArchivedScene.passphrase
            config.backupsKept = 1
            let old = "\(scene.folder)/\(Self.name(-90_000))"
            for path in [old, "\(scene.folder)/\(Self.name(-80_000)).part"] {
                try Data([1]).write(to: URL(fileURLWithPath: path))
            }
            var scheduled = try #require(ScheduledBackups(config, scene.pool, Log(level: .error)))
            for _ in 0..<2 { await scheduled.run(now: Self.now) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder) == [Self.name(0)])
            #expect(try scene.check("\(scene.folder)/\(Self.name(0))").head.scope == .installation)
        }
    }

    @Test(.database) func `waits longer after each failure`() async throws {
        let file = LogFile()
        defer { file.remove() }
        try await ArchivedScene.run { scene in
            var config = try AppHarness.config()
            config.backupFolder = "\(scene.folder)/missing"
            config.backupKey = ArchivedScene.passphrase
            var scheduled = try #require(ScheduledBackups(config, scene.pool, file.log(.error)))
            for (seconds, failures) in [(0, 1), (59, 1), (60, 2), (179, 2), (180, 3)] as [(Int64, Int)] {
                await scheduled.run(now: Self.now + seconds)
                #expect(try file.lines().count == failures, "after \(seconds) seconds")
            }
            // The clock was set back.
            await scheduled.run(now: Self.now - 100_000)
            #expect(try file.lines().count == 4)
        }
    }

    @Test func `stops before the disk is full, and leaves no file`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "backup-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var checks = 0
        let file = try BackupFile("\(folder)/a.tar", leavingFree: 1 << 20) { _ in
            checks += 1
            return checks < 3 ? 1 << 20 : (1 << 20) - 1
        }
        let chunk = [UInt8](repeating: 1, count: ArchiveUpload.interval)
        for _ in 0..<2 { try file.write(chunk) }
        let error = #expect(throws: SystemError.self) { try file.write(chunk) }
        #expect(error?.code == ENOSPC)
        file.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
}
