import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct UpgradeFolderTests {
    @Test func `an upgrade deletes its own files and those of killed upgrades, but not those of running upgrades`()
        throws
    {
        let parent = FileManager.default.temporaryDirectory.appending(path: "upgrades-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: parent) }
        let killed = "\(parent)/.upgrade-0123456789abcdef"
        try FileManager.default.createDirectory(atPath: killed, withIntermediateDirectories: true)
        for name in ["\(killed)/archive.tar", "\(killed)/archive.tar.part", "\(parent)/archive.tar"] {
            try Data([1]).write(to: URL(fileURLWithPath: name))
        }
        func names() throws -> Set<String> { Set(try FolderListing.names(parent, includesHidden: true)) }

        let running = try UpgradeFolder(in: parent)
        let runningName = String(running.path.dropFirst(parent.count + 1))
        #expect(try names() == ["archive.tar", runningName])
        try Data([1]).write(to: URL(fileURLWithPath: "\(running.path)/archive.tar"))
        struct Failure: Error {}
        func fail() throws {
            let folder = try UpgradeFolder(in: parent)
            try Data([1]).write(to: URL(fileURLWithPath: "\(folder.path)/archive.tar"))
            throw Failure()
        }
        #expect(throws: Failure.self) { try fail() }
        let left = try names()
        let kept = try FolderListing.names(running.path)
        withExtendedLifetime(running) {
            #expect(left == ["archive.tar", runningName])
            #expect(kept == ["archive.tar"])
        }
    }
}
