import Domain
import EventLoop
import Foundation
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Scans with the real reader, which the package manager builds into the build folder of the tests.
@Suite(.timeLimit(.minutes(5))) struct WineScanTests {
    /// A picture of a wine list. Tests that need the picture are skipped if it is missing.
    static let menu: [UInt8]? = {
        let folder = ProcessInfo.processInfo.environment["ALLESTEURER_TEST_DATA"] ?? TestSources.root + "/../shared"
        return (try? Data(contentsOf: URL(fileURLWithPath: folder + "/wine/menu_en_red.png"))).map { Array($0) }
    }()

    static let catalogue = """
        producer;name;country;region;colour;points;critic;drink from;drink until;price
        Roco;Gravel Road Pinot Noir;USA;Willamette Valley;red;93;AB;2020;2090;28
        La Crema;Pinot Noir;USA;Monterey;red;88;AB;2020;2090;19
        Elouan;Pinot Noir;USA;Oregon;red;86;AB;;;15
        Alta Vista;Estate Malbec;Argentinien;Mendoza;red;91;AB;2020;2090;14
        """

    @Test(.database, .enabled(if: menu != nil)) func `the response to a photo of a wine list contains its wines`()
        async throws
    {
        let menu = try #require(Self.menu)
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(anna, Self.catalogue)
            let page = try await anna.upload(
                "/wines/scan", field: "files", fileName: "karte.png", type: "image/png", menu)
            #expect(page.status == .ok)
            #expect(page.text.contains("data-list") && page.text.contains("data-page=\"0\""))
            #expect(page.text.contains("data-entry=\"0\"") && page.text.contains("60,00"))
            // A scanned list is saved only if the member requests it.
            #expect(try await !anna.get("/wines/scan").text.contains("/wine-scans/"))
        }
    }

    @Test(.database, .enabled(if: menu != nil))
    func `database, log and files contain nothing of a scanned picture`() async throws {
        let mark = Array("canary \(UInt64.random(in: .min ... .max))".utf8)
        // A decoder ignores the bytes after the end of the picture.
        let menu = try #require(Self.menu) + mark
        let file = LogFile()
        defer { file.remove() }
        let begin = Date()
        try await AppHarness.run { harness in
            let app = try App(
                config: try AppHarness.config(), database: harness.database, log: file.log(.debug))
            let anna = try await harness.signUp()
            let callerWithKey = try await harness.caller(anna, scopes: [.read])
            let caller = Caller(browser: Browser(app: app, language: "de"), key: callerWithKey.key)
            for target in ["/v1/wines/scan", "/v1/wines/scan?live=true"] {
                let answer = try await caller.send(
                    .post, target, type: "image/png", menu, fields: ["Idempotency-Key": "eins"])
                #expect(answer.status == .ok)
                // The picture was read, so its words could have been stored.
                #expect(answer.text.lowercased().contains("malbec"))
            }
            let connection = try harness.owner()
            #expect(try connection.query("SELECT count(*) FROM idempotent_request").first(Int64.self) == 0)
            let tables = try connection.query(
                "SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1"
            ).decode(String.self)
            for table in tables {
                let foundCount = try connection.query(
                    SQL(uncheckedText: "SELECT count(*) FROM \(table) t WHERE t::text ~* 'malbec|elouan|willamette'"))
                #expect(try foundCount.first(Int64.self) == 0, "\(table)")
                // The signature of a PNG in the text form of bytea.
                let bytes = try connection.query(
                    SQL(
                        uncheckedText:
                            "SELECT count(*) FROM \(table) t WHERE position('89504e470d0a1a0a' in t::text) > 0"))
                #expect(try bytes.first(Int64.self) == 0, "\(table)")
            }
        }
        let loggedText = try file.text()
        #expect(loggedText.contains("/api/v1/wines/scan"))
        #expect(!loggedText.lowercased().contains("malbec") && !loggedText.contains("canary"))
        #expect(Self.files(since: begin, with: mark) == [])
    }

    /// Returns files in the folders for temporary data that were written after `begin` and contain `mark`.
    private static func files(since begin: Date, with mark: [UInt8]) -> [String] {
        var found: [String] = []
        for folder in Set([NSTemporaryDirectory(), "/tmp", "/var/tmp", "/dev/shm"]) {
            let files = FileManager.default.enumerator(
                at: URL(fileURLWithPath: folder),
                includingPropertiesForKeys: [.contentModificationDateKey, .isRegularFileKey])
            for case let file as URL in files ?? .init() {
                if files?.level ?? 0 > 3 { files?.skipDescendants() }
                let values = try? file.resourceValues(forKeys: [
                    .contentModificationDateKey, .isRegularFileKey, .fileSizeKey,
                ])
                guard values?.isRegularFile == true, let changed = values?.contentModificationDate, changed >= begin,
                    values?.fileSize ?? 0 < 64 << 20, let data = try? Data(contentsOf: file)
                else { continue }
                if data.range(of: Data(mark)) != nil { found.append(file.path) }
            }
        }
        return found
    }

    @Test(.database, .enabled(if: menu != nil))
    func `requests over the operator's quotas are refused with an explanation`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try harness.limitWines(anna.household, scansADay: 0, hasLive: false)
            let caller = try await harness.caller(anna, scopes: [.read])
            let picture = try #require(Self.menu)
            let answer = try await caller.send(.post, "/v1/wines/scan", type: "image/png", picture)
            #expect(answer.status == .tooManyRequests && answer.text.contains("Tagesgrenze"))
            let live = try await caller.send(.post, "/v1/wines/scan?live=true", type: "image/png", picture)
            #expect(live.status == .tooManyRequests && live.text.contains("Kamera"))
        }
    }

    @Test(.database) func `a scan on an overloaded machine is answered with 503 and is not counted`() async throws {
        try await AppHarness.run { harness in
            var config = try AppHarness.config()
            config.reader = OverloadedReadingTests.reader
            let app = try App(config: config, database: harness.database, log: Log(level: .error))
            let anna = try await harness.signUp()
            try harness.limitWines(anna.household, scansADay: 1)
            let browser = Browser(app: app, language: "de")
            let caller = Caller(browser: browser, key: try await harness.caller(anna, scopes: [.read]).key)
            let picture = HostilePictures.png(width: 100, height: 200)
            for target in ["/v1/wines/scan", "/v1/wines/scan?live=true"] {
                let answer = try await caller.send(.post, target, type: "image/png", picture)
                #expect(answer.status == .serviceUnavailable && answer.problem == "problem-busy")
                #expect(
                    answer.headers[.retryAfter] == "30" && answer.text.contains("Der Server ist gerade ausgelastet"))
            }
            browser.cookies = anna.cookies
            let page = try await browser.upload(
                "/wines/scan", field: "files", fileName: "karte.png", type: "image/png", picture)
            #expect(page.status == .serviceUnavailable && page.headers[.retryAfter] == "30")
            #expect(page.text.contains("Das Bild wurde nicht gelesen") && page.text.contains("data-scan"))
            let counted = try harness.owner().query("SELECT coalesce(sum(count), 0)::bigint FROM wine_counter")
            #expect(try counted.first(Int64.self) == 0)
        }
    }

    @Test(.database) func `counts scans separately for each key`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (first, second) = (KeyID(high: 1, low: 1), KeyID(high: 1, low: 2))
            func scan(_ key: KeyID?, isLive: Bool = false) async throws {
                try await WinePlan.countScan(isLive: isLive, key: key, anna.household, harness.database)
            }
            // Without a plan there is no limit.
            try await scan(first)
            try harness.limitWines(anna.household, keyScansADay: 2)
            for isLive in [false, true] { try await scan(first, isLive: isLive) }
            await #expect(throws: WineQuotaError.keyScansToday) { try await scan(first) }
            await #expect(throws: WineQuotaError.keyScansToday) { try await scan(first, isLive: true) }
            try await scan(second)
            // Scans in the browser use no key.
            try await scan(nil)
        }
    }

    @Test(.database) func `a scan that is refused, or that finds no free reader, is not counted`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.signUp("Paul Huber")
            let key = KeyID(high: 1, low: 1)
            func scan(_ browser: Browser) async throws -> WinePlan.CountedScan {
                try await WinePlan.countScan(isLive: false, key: key, browser.household, harness.database)
            }
            // The household's limit refuses the scan, so the key's limit is not used up.
            try harness.limitWines(anna.household, scansADay: 0, keyScansADay: 1)
            for _ in 0..<2 {
                await #expect(throws: WineQuotaError.scansToday) { _ = try await scan(anna) }
            }
            try harness.limitWines(paul.household, scansADay: 1, keyScansADay: 1)
            let countedScan = try await scan(paul)
            try await WinePlan.subtractFromCounters(countedScan, paul.household, harness.database)
            _ = try await scan(paul)
            await #expect(throws: WineQuotaError.keyScansToday) { _ = try await scan(paul) }
        }
    }

    @Test func `reads one camera frame of a person at a time, and at most two per second`() async throws {
        let limiter = FrameLimiter()
        let person = PersonID(high: 1, low: 1)
        try await limiter.run(person, now: 0) {
            await #expect(throws: Refusal.self) { try await limiter.run(person, now: FrameLimiter.interval * 2) {} }
            // Another person is not affected.
            try await limiter.run(PersonID(high: 1, low: 2), now: 0) {}
        }
        await #expect(throws: Refusal.self) { try await limiter.run(person, now: FrameLimiter.interval - 1) {} }
        try await limiter.run(person, now: FrameLimiter.interval) {}
    }
}
