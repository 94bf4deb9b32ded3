import DocumentParsing
import Domain
import Testing

/// Firms whose names contain the name of a chain, and receipts that name no currency.
@Suite(.timeLimit(.minutes(5))) struct `Names and currencies` {
    private func receipt(_ head: String, _ rows: [String] = [], town: String = "4600 Wels") -> ParsedReceipt {
        Layout.parse(
            ([
                "   \(head)", "   \(town)", "Brot         4.20", "Zopf         5.50", "Topf        49.00",
                "TOTAL       58.70", "BAR         60.00", "RUECKGELD    1.30",
            ] + rows + ["07.03.2026 13:28"]).joined(separator: "\n"))
    }

    @Test(arguments: [
        "Café Saturn", "Saturn Apotheke", "Hotel Metro", "Metro Kino", "Nordsee Apotheke", "Thalia Kino",
        "Salon Douglas",
        "Restaurant Lagerhaus", "Hellweg Apotheke", "Dehner Catering", "Bäckerei Müller", "Gasthaus Hofer",
        "REAL KEBAP",
        "Penny Lane Pub", "DM Kebap", "Cafe Norma",
    ])
    func `does not recognise a chain if a word for another trade is beside its name`(head: String) {
        #expect(receipt(head).chain == head)
    }

    @Test(arguments: [("SATURN", "Saturn"), ("NORDSEE Restaurant", "Nordsee"), ("Lagerhaus", "Lagerhaus")])
    func `recognises a chain by its name alone or with its own trade`(head: String, chain: String) {
        #expect(receipt(head).chain == chain)
    }

    @Test(arguments: ["Bio Lebensmittel", "Ihr Lebensmittel Markt"])
    func `does not recognise a chain by words for food`(line: String) {
        #expect(receipt("Dorfladen", [line]).chain == "Dorfladen")
    }

    @Test(arguments: [["MWST 2.6% 9.70 0.25", "MWST 8.1% 49.00 3.67"], ["CHE-123.456.789 MWST"]])
    func `recognises francs by Swiss taxes`(rows: [String]) {
        #expect(receipt("Dorfladen AG", rows, town: "8001 Zürich").currency == .chf)
        #expect(receipt("Dorfladen").currency == .eur)
    }

    @Test func `keeps the minus sign of an amount with a dash instead of cents`() {
        let parsed = Layout.parse(
            """
               Dorfladen AG
               8001 Zürich
            Brot                 4.20
            Topf                49.-
            Rabatt              -5.-
            TOTAL CHF           48.20
            BAR CHF             50.-
            RUECKGELD CHF        1.80
            07.03.2026 13:28
            """)
        #expect(parsed.items.map { $0.total?.value.minorUnits } == [420, 4_900, -500])
        #expect(parsed.items.last?.kind == .discount)
    }
}
