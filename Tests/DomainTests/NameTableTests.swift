import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct NameTableTests {
    @Test(arguments: Language.allCases)
    func `imports its own export`(language: Language) throws {
        let rows = [
            NameTable.Row(
                chain: "BILLA", printedName: "CLEVER H-MILCH 3,5%", product: "Haltbare Milch", category: "Milch"),
            NameTable.Row(chain: "Dorf; Laden", printedName: "=SUMME", product: "Brot \"frisch\""),
        ]
        let table = try NameTable(reading: NameTable.write(rows, language: language))
        #expect(table.rows == rows)
        #expect(table.skippedCount == 0)
    }

    @Test func `skips incomplete and too long rows, and refuses a table without the required columns`() throws {
        let long = String(repeating: "x", count: 201)
        let text = "Produkt;Kette;Gedruckter Name\nMilch;SPAR;MILCH\n;SPAR;BROT\nMilch;;MILCH\nMilch;SPAR;\(long)"
        let table = try NameTable(reading: text)
        #expect(table.rows == [NameTable.Row(chain: "SPAR", printedName: "MILCH", product: "Milch")])
        #expect(table.skippedCount == 3)
        #expect(throws: NameTable.Failure.missingColumns) { try NameTable(reading: "Name;Price\na;1") }
        #expect(throws: NameTable.Failure.missingColumns) { try NameTable(reading: "") }
        #expect(throws: NameTable.Failure.unreadable(.badQuote(line: 1))) { try NameTable(reading: "\"a") }
    }
}
