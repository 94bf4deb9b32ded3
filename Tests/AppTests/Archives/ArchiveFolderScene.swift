import Archive
import Domain
import EventLoop
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The app with a folder for archives. Tests run the archive jobs by calling `runJobs()`.
struct ArchiveFolderScene {
    static let passphrase = "fünf Birnen im Korb"
    static let password = "vier Tassen Kaffee 7"

    let harness: AppHarness
    let folder: String

    static func run(_ body: @escaping @Sendable (ArchiveFolderScene) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "archives-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await AppHarness.run(folder: folder) { harness in
            try await body(ArchiveFolderScene(harness: harness, folder: folder))
        }
    }

    func runJobs() async throws {
        let migrations = try Migration.read(directory: TestSources.root + "/Migrations")
        for archives in HouseholdArchives.all(root: folder) {
            await ArchiveJobRun(
                archives: archives, migrations: migrations, pool: harness.database.pool, log: Log(level: .error)
            ).run()
        }
    }

    func names(_ browser: Browser) -> [String] {
        HouseholdArchives(root: folder, browser.household).entries().map(\.name)
    }

    /// Makes an archive and returns its name.
    func make(_ browser: Browser) async throws -> String {
        let answer = try await browser.post("/settings/archives", ["passphrase": Self.passphrase])
        #expect(answer.location == "/settings/archives", "\(answer.text)")
        #expect(try await browser.get("/settings/archives").text.contains("<progress"))
        try await runJobs()
        return try #require(names(browser).first)
    }
}
