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

    private static let catalogue = """
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
            // A scanned list is not saved unless the member requests it.
            #expect(try await !anna.get("/wines/scan").text.contains("/wine-scans/"))
        }
    }

    @Test(.database, .enabled(if: menu != nil))
    func `database, log and files contain nothing of a scanned picture`() async throws {
        let mark = Array("canary \(UInt64.random(in: .min ... .max))".utf8)
        // Append bytes that a decoder ignores to the picture.
        let menu = try #require(Self.menu) + mark
        let log = NSTemporaryDirectory() + "allesteurer-wines.\(UInt64.random(in: .min ... .max))"
        let descriptor = open(log, O_CREAT | O_RDWR | O_APPEND, 0o600)
        defer {
            close(descriptor)
            unlink(log)
        }
        let begin = Date()
        try await AppHarness.run { harness in
            let app = try App(
                config: try AppHarness.config(), database: harness.database,
                log: Log(level: .debug, descriptor: descriptor))
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
                // The signature of a PNG, as the text form of bytea shows it.
                let bytes = try connection.query(
                    SQL(
                        uncheckedText:
                            "SELECT count(*) FROM \(table) t WHERE position('89504e470d0a1a0a' in t::text) > 0"))
                #expect(try bytes.first(Int64.self) == 0, "\(table)")
            }
        }
        let loggedText = try String(contentsOfFile: log, encoding: .utf8)
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

    private static let list = """
        {"pages": [[1000, 1000]], "entries": [
            {"text": "Roco Gravel Road Pinot Noir", "name": "Roco Gravel Road Pinot Noir", "page": 0,
             "box": [10, 10, 500, 40], "textBox": [10, 10, 400, 40], "sure": [900, 0, 900, 0, 0, 0, 0, 0],
             "prices": [{"amount": 6400, "serving": "bottle", "size": 750, "sure": 900}]},
            {"text": "Blaues Wunder", "name": "Blaues Wunder", "page": 0, "box": [10, 60, 500, 40],
             "textBox": [10, 60, 400, 40], "sure": [900, 0, 900, 0, 0, 0, 0, 0],
             "prices": [{"amount": 4000, "serving": "bottle", "sure": 900}]}]}
        """

    @Test(.database) func `filters are part of the address and hide wines that do not match them`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(anna, Self.catalogue)
            let all = try await anna.post("/wines/scan/list", ["list": Self.list])
            #expect(all.text.contains("Gravel Road") && all.text.contains("Blaues Wunder"))
            #expect(all.text.contains("formaction=\"/wines/scan/list?points=90\""))
            let good = try await anna.post("/wines/scan/list?points=90&ready=1", ["list": Self.list])
            #expect(good.text.contains("Gravel Road") && !good.text.contains("data-entry=\"1\""))
            #expect(good.text.contains("formaction=\"/wines/scan/list?ready=1\""))
            let cheap = try await anna.post("/wines/scan/list?up-to=40", ["list": Self.list])
            #expect(!cheap.text.contains("data-entry=\"0\"") && cheap.text.contains("data-entry=\"1\""))
            // Without a match there is no empty card below the message.
            let none = try await anna.post("/wines/scan/list?up-to=1", ["list": Self.list])
            #expect(none.text.contains("Kein Wein passt zu diesem Filter") && !none.text.contains("rows plain scanned"))
        }
    }

    @Test(.database) func `filters and orders compare only prices in the most frequent currency of the list`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            func entry(_ name: String, _ amount: Int, _ currency: String) -> String {
                """
                {"text": "\(name)", "name": "\(name)", "page": 0, "box": [10, 10, 500, 40],
                 "textBox": [10, 10, 400, 40], "sure": [900, 0, 900, 0, 0, 0, 0, 0],
                 "prices": [{"amount": \(amount), "serving": "bottle", "currency": "\(currency)", "sure": 900}]}
                """
            }
            let entries = [
                entry("Dollarwein", 1_000, "USD"), entry("Frankenwein", 5_000, "CHF"), entry("Fendant", 3_000, "CHF"),
            ]
            let list = "{\"pages\": [[1000, 1000]], \"entries\": [\(entries.joined(separator: ","))]}"
            let cheap = try await anna.post("/wines/scan/list?up-to=40", ["list": list]).text
            #expect(!cheap.contains("data-entry=\"0\"") && !cheap.contains("data-entry=\"1\""))
            let limit = "40,00 CHF"
            #expect(cheap.contains("data-entry=\"2\"") && cheap.contains("bis \(limit)"))
            let sorted = try await anna.post("/wines/scan/list?sort=price", ["list": list]).text
            let places = try ["Fendant", "Frankenwein", "Dollarwein"].map { name in
                try #require(sorted.range(of: ">\(name)<")).lowerBound
            }
            #expect(places == places.sorted())
        }
    }

    @Test(.database) func `a list shows the release price and what the household last paid`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(anna, Self.catalogue)
            let wine = try WineCatalogueTests.href(of: "Gravel Road", try await anna.get("/wines"))
            let first = try await anna.post("/wines/scan/list", ["list": Self.list]).text
            #expect(first.contains("Preis ab Weingut 28,00") && !first.contains("zuletzt bezahlt"))
            for (day, price) in [("2025-03-01", "31,50"), ("2024-03-01", "25"), ("2026-03-01", "")] {
                _ = try await anna.post("\(wine)/bottles", ["count": "1", "bottle-price": price, "bought-on": day])
            }
            let second = try await anna.post("/wines/scan/list", ["list": Self.list]).text
            #expect(second.contains("zuletzt bezahlt 31,50") && !second.contains("25,00"))
        }
    }

    @Test(.database) func `similar wines on the list with higher scores are suggested`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(anna, Self.catalogue)
            let list = Self.list.replacing("Blaues Wunder", with: "La Crema, Pinot Noir").replacing(
                "4000", with: "6000")
            let page = try await anna.post("/wines/scan/list", ["list": list]).text
            let better = try #require(page.range(of: "Ähnliche Weine auf dieser Karte, besser bewertet"))
            // For the wine with 88 points, the wine with 93 is suggested; for the wine with 93, none.
            #expect(page[better.upperBound...].prefix(1_000).contains("Gravel Road"))
            #expect(page.ranges(of: "Ähnliche Weine auf dieser Karte").count == 1)
            // A wine that costs more than 30 % more is not suggested.
            let cheap = try await anna.post("/wines/scan/list", ["list": list.replacing("6000", with: "3000")]).text
            #expect(!cheap.contains("Ähnliche Weine auf dieser Karte"))
        }
    }

    @Test(.database) func `a corrected match is used again for the same printed text`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(anna, Self.catalogue)
            let wine = String(try WineCatalogueTests.href(of: "Elouan", try await anna.get("/wines")).dropFirst(7))
            let confirmation = try await anna.post("/wines/scan/list", ["list": Self.list, "decision": "1:is:\(wine)"])
            #expect(confirmation.text.contains("value=\"1:not:\(wine)\""))
            // From then on, the text is matched with that wine.
            let laterScan = try await anna.post("/wines/scan/list", ["list": Self.list])
            #expect(laterScan.text.contains("value=\"1:not:\(wine)\""))
            let rejection = try await anna.post("/wines/scan/list", ["list": Self.list, "decision": "1:not:\(wine)"])
            #expect(!rejection.text.contains("value=\"1:not:\(wine)\""))
        }
    }

    @Test(.database) func `a decision that would exceed the limit of wines is refused with an explanation`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let columns = WineImportColumns([
                try ImportedWine(
                    ["Roco", "Gravel Road"], WineMapping(columns: [.producer: 0, .name: 1], currency: .eur))
            ])
            let owner = try harness.owner()
            try owner.query(columns.sharedInsertion)
            try owner.query("UPDATE shared_wine_catalogue SET version = version + 1")
            let wine = try #require(try owner.query("SELECT id FROM shared_wine").first(WineID.self))
            try harness.limitWines(anna.household, maximumWines: 0)
            let decision = "1:is:\(wine)"
            let page = try await anna.post("/wines/scan/list", ["list": Self.list, "decision": decision])
            #expect(page.status == .unprocessableContent)
            #expect(page.text.contains("Grenze erreicht") && page.text.contains("Blaues Wunder"))
            // The page of a saved list is shown again.
            let savedScan = try #require(try await anna.post("/wine-scans", ["list": Self.list]).location)
            let scan = String(savedScan.dropFirst("/wine-scans/".count))
            let secondAnswer = try await anna.post(
                "/wines/scan/list", ["list": Self.list, "scan": scan, "decision": decision])
            #expect(secondAnswer.location == savedScan)
            #expect(try await anna.get(savedScan).text.contains("so viele Weine"))
            #expect(try owner.query("SELECT count(*) FROM wine").first(Int64.self) == 0)
        }
    }

    @Test(.database) func `a list is saved with its prices, and only on request`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(anna, Self.catalogue)
            let scan = try await anna.get("/wines/scan")
            let saveAnswer = try await anna.post("/wine-scans", ["list": Self.list, "place": "Zum Anker"], on: scan)
            let href = try #require(saveAnswer.location)
            let secondAnswer = try await anna.post("/wine-scans", ["list": Self.list, "place": "Zum Anker"], on: scan)
            #expect(secondAnswer.location == "/wines/scan")
            #expect(try await anna.get(href).text.contains("Zum Anker"))
            let wine = try WineCatalogueTests.href(of: "Gravel Road", try await anna.get("/wines"))
            let winePage = try await anna.get(wine).text
            #expect(winePage.contains("Zum Anker") && winePage.contains("64,00"))
            #expect(try await anna.post("\(href)/removal").location == "/wines/scan")
            #expect(try await anna.get(href).status == .notFound)
        }
    }

    @Test(
        .database,
        arguments: ["{}", "[]", "nonsense", #"{"pages": [], "entries": [{}]}"#, #"{"pages": [[0, 0]], "entries": []}"#])
    func `a list that the page cannot have sent is refused`(list: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            #expect(try await anna.post("/wines/scan/list", ["list": list]).status == .badRequest)
        }
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
            try await WinePlan.uncount(countedScan, paul.household, harness.database)
            _ = try await scan(paul)
            await #expect(throws: WineQuotaError.keyScansToday) { _ = try await scan(paul) }
        }
    }

    @Test func `one frame of a person is read at a time, and at most two a second`() async throws {
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
