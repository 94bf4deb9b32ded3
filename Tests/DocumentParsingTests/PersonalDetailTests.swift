import DocumentParsing
import Recognition
import Testing

@Suite(.timeLimit(.minutes(5))) struct PersonalDetailTests {
    /// The words that would be covered, each with its kind, in reading order.
    private func details(_ text: String) -> [String] {
        let document = Layout.document(text)
        let receipt = ReceiptParser(today: Layout.today).parse(document)
        let words = document.pages.flatMap { $0.lines.flatMap(\.words) }
        return PersonalDetailFinder().details(in: document, sparing: receipt).map { detail in
            let text = words.first { $0.box == detail.box }?.text ?? "?"
            return "\(detail.kind.rawValue.dropFirst("personal_".count)) \(text)"
        }
    }

    @Test(arguments: [
        ("Es bediente Sie: Frau Huber", ["cashier Frau", "cashier Huber"]),
        ("Bediener 1234 Kasse: 3", ["cashier 1234"]),
        ("Kassierer:\nM. Gruber", ["cashier M.", "cashier Gruber"]),
        ("Karteninhaber: ERIKA MUSTER", ["holder ERIKA", "holder MUSTER"]),
        ("PAYBACK Karten-Nr.: 3083 4412 3456", ["loyalty 3083", "loyalty 4412", "loyalty 3456"]),
        ("Kundennummer 00471122", ["loyalty 00471122"]),
        ("Kartennr. ############1234", ["card ############1234"]),
        ("XXXX XXXX XXXX 4711", ["card XXXX", "card XXXX", "card XXXX", "card 4711"]),
        ("************9876", ["card ************9876"]),
        (
            "IBAN DE02 1203 0000 0000 2020 51",
            ["account DE02", "account 1203", "account 0000", "account 0000", "account 2020", "account 51"]
        ),
        (
            "AT61 1904 3002 3457 3201",
            ["account AT61", "account 1904", "account 3002", "account 3457", "account 3201"]
        ),
        ("Terminal-ID: 54123498", ["terminal 54123498"]),
        ("TA-Nr 004711 BNr 0815", ["terminal 004711", "terminal 0815"]),
        ("VU-Nummer\n455600112233", ["terminal 455600112233"]),
    ])
    func `finds details that identify a person`(_ line: String, _ expected: [String]) {
        #expect(details(line) == expected)
    }

    @Test(arguments: [
        "SUMME EUR 12,34", "Datum 21.11.2026 14:05:33", "UID-Nr.: ATU12345678", "USt-IdNr. DE123456789",
        "Terminal 21.11.2026 14:05", "MILCH 3,5% 1L 1,19 A", "Kartenzahlung 12,34", "EUR 1.234,56",
        "KARTOFFELN FESTK. 2,99 B", "0,543 kg x 10,99 EUR/kg", "Bon-Nr. 4711 Filiale 0815", "********************",
    ])
    func `leaves details of the purchase uncovered`(_ line: String) {
        #expect(details(line) == [])
    }

    @Test func `leaves items readable whose names look like personal details`() {
        let text = """
            MARKT
            KUNDENKARTE 12345678     4,99 A
            KONTO 4711 SPIEL         5,00 A
            SUMME                    9,99
            Kundenkarte 12345678
            """
        #expect(details(text) == ["loyalty 12345678"])
    }

    @Test func `finds long references without labels on a card slip`() {
        let text = """
            MARKT
            BIRNEN                   4,99 A
            SUMME                    4,99
            TSE-Signatur aB3dE5fG7hI9kL1mN3
            21000628 Bon
            ** Kundenbeleg **
            Nr. HHHHHMMHHH9165 0000
            0129000023030000/1EDF0AAF
            Betrag 4,99
            24.04.2020 13:41
            """
        #expect(details(text) == ["terminal HHHHHMMHHH9165", "terminal 0129000023030000/1EDF0AAF"])
    }

    @Test func `limits the number of details`() {
        let text = String(repeating: "Kartennr. ############1234\n", count: 900)
        #expect(details(text).count == 200)
    }
}
