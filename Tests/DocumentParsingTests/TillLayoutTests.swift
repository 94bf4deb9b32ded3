import DocumentParsing
import Domain
import Testing

/// Till layouts that no test of a known chain covers: positions of names, numbers, counts and dates.
@Suite(.timeLimit(.minutes(5))) struct `Layouts of tills` {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var items: [String]
        var total: String
        var testDescription: String { name }
    }

    @Test(arguments: TillLayouts.all)
    func `reads items and total of a till layout`(layout: Case) {
        let receipt = Layout.parse(layout.text)
        #expect(receipt.summary == layout.items, "\(receipt.reasons)")
        #expect(receipt.total?.value.figure() == layout.total)
    }

    @Test(arguments: ["Dat.07.03.2026 Zeit19:44:12", "Dat.:07.03.2026", "Bon vom Dat. 07.03.26"])
    func `reads a date that follows a word without a space, but not the date of another receipt`(line: String) {
        let receipt = Layout.parse("Kramladen\nTee    2,20 A\nSumme  2,20\nBar    2,20\n\(line)")
        #expect(receipt.date?.value.iso == (line.contains("vom") ? nil : "2026-03-07"))
    }

    @Test func `does not read a date above the total as an amount`() {
        let receipt = Layout.parse(
            """
            Kramladen
            Kanne Blau          12,90 A
            Datum 07.03.2026
            TOTAL               12,90 EUR
            """)
        #expect(receipt.summary == ["Kanne Blau 1 Stk 12,90 12,90 A item"])
        #expect(receipt.date?.value.iso == "2026-03-07")
    }

    @Test func `does not read a word for receipts as the name of the store`() {
        let receipt = Layout.parse(
            "*** KUNDENBELEG ***\nWollstube Faden\nAm Anger 2\nGarn      4,50 A\nSumme     4,50\nBar       4,50")
        #expect(receipt.store.name == "Wollstube Faden")
    }
}
