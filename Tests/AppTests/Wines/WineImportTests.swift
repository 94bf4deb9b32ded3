import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Tables of wines that are uploaded, previewed and imported.
@Suite(.timeLimit(.minutes(5))) struct WineImportTests {
    @Test(.database) func `an import lists its wines, skips invalid lines, and updates wines with the same key`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.upload(
                "/wine-import", field: "file", fileName: "weine.csv", type: "text/csv",
                Array(WineCatalogueTests.table.utf8))
            let href = try #require(answer.location)
            let preview = try await anna.get(href)
            #expect(preview.text.contains("Der Name fehlt.") && preview.text.contains("Riesling Klaus"))
            #expect(try await anna.post("\(href)/confirmation", on: preview).location == "/wines")
            // Confirming twice imports once.
            #expect(try await anna.post("\(href)/confirmation").location == "/wine-import")
            try await WineCatalogueTests.importTable(anna, WineCatalogueTests.table.replacing(";91;", with: ";93;"))
            let page = try await anna.get("/wines").text
            #expect(page.split(separator: "<li><a href=\"/wines/").count - 1 == 3)
            #expect(page.contains("</span>93<span") && !page.contains("</span>91<span"))
        }
    }

    @Test(.database) func `reports how many imported lines repeat a wine and how many are skipped`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let table = """
                producer;name;vintage;points;critic
                Gut;Cuvée 1922;2019;90;AB
                Gut;Cuvée 1932;2019;91;AB
                Gut;Cuvée 1932;2019;92;CD
                Gut;;2019;92;CD
                """
            try await WineCatalogueTests.importTable(anna, table)
            let page = try await anna.get("/wines").text
            #expect(try harness.owner().query("SELECT count(*) FROM wine").first(Int64.self) == 2)
            #expect(page.contains("Importierte Weine: 2. Doppelte Zeilen: 1. Ausgelassene Zeilen: 1."))
        }
    }

    @Test(.database) func `columns can be assigned by hand`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let table = "Etikett,Sterne\nMoric Blaufränkisch,4\n"
            let answer = try await anna.upload(
                "/wine-import", field: "file", fileName: "weine.csv", type: "text/csv", Array(table.utf8))
            let href = try #require(answer.location)
            #expect(try await anna.get(href).text.contains("Der Name fehlt."))
            let preview = try await anna.get("\(href)?column-name=0&column-points=1&scale=5")
            #expect(preview.text.contains("Moric Blaufränkisch") && !preview.text.contains("Der Name fehlt."))
            let done = try await anna.post(
                "\(href)/confirmation", ["column-name": "0", "column-points": "1", "scale": "5"], on: preview)
            #expect(done.location == "/wines")
            #expect(try await anna.get("/wines").text.contains("</span>90<span"))
        }
    }

    @Test(.database) func `importing an export gives the same export`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(anna)
            let file = try await anna.get("/wines/export.csv").text
            let paul = try await harness.signUp("Paul Huber")
            try await WineCatalogueTests.importTable(paul, file)
            #expect(try await paul.get("/wines/export.csv").text == file)
        }
    }

    @Test(.database) func `the preview has pages of a hundred lines`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            // The table is longer than one stored chunk.
            let note = String(repeating: "lang ", count: 600)
            let lines = (1...250).map { "Wein \($0),\(note)\n" }.joined()
            let answer = try await anna.upload(
                "/wine-import", field: "file", fileName: "weine.csv", type: "text/csv",
                Array(("name,note\n" + lines).utf8))
            let href = try #require(answer.location)
            let firstPage = try await anna.get(href).text
            #expect(firstPage.contains("Wein 100<") && !firstPage.contains("Wein 101<") && firstPage.contains("page=2"))
            let lastPage = try await anna.get("\(href)?page=3").text
            #expect(lastPage.contains(">252<") == false && lastPage.contains(">251<") && lastPage.contains("Wein 250<"))
            #expect(lastPage.contains("page=2") && !lastPage.contains("page=4"))
            #expect(try await anna.get("\(href)?page=99999999").status == .ok)
        }
    }
}
