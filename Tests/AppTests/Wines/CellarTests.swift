import Domain
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct CellarTests {
    @Test(.database) func `the cellar lists a member's bottles, and bottles to be drunk soon are first`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(anna)
            let moric = try WineCatalogueTests.href(of: "Moric", try await anna.get("/wines"))
            let riesling = try WineCatalogueTests.href(of: "Riesling Klaus", try await anna.get("/wines"))
            let markAnswer = try await anna.post(
                "\(moric)/mark",
                ["saved": "1", "tasted": "1", "own-points": "4", "own-scale": "5", "own-note": "Zu jung getrunken."])
            #expect(markAnswer.location == moric)
            for href in [moric, riesling] {
                let additionAnswer = try await anna.post(
                    "\(href)/bottles",
                    ["count": "3", "place": "Regal", "bottle-price": "18,50", "bought-on": "2025-02-01"])
                #expect(additionAnswer.location == href)
            }
            let page = try await anna.get("/wines/mine").text
            #expect(page.contains("Bald trinken") && page.contains("Ihre Punkte: 90"))
            let soon = try #require(page.range(of: "id=\"soon\""))
            let cellar = try #require(page.range(of: "id=\"cellar\""))
            #expect(page[soon.upperBound..<cellar.lowerBound].contains("Moric"))
            #expect(page[cellar.upperBound...].contains("Riesling Klaus"))
            // Another member sees the note, but has not saved the wine.
            let paul = try await harness.join(anna, as: .member)
            #expect(try await paul.get(moric).text.contains("Zu jung getrunken."))
            #expect(try await !paul.get("/wines/mine").text.contains("id=\"saved\""))
        }
    }

    @Test(.database) func `a bottle that was drunk is removed from the cellar`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(anna)
            let href = try WineCatalogueTests.href(of: "Moric", try await anna.get("/wines"))
            #expect(try await anna.post("\(href)/bottles", ["count": "1"]).status == .seeOther)
            let winePage = try await anna.get(href)
            let bottle = try #require(
                winePage.attribute("action", after: "class=\"end\"><form class=\"row\" method=\"post\""))
            #expect(try await anna.post(bottle, ["count": "0", "revision": "1"]).location == href)
            // A form for an older revision changes nothing.
            #expect(try await anna.post(bottle, ["count": "5", "revision": "1"]).location == "/wines/mine")
            #expect(try await anna.get("/wines/mine").text.contains("Noch nichts gemerkt"))
        }
    }

    @Test(.database) func `a receipt line can be added as bottles only once`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(anna)
            try await anna.importTable([("BLAUFRÄNKISCH MORIC 0,75", "18,50", "2026-11-01", "SPAR")])
            let href = try WineCatalogueTests.href(of: "Moric", try await anna.get("/wines"))
            let lines = try await anna.get("\(href)/receipt-lines")
            let line = try #require(lines.attribute("value", after: "name=\"line\""))
            #expect(try await anna.post("\(href)/receipt-lines", ["line": line]).location == href)
            #expect(try await anna.get(href).text.contains("18,50"))
            #expect(try await !anna.get("\(href)/receipt-lines").text.contains(line))
            _ = try await anna.post("\(href)/receipt-lines", ["line": line])
            let storedCount = try harness.owner().query("SELECT count(*) FROM wine_bottle").first(Int64.self)
            #expect(storedCount == 1)
        }
    }

    /// Imports one wine under two names with different scores. Returns the addresses of the two wines.
    private func importTwo(_ anna: Browser) async throws -> (first: String, second: String) {
        try await WineCatalogueTests.importTable(
            anna,
            "producer;name;points;critic;key\nMoric;Blaufränkisch;91;AB;1\nMoric KG;Blaufränkisch Burgenland;94;CD;2\n")
        let page = try await anna.get("/wines")
        return (
            try WineCatalogueTests.href(of: "Moric Blaufränkisch<", page),
            try WineCatalogueTests.href(of: "Moric KG", page)
        )
    }

    @Test(.database) func `merging moves scores and bottles, and removes the other wine`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (first, second) = try await importTwo(anna)
            #expect(try await anna.post("\(second)/bottles", ["count": "2"]).status == .seeOther)
            let into = String(first.dropFirst(7))
            #expect(try await anna.post("\(second)/merge", ["into": into]).location == first)
            let winePage = try await anna.get(first).text
            #expect(winePage.contains("Flaschen: 2") && winePage.contains(">CD<"))
            #expect(try await anna.get(second).status == .notFound)
            #expect(try await anna.get("/wines").text.contains("</span>94<span"))
        }
    }

    @Test(.database) func `undoing a merge restores the wine with its score, bottles, mark and name`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (first, second) = try await importTwo(anna)
            _ = try await anna.post("\(first)/bottles", ["count": "3"])
            _ = try await anna.post("\(second)/bottles", ["count": "2"])
            _ = try await anna.post("\(second)/mark", ["saved": "1", "own-note": "Kirsche"])
            let undo = "\(second)/merge/removal"
            // Nothing was merged yet, so there is nothing to undo.
            #expect(try await anna.post(undo).location == second)
            let mergeAnswer = try await anna.post("\(second)/merge", ["into": String(first.dropFirst(7))])
            #expect(mergeAnswer.location == first)
            #expect(try await anna.get(first).text.contains(undo))
            #expect(try await anna.post(undo).location == second)
            let (kept, restored) = (try await anna.get(first).text, try await anna.get(second).text)
            #expect(restored.contains(">CD<") && restored.contains("Flaschen: 2") && restored.contains("Kirsche"))
            #expect(kept.contains(">AB<") && kept.contains("Flaschen: 3"))
            #expect(!kept.contains(">CD<") && !kept.contains("Flaschen: 2") && !kept.contains("Kirsche"))
            let names = try harness.owner().query("SELECT count(*) FROM wine_alias").first(Int64.self)
            #expect(names == 0)
            #expect(try await anna.post(undo).location == second)
            #expect(try await anna.get(second).text.contains("Flaschen: 2"))
            // A second merge can be undone, too.
            _ = try await anna.post("\(second)/merge", ["into": String(first.dropFirst(7))])
            #expect(try await anna.post(undo).location == second)
        }
    }

    @Test(.database) func `shows the preferred critic's score, or else the highest score`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(
                anna, "name;points;critic;key\nEins;91;AB;1\nEins;95;CD;1\nZwei;88;CD;2\n")
            #expect(try await anna.get("/wines").text.contains("</span>95<span"))
            #expect(try await anna.post("/settings/wines", ["critic": "AB"]).location == "/settings/wines")
            let page = try await anna.get("/wines").text
            #expect(
                page.contains("</span>91<span") && !page.contains("</span>95<span") && page.contains("</span>88<span"))
        }
    }

    @Test(.database) func `the settings show the operator's limits and the used amounts`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try harness.limitWines(anna.household, scansADay: 5, hasLive: false)
            try harness.owner().query(
                "INSERT INTO wine_counter (household_id, day, name, count) VALUES (\(anna.household), current_date, 'entries', 40)"
            )
            let page = try await anna.get("/settings/wines").text
            #expect(
                page.contains("0 von 5") && page.contains("nicht freigegeben") && page.contains("Gelesene Einträge"))
            // Only owners see the figures.
            let paul = try await harness.join(anna, as: .viewer)
            #expect(try await !paul.get("/settings/wines").text.contains("Gelesene Einträge"))
        }
    }

    @Test(.database) func `metrics are served only with the token`() async throws {
        try await AppHarness.run { harness in
            #expect(try await harness.browser().get("/metrics").status == .notFound)
            let metrics = WineMetrics(harness.database, token: "sixteen letters!")
            try harness.owner().query(
                """
                INSERT INTO wine_counter (household_id, day, name, count)
                VALUES (\(try await harness.signUp().household), current_date, 'scans', 7)
                """)
            var routes = Routes()
            try metrics.register(&routes)
            #expect(routes.router.routes.map(\.pattern) == ["/metrics"])
            #expect(await metrics.text(for: "Bearer wrong").status == .unauthorized)
            #expect(await metrics.text(for: nil).status == .unauthorized)
            let answer = try await Answer(await metrics.text(for: "Bearer sixteen letters!"))
            #expect(answer.text.contains("# TYPE allesteurer_wine_scans_total counter"))
            #expect(answer.text.contains("\"} 7\n"))
        }
    }

    @Test(.database) func `every household finds the operator's wines, and saving a wine copies it to the household`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.signUp("Paul Huber")
            let owner = try harness.owner()
            try Self.insertShared(owner)
            let list = try await anna.get("/wines?search=Ch%C3%A2teau%20Margaux%20Grand%20Vin")
            let href = try WineCatalogueTests.href(of: "Margaux", list)
            #expect(list.text.contains("Katalog des Servers"))
            #expect(try await anna.post("\(href)/mark", ["saved": "1", "own-note": "Geburtstag"]).location == href)
            #expect(try await anna.get(href).text.contains("Geburtstag"))
            #expect(try await !paul.get(href).text.contains("Geburtstag"))
            #expect(try owner.query("SELECT count(*) FROM wine").first(Int64.self) == 1)
        }
    }

    @Test(.database) func `a wine of the operator is hidden while the household's copy is deleted`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try Self.insertShared(try harness.owner())
            let lists = ["/wines?search=Ch%C3%A2teau%20Margaux%20Grand%20Vin", "/wines?shared=1"]
            let href = try WineCatalogueTests.href(of: "Margaux", try await anna.get(lists[0]))
            #expect(try await anna.post("\(href)/mark", ["saved": "1"]).location == href)
            #expect(try await anna.post("\(href)/removal").location == "/wines")
            for list in lists { #expect(try await !anna.get(list).text.contains("\"\(href)\""), "\(list)") }
            #expect(try await anna.get(href).status == .notFound)
            #expect(try await anna.post("\(href)/restoration").status == .seeOther)
            for list in lists { #expect(try await anna.get(list).text.contains("\"\(href)\""), "\(list)") }
        }
    }

    /// Adds a wine to the operator's catalogue.
    private static func insertShared(_ owner: SynchronousConnection) throws {
        let columns = WineImportColumns([
            try ImportedWine(
                ["Château Margaux", "Grand Vin", "99", "CD"],
                WineMapping(columns: [.producer: 0, .name: 1, .points: 2, .critic: 3], currency: .eur))
        ])
        try owner.query(columns.sharedInsertion)
        try owner.query("UPDATE shared_wine_catalogue SET version = version + 1")
    }

    @Test(.database) func `a score or a match over the limit of wines is refused with a message`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            try Self.insertShared(owner)
            try harness.limitWines(anna.household, maximumWines: 1)
            #expect(try await anna.post("/wines", ["name": "Eins"]).status == .seeOther)
            let list = try await anna.get("/wines?search=Ch%C3%A2teau%20Margaux%20Grand%20Vin")
            let href = try WineCatalogueTests.href(of: "Margaux", list)
            let scored = try await anna.post("\(href)/scores", ["points": "90", "scale": "100", "critic": "EF"])
            #expect(scored.location == href)
            #expect(try await anna.get(href).text.contains("Nicht gespeichert: Ihr Haushalt hat schon so viele Weine"))
            let printed = """
                {"pages": [[1000, 1000]], "entries": [
                    {"text": "Margaux", "name": "Margaux", "page": 0, "box": [10, 10, 500, 40],
                     "textBox": [10, 10, 400, 40], "sure": [900, 0, 900, 0, 0, 0, 0, 0], "prices": []}]}
                """
            let matchAnswer = try await anna.post(
                "/wines/scan/list", ["list": printed, "decision": "0:is:\(href.dropFirst(7))"])
            #expect(matchAnswer.status == .unprocessableContent && matchAnswer.text.contains("Grenze erreicht"))
            #expect(try owner.query("SELECT count(*) FROM wine").first(Int64.self) == 1)
        }
    }
}
