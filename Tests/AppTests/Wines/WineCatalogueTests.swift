import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The pages of the wine catalogue.
@Suite(.timeLimit(.minutes(5))) struct WineCatalogueTests {
    static let table = """
        producer;name;vintage;country;region;colour;grapes;price;points;critic;note;drink from;drink until;key
        Weingut Prager;Riesling Klaus;2019;Österreich;Wachau;white;Riesling;42,00;95;AB;Steinobst.;2023;2040;1
        Château Margaux;Grand Vin;2015;Frankreich;Margaux;red;Cabernet Sauvignon, Merlot;650,00;99;CD;Veilchen.;2025;2060;2
        Moric;Blaufränkisch;2020;Österreich;Burgenland;red;Blaufränkisch;18,50;91;AB;;2022;2024;3
        ;;;;;;;;;;;;;4
        """

    /// Imports the table `text` through the pages.
    static func importTable(_ browser: Browser, _ text: String = table) async throws {
        let answer = try await browser.upload(
            "/wine-import", field: "file", fileName: "weine.csv", type: "text/csv", Array(text.utf8))
        let href = try #require(answer.location, "\(answer.status) \(answer.text.prefix(2000))")
        let preview = try await browser.get(href)
        #expect(preview.status == .ok)
        let done = try await browser.post("\(href)/confirmation", on: preview)
        #expect(done.location == "/wines", "\(done.status)")
    }

    static func href(of name: String, _ page: Answer) throws -> String {
        let row = try #require(
            page.text.split(separator: "<li><a href=\"").first { $0.contains(name) && $0.hasPrefix("/wines/") })
        return String(row.prefix { $0 != "\"" })
    }

    @Test(.database) func `an empty catalogue explains what to do`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let page = try await anna.get("/wines").text
            #expect(page.contains("Noch keine Weine") && page.contains("/wine-import"))
            #expect(try await anna.get("/wines/mine").text.contains("Noch nichts gemerkt"))
        }
    }

    @Test(.database) func `an added wine is listed with its score`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.post(
                "/wines",
                [
                    "producer": "Prager", "name": "Riesling Klaus", "vintage": "2019", "colour": "white",
                    "grapes": "Riesling", "points": "4,5", "scale": "5", "critic": "AB", "drink-from": "2020",
                    "drink-until": "2200", "price": "42",
                ])
            let href = try #require(answer.location)
            let winePage = try await anna.get(href).text
            #expect(winePage.contains("Prager Riesling Klaus 2019") && winePage.contains("jetzt trinken, bis 2200"))
            #expect(winePage.contains("42,00"))
            let list = try await anna.get("/wines").text
            // Four and a half stars are 95 points.
            #expect(list.contains("Prager Riesling Klaus 2019") && list.contains("</span>95<span"))
        }
    }

    @Test(.database) func `the page of a wine shows better wines of its colour, region and price, each once`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            func add(
                _ name: String, _ points: String, _ price: String, region: String = "Kamptal", colour: String = "white",
                vintage: String = "2019"
            ) async throws -> String {
                let answer = try await anna.post(
                    "/wines",
                    [
                        "producer": "Gut", "name": name, "vintage": vintage, "colour": colour, "points": points,
                        "critic": "AB", "price": price, "region": region,
                    ])
                return try #require(answer.location)
            }
            let wine = try await add("Riesling Stein", "90", "20")
            #expect(try await !anna.get(wine).text.contains("zu ähnlichem Preis"))
            _ = try await add("Riesling Fern", "97", "20", region: "Wachau")
            #expect(try await anna.get(wine).text.contains("Riesling Fern"))
            _ = try await add("Riesling Nah", "93", "25,90")
            _ = try await add("Riesling Nah", "92", "25", vintage: "2020")
            for (name, points, price, colour) in [
                ("Teuer", "95", "26,10", "white"), ("Rot", "95", "20", "red"), ("Schlechter", "89", "20", "white"),
            ] { _ = try await add(name, points, price, colour: colour) }
            _ = try await add("Riesling Stein", "95", "20", vintage: "2021")
            let page = try await anna.get(wine).text
            let similar = try #require(page.range(of: "zu ähnlichem Preis")).upperBound
            let rows = page[similar...].split(separator: "<span class=\"title\">").dropFirst().map {
                $0.prefix { $0 != "<" }
            }
            #expect(rows == ["Gut Riesling Nah 2019"])
        }
    }

    @Test(.database) func `editing a wine keeps the currency of its price after the household's currency has changed`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let additionAnswer = try await anna.post("/wines", ["name": "Riesling Klaus", "price": "42"])
            let href = try #require(additionAnswer.location)
            try harness.owner().query("UPDATE household SET currency = 'CHF' WHERE id = \(anna.household)")
            #expect(try await anna.get("\(href)/edit").text.contains("name=\"price\" value=\"42,00 EUR\""))
            let saveAnswer = try await anna.post(
                href, ["name": "Riesling Klaus", "price": "42,00 EUR", "revision": "1"])
            #expect(saveAnswer.location == href)
            let currency = try harness.owner().query("SELECT release_currency FROM wine").first(String.self)
            #expect(currency == "EUR")
        }
    }

    @Test(.database) func `an invalid form shows its errors and keeps the input`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.post(
                "/wines",
                ["producer": "Prager", "name": "", "vintage": "19", "drink-from": "2030", "drink-until": "2020"])
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("value=\"Prager\"") && answer.text.contains("name-error"))
            #expect(answer.text.contains("vintage-error") && answer.text.contains("drink-error"))
        }
    }

    @Test(.database) func `deleting a wine can be undone`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await Self.importTable(anna)
            let href = try Self.href(of: "Riesling Klaus", try await anna.get("/wines"))
            let removalAnswer = try await anna.post("\(href)/removal", ["revision": "1"])
            #expect(removalAnswer.location == "/wines")
            #expect(try await anna.get(href).status == .notFound)
            #expect(try await !anna.get("/wines").text.contains("Riesling Klaus"))
            #expect(try await anna.post("\(href)/restoration").location == href)
            #expect(try await anna.get(href).status == .ok)
        }
    }

    @Test(.database) func `a form for an older revision is refused`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await Self.importTable(anna)
            let href = try Self.href(of: "Moric", try await anna.get("/wines"))
            #expect(try await anna.post(href, ["name": "Reserve", "revision": "1"]).status == .seeOther)
            #expect(try await anna.post(href, ["name": "Alte Reben", "revision": "1"]).status == .conflict)
        }
    }

    @Test(.database) func `shows the highest score if no critic is preferred, also beside a score without a critic`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let table = "name;critic;points\nSteinfeld;;85\nSteinfeld;AB;95\n"
            // The first import creates the settings of the catalogue, and the second one finds them.
            for _ in 0..<2 { try await Self.importTable(anna, table) }
            let list = try await anna.get("/wines").text
            #expect(list.contains("</span>95<span") && !list.contains("</span>85<span"))
        }
    }

    @Test(.database) func `wines with different years in their names are not vintages of one wine`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await Self.importTable(
                anna,
                "producer;name;vintage;points\nGut;Cuvée 1922;2019;90\nGut;Cuvée 1922;2018;89\nGut;Cuvée 1932;2019;91\n"
            )
            let page = try await anna.get("/wines").text
            #expect(page.contains("Gut Cuvée 1922 2019") && page.contains("Gut Cuvée 1932 2019"))
            #expect(page.ranges(of: "Jahrgänge: 2019, 2018").count == 1)
            // The name of the merged wine, without its years, becomes an alias of the other wine.
            let first = try Self.href(of: "Cuvée 1922", try await anna.get("/wines"))
            let second = try Self.href(of: "Cuvée 1932", try await anna.get("/wines"))
            #expect(try await anna.post("\(first)/merge", ["into": String(second.dropFirst(7))]).location == second)
            let names = try harness.owner().query("SELECT alias_key FROM wine_alias").decode(String.self)
            #expect(names == ["gut cuvee"])
        }
    }

    @Test(.database) func `the list has one row for all vintages of a wine`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await Self.importTable(
                anna,
                "producer,name,vintage,points\nMoric,Lutzmannsburg,2019,91\nMoric,Lutzmannsburg,2017,94\nMoric,Neckenmarkt,2018,90\n"
            )
            for target in ["/wines", "/wines?search=Moric%20Lutzmannsburg", "/wines?points=90"] {
                let page = try await anna.get(target).text
                #expect(page.ranges(of: "Moric Lutzmannsburg 20").count == 1, "\(target)")
                #expect(page.contains("Jahrgänge: 2019, 2017"), "\(target)")
            }
            // The vintage with the highest score is listed.
            let page = try await anna.get("/wines").text
            #expect(page.contains("Moric Lutzmannsburg 2017") && page.contains("Moric Neckenmarkt 2018"))
        }
    }

    @Test(.database) func `a search finds only wines of the household`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await Self.importTable(anna)
            let paul = try await harness.signUp("Paul Huber")
            try await Self.importTable(paul, "name;producer\nHauswein;Huber\n")
            #expect(
                try await anna.get("/wines?search=Moric%20Blaufr%C3%A4nkisch").text.contains("Moric Blaufränkisch 2020")
            )
            #expect(
                try await !paul.get("/wines?search=Moric%20Blaufr%C3%A4nkisch").text.contains(
                    "Moric Blaufränkisch 2020"))
        }
    }

    @Test(.database) func `the operator's limit of wines is enforced`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try harness.limitWines(anna.household, maximumWines: 1)
            #expect(try await anna.post("/wines", ["name": "Eins"]).status == .seeOther)
            let secondAnswer = try await anna.post("/wines", ["name": "Zwei"])
            #expect(secondAnswer.status == .unprocessableContent && secondAnswer.text.contains("Grenze erreicht"))
            let table = try await anna.upload(
                "/wine-import", field: "file", fileName: "weine.csv", type: "text/csv", Array(Self.table.utf8))
            let preview = try #require(table.location)
            #expect(try await anna.post("\(preview)/confirmation").location == preview)
            #expect(try await anna.get(preview).text.contains("Nicht alle Weine wurden importiert"))
            #expect(try harness.owner().query("SELECT count(*) FROM wine").first(Int64.self) == 1)
        }
    }
}
