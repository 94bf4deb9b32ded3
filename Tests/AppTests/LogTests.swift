import Crypto
import Domain
import EventLoop
import Foundation
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// The log contains no names, texts or amounts.
@Suite(.timeLimit(.minutes(5))) struct LogTests {
    /// A word that all texts entered by the test contain.
    private static let mark = "zebrafink"

    private static let keys: Set<String> = [
        "time", "level", "event", "request", "method", "route", "status", "microseconds", "error",
    ]

    @Test(.database) func `the log contains the routes of requests but no input`()
        async throws
    {
        let file = LogFile()
        defer { file.remove() }
        let secrets = Secrets()
        try await AppHarness.run { harness in
            let app = try App(
                config: try AppHarness.config(), database: harness.database, log: file.log(.debug))
            try await Self.sendRequests(app, harness, secrets)
        }
        let (log, lines) = (try file.text(), try file.lines())
        #expect(lines.count > 25)
        for line in lines {
            let value = try JSONValue(reading: Array(line.utf8), limits: JSONLimits(size: 10_000))
            let keys = Set(value.object?.names ?? [])
            #expect(keys.isSubset(of: Self.keys), "\(keys)")
        }
        #expect(log.contains("\"route\":\"/setup/{token}\"") && log.contains("\"status\":500"))
        for word in [Self.mark, "4711,13", "471113", "4711.13"] + secrets.all {
            #expect(!log.lowercased().contains(word.lowercased()), "\(word)")
        }
    }

    @Test func `requests are logged during a database outage`() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let log = Log(level: .info, descriptor: ends[1])
        try await onLoop { loop in
            var settings = try PostgresSettings(url: "postgresql:///unused?host=/nonexistent")
            settings.queueTimeout = .milliseconds(1)
            let pool = Pool(loop: loop, settings: settings)
            defer { pool.close() }
            let app = try App(config: try AppHarness.config(), database: Database(pools: [pool]), log: log)
            let browser = Browser(app: app, language: "de")
            browser.cookies["__Host-session"] = Token.random().secret
            #expect(try await browser.get("/products?search=1").status == .serviceUnavailable)
        }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let text = String(decoding: bytes[..<max(0, read(ends[0], &bytes, bytes.count))], as: UTF8.self)
        #expect(text.contains("\"route\":\"/products\",\"status\":503"), "\(text)")
    }

    @Test func `a full log pipe drops lines and does not block the server`() {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let log = Log(level: .info, descriptor: ends[1])
        // 2,000 lines are more than the 64 KiB of a pipe.
        for number in 0..<2_000 { log.event(.info, "serving", [("address", "\(number)")]) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(ends[0], &bytes, bytes.count)
        #expect(count > 32_000)
        #expect(bytes[..<count].last == UInt8(ascii: "\n"))
    }

    @Test(.database) func `a lost database connection is logged`() async throws {
        let testDatabase = try TestDatabase.current
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let log = Log(level: .warning, descriptor: ends[1])
        try await onLoop { loop in
            let pool = await Pool.logged(on: loop, testDatabase.settings, log)
            defer { pool.close() }
            _ = try await pool.read("SELECT 1")
            _ = try SynchronousConnection(TestServer.settings()).query(
                "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE datname = \(testDatabase.name)")
            while pool.lastFailure == nil { await loop.sleep(for: .milliseconds(1)) }
        }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let text = String(decoding: bytes[..<max(0, read(ends[0], &bytes, bytes.count))], as: UTF8.self)
        #expect(text.contains("\"event\":\"database\""), "\(text)")
    }

    /// Tokens and cookies that must not appear in the log.
    private final class Secrets: @unchecked Sendable {
        // Safe to share: written by one task, and read after it has ended.
        var all: [String] = []
    }

    /// Sends requests whose input must not appear in the log.
    private static func sendRequests(_ app: App, _ harness: AppHarness, _ secrets: Secrets) async throws {
        let token = try await Invitations(database: harness.database).setUp().secret
        secrets.all.append(token)
        let browser = Browser(app: app, language: "de")
        let page = try await browser.get("/setup/\(token)")
        let account: KeyValuePairs = [
            "household": "Haus \(mark)", "name": "Anna \(mark)", "email": "\(mark)@example.at",
            "password": "\(mark) trinkt 7 Tassen",
        ]
        #expect(try await browser.post("/setup/\(token)", account, on: page).status == .seeOther)
        secrets.all += browser.cookies.values
        let other = Browser(app: app, language: "de")
        let signIn = try await other.get("/sign-in?next=/products?search=\(mark)")
        _ = try await other.post(
            "/sign-in", ["email": "\(mark)@example.at", "password": "\(mark)-falsch-und-lang"], on: signIn)
        let table = "Name;Price;Category;Shop;Datum\n\(mark) 1L;4711,13;\(mark);\(mark);21.10.2026\n"
        let preview = try await browser.upload(
            "/import", field: "file", fileName: "\(mark).csv", type: "text/csv", Array(table.utf8))
        let file = try #require(preview.location)
        _ = try await browser.get(file)
        _ = try await browser.post("\(file)/confirmation")
        _ = try await browser.upload(
            "/receipts", field: "files", fileName: "\(mark).png", type: "image/png",
            HostilePictures.png(width: 100, height: 200, rest: Array(mark.utf8)))
        let draft = try #require(try await browser.post("/receipts/drafts").location)
        for action in ["save", "add-line"] {
            _ = try await browser.post(
                draft,
                [
                    "revision": "1", "action": action, "store": mark, "day": "2026-03-04", "total": "4711,13",
                    "line": "new1", "name-new1": mark, "total-new1": "4711,13",
                ])
        }
        _ = try await browser.post("/compare/groups", ["name": mark, "unit": "kg"])
        _ = try await browser.post("/compare/groups", ["name": mark, "unit": "kg"])
        _ = try await browser.post("/settings/household", ["household": "\(mark) 2"])
        for target in [
            "/", "/receipts?search=\(mark)", "/products?search=\(mark)", "/\(mark)", "/products/\(mark)",
            "/join/\(mark)", "/export.csv", "/matching", "/receipts?search=\(mark)&before=\(mark)", "/compare",
        ] {
            _ = try await browser.get(target)
        }
        // An internal error: a table is missing.
        let owner = try harness.owner()
        try owner.query("ALTER TABLE product RENAME TO product_away")
        #expect(try await browser.get("/products?search=\(mark)").status == .internalServerError)
        #expect(
            try await browser.post(
                "/compare/groups", ["name": "\(mark) 3", "unit": "kg", "product": "\(ProductID.new())"]
            ).status
                == .internalServerError)
    }
}
