import DocumentParsing
import Domain
import Testing

/// Receipts of other countries and of other businesses than stores. Store, date and total must be right.
@Suite(.timeLimit(.minutes(5))) struct `Receipts of other countries and trades` {
    struct Case: Sendable, CustomTestStringConvertible {
        var store: String
        var day: String
        var total: String
        var text: String
        var testDescription: String { store }
    }

    @Test(arguments: OtherCountries.all)
    func `reads store, date and total in several languages`(receipt: Case) {
        let read = Layout.parse(receipt.text)
        #expect(read.chain == receipt.store)
        #expect(read.date?.value.iso == receipt.day)
        #expect(read.total?.value.plain == receipt.total)
    }

    @Test func `reads items whose names resemble the words before a total or payment`() {
        let read = Layout.parse(
            """
            Rosen-Apotheke
            12345 Ort
            Nasenspray 10ml      4,98
            Zuzahlung Rezept     5,00
            Summe                9,98
            Bar                 10,00
            Rückgeld             0,02
            07.03.2026
            """)
        #expect(read.items.map(\.name.value) == ["Nasenspray 10ml", "Zuzahlung Rezept"])
        #expect(read.total?.value.plain == "9.98")
    }

    @Test func `reads the nights of a hotel bill despite the date before each name`() {
        let read = Layout.parse(
            """
            Hotel Krone
            12345 Ort
            05.03.2026 Übernachtung   95,00
            06.03.2026 Übernachtung   95,00
            06.03.2026 Frühstück      14,00
            Gesamtbetrag             204,00
            Kartenzahlung            204,00
            Rechnungsdatum: 07.03.2026
            """)
        #expect(read.items.compactMap(\.total?.value.plain) == ["95.00", "95.00", "14.00"])
        #expect(read.date?.value.iso == "2026-03-07")
    }

    @Test func `reads drinks despite the time before each name`() {
        let read = Layout.parse(
            """
            Gasthaus Krone
            12345 Ort
            20:01 Aperol Spritz        8,50
            20:14 Weizenbier           4,90
            21:30 Espresso             2,60
            Summe                     16,00
            Bar                       16,00
            07.03.2026
            """)
        #expect(read.items.compactMap(\.total?.value.plain) == ["8.50", "4.90", "2.60"])
    }

    @Test(arguments: [("www.hofladen-huber.de", "Hofladen Huber"), ("www.payback.de", nil)])
    func `takes the store's name from the web address if the head lacks it`(address: String, name: String?) {
        let read = Layout.parse(
            "BROT  3,40 A\nMILCH  1,10 A\nSUMME  4,50\nBAR  4,50\n07.03.2026\nBesuchen Sie uns: \(address)")
        #expect(read.store.name == name)
    }

    @Test(arguments: ["-£0.50", "-€0,50", "- € 0,50", "-0.50"])
    func `reads a minus sign before the currency as a discount`(amount: String) {
        let read = Layout.parse(
            "LADEN\n12345 Ort\nBrot   3,40\nAngebot   \(amount)\nSumme   2,90\nBar   2,90\n07.03.2026")
        #expect(read.items.last?.total?.value.plain == "-0.50")
        #expect(read.total?.value.plain == "2.90")
    }
}
