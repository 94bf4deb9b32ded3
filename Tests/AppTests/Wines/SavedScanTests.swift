import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct SavedScanTests {
    @Test(.database) func `saving a list does not record the price of one vintage for another vintage`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(
                anna,
                """
                producer;name;vintage;country;region;colour;points
                Roco;Gravel Road Pinot Noir;2017;USA;Willamette Valley;red;93
                La Crema;Pinot Noir;2018;USA;Monterey;red;88
                Elouan;Pinot Noir;2019;USA;Oregon;red;86
                Alta Vista;Estate Malbec;2016;Argentinien;Mendoza;red;91
                """)
            func entry(_ vintage: Int, _ amount: Int) -> String {
                """
                {"text": "Roco Gravel Road Pinot Noir \(vintage)", "name": "Gravel Road", "page": 0,
                 "box": [10, 10, 500, 40], "textBox": [10, 10, 400, 40], "vintage": \(vintage),
                 "sure": [900, 0, 900, 900, 0, 0, 0, 0],
                 "prices": [{"amount": \(amount), "serving": "bottle", "size": 750, "sure": 900}]}
                """
            }
            let list = "{\"pages\": [[1000, 1000]], \"entries\": [\(entry(2019, 6_400)), \(entry(2017, 7_100))]}"
            #expect(try await anna.post("/wine-scans", ["list": list, "place": "Zum Anker"]).location != nil)
            let wine = try WineCatalogueTests.href(of: "Gravel Road", try await anna.get("/wines"))
            let page = try await anna.get(wine).text
            #expect(page.contains("71,00") && !page.contains("64,00"))
        }
    }
}
