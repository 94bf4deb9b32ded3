import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Malicious tables, lists and pictures.
@Suite(.timeLimit(.minutes(5))) struct HostileWineTests {
    private static func upload(_ bytes: [UInt8], _ browser: Browser) async throws -> Answer {
        try await browser.upload("/wine-import", field: "file", fileName: "weine.csv", type: "text/csv", bytes)
    }

    @Test(
        .database,
        arguments: [
            ("empty", "", 422), ("headings alone", "name,points\n", 422),
            ("zero bytes", "\u{0}\u{1}\u{2}name\n\u{0}", 422),
            ("a picture", "\u{89}PNG\r\n\u{1A}\n", 422),
            ("a quote that never ends", "name\n\"" + String(repeating: "x\n", count: 200_000), 413),
            ("thousands of columns", "name\nx" + String(repeating: ",x", count: 5_000) + "\n", 413),
        ])
    func `refuses files that are not tables, and stores nothing of them`(fault: String, text: String, status: Int)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await Self.upload(Array(text.utf8), anna)
            #expect(answer.status.code == status, "\(fault): \(answer.status)")
            #expect(try harness.owner().query("SELECT count(*) FROM wine_table_chunk").first(Int64.self) == 0)
        }
    }

    @Test(.database)
    func `skips lines with invalid numbers or too long names, and accepts Latin-1 and many fields`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let lines = [
                "name,vintage,points,price", "Gut,2019,90,12", "Jahr,99999999999999999999,90,1", "Punkte,2019,1e9,1",
                "Preis,2019,90,-1", "Zahl,2019,90,999999999999999999999", String(repeating: "L", count: 4_000) + ",,,",
                "Viele,2019,90,1" + String(repeating: ",x", count: 50),
            ]
            // The last name is encoded as Latin-1.
            let bytes = Array((lines.joined(separator: "\n") + "\nRos").utf8) + [0xE9] + Array(",2019,90,1\n".utf8)
            let answer = try await Self.upload(bytes, anna)
            let href = try #require(answer.location, "\(answer.status)")
            let preview = try await anna.get(href)
            #expect(preview.status == .ok)
            #expect(try await anna.post("\(href)/confirmation", on: preview).location == "/wines")
            let names = try harness.owner().query("SELECT name FROM wine ORDER BY name").decode(String.self)
            #expect(names == ["Gut", "Rosé", "Viele"])
        }
    }

    @Test(.database) func `escapes the names of wines on pages and in exports`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let mark = "<script>alert(1)</script>{{csrf}}"
            let table = "producer,name,note,points\n\"=1+1\",\"\(mark)\",\"\(mark)\",90\n"
            try await WineCatalogueTests.importTable(anna, table)
            let list = try await anna.get("/wines").text
            let wine = try WineCatalogueTests.href(of: "script", try await anna.get("/wines"))
            for page in [
                list, try await anna.get(wine).text, try await anna.get("\(wine)/merge").text,
                try await anna.get("/wines?search=script").text,
            ] {
                #expect(!page.contains("<script>alert") && page.contains("&lt;script&gt;"))
            }
            // A spreadsheet must not run a formula.
            #expect(try await anna.get("/wines/export.csv").text.contains("'=1+1"))
        }
    }

    @Test(
        .database,
        arguments: [
            ("SVG", Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8), 415),
            ("HTML", Array("<html><script>1</script>".utf8), 415),
            ("a huge header", HostilePictures.png(width: 50_000, height: 50_000), 422),
            ("a header alone", HostilePictures.png(width: 100, height: 100), 422), ("an empty file", [UInt8](), 422),
        ])
    func `page and API refuse files that are not pictures`(file: String, bytes: [UInt8], status: Int) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna, scopes: [.read])
            for target in ["/v1/wines/scan", "/v1/wines/scan?live=true"] {
                let answer = try await caller.send(.post, target, type: "image/png", bytes)
                #expect(answer.status.code == status, "\(file): \(answer.status)")
            }
            let page = try await anna.upload(
                "/wines/scan", field: "files", fileName: "../karte.png", type: "image/png", bytes)
            #expect((400..<500).contains(page.status.code), "\(file): \(page.status)")
        }
    }
}
