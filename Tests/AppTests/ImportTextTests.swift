import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Files with unusual bytes and names, and files that are no tables.
@Suite(.timeLimit(.minutes(5))) struct ImportTextTests {
    @Test(
        .database,
        arguments: [
            "", "nur ein Satz", "Name;Price\nMilch;1,00",
            "Name;Price;Category;Shop;Datum\n\"offen;1,00;;SPAR;21.10.2026",
            "a\u{0}b",
        ])
    func `a file that is not a valid table is refused with a reason`(text: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.importFile(text)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("role=\"alert\""))
        }
    }

    @Test(
        arguments: [
            ([0xC3, 0xA4], "ä"), ([0xE4, 0x80], "ä€"), ([0x8A, 0x9E, 0x85, 0x99, 0x9F, 0xA0], "Šž…™Ÿ\u{A0}"),
            ([0xFF, 0xFE, 0xE4, 0x00], "ä"),
            ([0xFE, 0xFF, 0x00, 0xE4], "ä"),
        ] as [([UInt8], String)])
    func `umlauts are decoded from UTF-8, Windows-1252 and UTF-16`(bytes: [UInt8], text: String) throws {
        #expect(try ImportText.decode(bytes) == text)
    }

    @Test(.database) func `long names that are equal after truncation are one category and one store`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let long = String(repeating: "Lang", count: 30)
            let rows = ["A;1,00;\(long)eins;\(long)eins;21.10.2026", "B;1,00;\(long)zwei;\(long)zwei;21.10.2026"]
            let file = try #require(
                try await anna.importFile("Name;Price;Category;Shop;Datum\n" + rows.joined(separator: "\n")).location)
            #expect(try await anna.post("\(file)/confirmation").status == .seeOther)
            let scene = try harness.scene(anna)
            #expect(try scene.count("SELECT count(*) FROM category WHERE name LIKE 'Lang%'") == 1)
            #expect(try scene.count("SELECT count(*) FROM store") == 1)
            #expect(try scene.count("SELECT count(*) FROM receipt") == 1)
        }
    }

    @Test(.database) func `a category whose name is a dash is used again by the next import`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            for name in ["Milch", "Butter"] {
                let file = try #require(
                    try await anna.importFile("Name;Price;Category;Shop;Datum\n\(name);1,00;-;SPAR;21.10.2026\n")
                        .location)
                #expect(try await anna.post("\(file)/confirmation").location == "/receipts")
            }
            let scene = try harness.scene(anna)
            #expect(try scene.count("SELECT count(*) FROM category WHERE name = '-'") == 1)
            #expect(try scene.count("SELECT count(*) FROM receipt") == 2)
        }
    }
}
