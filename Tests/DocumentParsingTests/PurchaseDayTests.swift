import DocumentParsing
import Domain
import Recognition
import Testing

/// Days that are printed on receipts and are not that of the purchase, and days of other clocks.
@Suite(.timeLimit(.minutes(5))) struct `The day of the purchase` {
    private func receipt(_ foot: String..., source: RecognizedPage.Source = .text) -> ParsedReceipt {
        Layout.parse(
            ([
                "   Laden", "   4600 Wels", "Milch        1,19 A", "Brot         2,49 A", "Summe        3,68",
                "Bar          5,00", "Rückgeld     1,32",
            ] + foot).joined(separator: "\n"), source: source)
    }

    @Test(arguments: ["TSE-Start 2026-03-06T23:30:00.000Z", "TSE-Ende: 2026-03-06T23:31:00Z"])
    func `Before midnight of a universal clock it is already tomorrow here`(line: String) {
        let parsed = receipt(line)
        #expect(parsed.date?.value.iso == "2026-03-07")
        #expect(parsed.time?.value.iso.hasPrefix("00:3") ?? false)
    }

    @Test func `The day stays where the local one is the same`() {
        #expect(receipt("Start 2026-03-07T12:28:10.000Z").date?.value.iso == "2026-03-07")
    }

    @Test func `Which of two numbers is the month is open until something says it`() {
        #expect(receipt("03/07/2026 13:28", "TSE 03/07/2026").reasons.contains(.dateUnconfirmed))
        #expect(receipt("07/03/2026 13:28", "Bon 07.03.2026").state == .proven)
        #expect(receipt("21/03/2026 13:28").state == .proven)
    }

    @Test(arguments: [
        "Inventur am 02.01.2026 geschlossen", "Neueröffnung am 02.01.2026", "Abholung 02.01.2026",
        "Teilnahmeschluss 02.02.2026", "Geeicht 12.05.2024", "AGB Fassung 01.01.2024",
        "Kassensoftware V4.2 01.12.2024", "Nach Verpackungsgesetz 01.01.2019", "Bestelldatum 05.03.2026",
        "DUPLIKAT gedruckt 09.03.2026 10:00", "spätestens 21.03.2026", "Umtausch bis\n21.03.2026",
        "Coupon einlösbar\n09.03.2026 - 21.03.2026",
    ])
    func `The day of something else is no purchase`(lines: String) {
        #expect(receipt("13:28 Bon 4711", lines).date == nil)
        #expect(receipt("07.03.2026 13:28 Bon 4711", lines).date?.value.iso == "2026-03-07")
    }

    @Test func `Dashes may part a day with a short year`() {
        #expect(receipt("07-03-26 13:28").date?.value.iso == "2026-03-07")
        #expect(receipt("Tel 07-03-26").date == nil)
    }

    @Test(arguments: [
        "7 mars 2026 12:00", "7 Marzo 2026", "29MAR2026 12:31", "March 7, 2026", "7-3-2026 12:00", "07 maart 2026",
        "7 marca 2026", "7 mar. 2026 12:00", "Rechnung Nr. 55895 vom 07.03.2026",
    ])
    func `A day is read in the forms of other languages`(line: String) {
        #expect(receipt(line).date?.value.iso == (line.hasPrefix("29") ? "2026-03-29" : "2026-03-07"))
    }

    @Test(arguments: ["2 MAR 12,50", "1 SET 20,00", "3 mai Bock"])
    func `A word that begins like a month of another language makes no day`(line: String) {
        #expect(receipt(line).date == nil)
    }

    @Test func `The day of an invoice counts, not those of order, work and payment`() {
        let parsed = receipt(
            """
            Rechnungsdatum: 07.03.2026
            Leistungsdatum: 04.03.2026
            Bestelldatum 01.03.2026
            Zahlbar bis 21.03.2026
            """)
        #expect(parsed.date?.value.iso == "2026-03-07")
    }
}
