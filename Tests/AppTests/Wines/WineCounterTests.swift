import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The usage counters of wines.
@Suite(.timeLimit(.minutes(5))) struct WineCounterTests {
    private static let list = """
        {"pages": [[1000, 1000]], "entries": [
            {"text": "Roco Gravel Road Pinot Noir", "name": "Roco Gravel Road Pinot Noir", "page": 0,
             "box": [10, 10, 500, 40], "textBox": [10, 10, 400, 40], "sure": [900, 0, 900, 0, 0, 0, 0, 0],
             "prices": [{"amount": 6400, "serving": "bottle", "size": 750, "sure": 900}]}]}
        """

    private static func counts(_ harness: AppHarness) throws -> [String: Int64] {
        let rows = try harness.owner().query("SELECT name, sum(count)::bigint FROM wine_counter GROUP BY 1")
            .decode((String, Int64).self)
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.0, $0.1) })
    }

    @Test(.database) func `counts files that are not pictures on the page, in the API and from the live camera`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna, scopes: [.read])
            let text = Array("no picture".utf8)
            let page = try await anna.upload(
                "/wines/scan", field: "files", fileName: "karte.png", type: "image/png", text)
            #expect(page.status == .unsupportedMediaType)
            for target in ["/v1/wines/scan", "/v1/wines/scan?live=true"] {
                let answer = try await caller.send(.post, target, type: "image/png", text)
                #expect(answer.status == .unsupportedMediaType)
            }
            #expect(try Self.counts(harness) == ["errors": 3])
        }
    }

    @Test(.database, .enabled(if: WineScanTests.menu != nil))
    func `counts scans, frames, entries and found wines`() async throws {
        let menu = try #require(WineScanTests.menu)
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(
                anna, "producer;name;country;region;colour;points\nElouan;Pinot Noir;USA;Oregon;red;86\n")
            let caller = try await harness.caller(anna, scopes: [.read])
            for target in ["/v1/wines/scan", "/v1/wines/scan?live=true"] {
                let answer = try await caller.send(.post, target, type: "image/png", menu)
                #expect(answer.status == .ok)
            }
            let counts = try Self.counts(harness)
            #expect(counts["scans"] == 1 && counts["frames"] == 1)
            let (entries, found) = (counts["entries"] ?? 0, counts["found"] ?? 0)
            #expect(found >= 1 && found <= entries)
        }
    }

    @Test(.database) func `counts lists that are shown with a filter, before and after they are saved`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            for query in ["?points=90", "?sort=price", ""] {
                let page = try await anna.post("/wines/scan/list\(query)", ["list": Self.list])
                #expect(page.status == .ok)
            }
            let saved = try await anna.post("/wine-scans", ["list": Self.list]).location
            let scan = try #require(saved)
            for query in ["?points=90", "?sort=price", ""] {
                let page = try await anna.get(scan + query)
                #expect(page.status == .ok)
            }
            #expect(try Self.counts(harness) == ["filtered": 2, "saved": 1])
        }
    }

    @Test(.database) func `counts a saved wine once, even if its mark is changed later`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(
                anna, "producer;name;points\nRoco;Gravel Road Pinot Noir;93\n")
            let wine = try WineCatalogueTests.href(of: "Gravel Road", try await anna.get("/wines"))
            let marks: [KeyValuePairs<String, String>] = [
                ["saved": "1"], ["saved": "1", "own-note": "Geburtstag"], ["tasted": "1"],
            ]
            for mark in marks {
                let answer = try await anna.post("\(wine)/mark", mark)
                #expect(answer.location == wine)
            }
            #expect(try Self.counts(harness) == ["saved": 1])
        }
    }
}
