import Domain
import EventLoop
import Foundation
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// A scanned list that the browser sends back: filters, matches, decisions and saving. These tests run no reader.
@Suite(.timeLimit(.minutes(5))) struct ScannedListTests {
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
            try await WineCatalogueTests.importTable(anna, WineScanTests.catalogue)
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
            try await WineCatalogueTests.importTable(anna, WineScanTests.catalogue)
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
            try await WineCatalogueTests.importTable(anna, WineScanTests.catalogue)
            let list = Self.list.replacing("Blaues Wunder", with: "La Crema, Pinot Noir").replacing(
                "4000", with: "6000")
            let page = try await anna.post("/wines/scan/list", ["list": list]).text
            let better = try #require(page.range(of: "Ähnliche Weine auf dieser Karte, besser bewertet"))
            // The wine with 93 points is suggested for the wine with 88. No wine is suggested for the wine with 93.
            #expect(page[better.upperBound...].prefix(1_000).contains("Gravel Road"))
            #expect(page.ranges(of: "Ähnliche Weine auf dieser Karte").count == 1)
            // A wine is not suggested if its price is more than 30 % higher.
            let cheap = try await anna.post("/wines/scan/list", ["list": list.replacing("6000", with: "3000")]).text
            #expect(!cheap.contains("Ähnliche Weine auf dieser Karte"))
        }
    }

    @Test(.database) func `a corrected match is used again for the same printed text`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(anna, WineScanTests.catalogue)
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
            // If the list is saved, the answer redirects to its page, which shows the explanation.
            let savedScan = try #require(try await anna.post("/wine-scans", ["list": Self.list]).location)
            let scan = String(savedScan.dropFirst("/wine-scans/".count))
            let secondAnswer = try await anna.post(
                "/wines/scan/list", ["list": Self.list, "scan": scan, "decision": decision])
            #expect(secondAnswer.location == savedScan)
            #expect(try await anna.get(savedScan).text.contains("so viele Weine"))
            #expect(try owner.query("SELECT count(*) FROM wine").first(Int64.self) == 0)
        }
    }

    @Test(.database) func `a list is saved once, with its prices, and can be deleted`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(anna, WineScanTests.catalogue)
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
    func `a malformed list is refused`(list: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            #expect(try await anna.post("/wines/scan/list", ["list": list]).status == .badRequest)
        }
    }
}
