import DocumentParsing
import Domain
import Testing

/// Layouts that only single tills print, collected from receipts of stores in several regions.
@Suite(.timeLimit(.minutes(5))) struct `Layouts of single tills` {
    @Test(arguments: ["SIME", "SINE EUR", "sime", "Gesantsunne EUR", "SUE", "SIHHE EUR"])
    func `takes the amount below the items as the total if it is their sum, whatever word is before it`(word: String) {
        let parsed = Layout.parse(
            """
            LADEN
            Weg 1
            12345 Ort
            MILCH            0,99 2
            2 x 1,14
            FOTO             2,28 1
            LEERGUT         -0,50 1
            BROT             6,95 2
            \(word)          9,72
            BAR             10,00
            Rückgeld         0,28
            """)
        #expect(parsed.items.count == 4, "\(parsed.summary)")
        #expect(parsed.total?.value.figure() == "9,72")
        #expect(!parsed.reasons.contains(.sumDiffers))
    }

    @Test func `does not read the total as an item although an item above is misread`() {
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            LUFTBALLONS      2,00 A
              2 x 1,08B      0,00
            GESCHENK         1,50 A
            WOLLE            7,00 A
            RAHMEN           3,00 A
            SE              13,50
            BAR             20,00
            Rückgeld         6,50
            """)
        #expect(!parsed.items.contains { $0.name.value == "SE" }, "\(parsed.summary)")
        #expect(parsed.total?.value.figure() == "13,50")
    }

    @Test func `reads a single-digit VAT class after a star`() {
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            BUTTERMILCH 500ML    0,79*2
            KIELER SPROTTEN      3,49*2
            PFAND                0,90*1
            SUMME                5,18
            BAR                 10,00
            Rückgeld             4,82
            """)
        #expect(
            parsed.summary == [
                "BUTTERMILCH 500ML 1 Stk 0,79 0,79 2 item", "KIELER SPROTTEN 1 Stk 3,49 3,49 2 item",
                "PFAND 1 Stk 0,90 0,90 1 deposit",
            ])
    }

    @Test(arguments: ["Uhrzeit:21:31:36", "Uhrzeit: 21:31:36", "Zeit:21:31:36 Uhr", "UHRZEIT:21:31"])
    func `reads a time that touches its word`(line: String) {
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            MILCH     0,99 A
            BROT      2,00 A
            SUMME     2,99
            BAR       2,99
            Datum:08.01.2026
            \(line)
            """)
        #expect(parsed.date?.value.iso == "2026-01-08")
        #expect(parsed.time?.value.hour == 21 && parsed.time?.value.minute == 31)
    }

    @Test func `reads an item whose name begins like the word for change`() {
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            Zurück zum Ursprung Butter    2,99 A
            Zurück zum Urspr. Milch       1,49 A
            SUMME                         4,48
            BAR                           5,00
            Zurück                        0,52
            """)
        #expect(parsed.summary.count == 2, "\(parsed.summary)")
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test(arguments: ["Andechsstraße 65, 6020 Innsbruck", "6020 Innsbruck, Andechsstraße 65", "Am Platz 3 · 8010 Graz"])
    func `reads street and town on one line`(line: String) {
        let parsed = Layout.parse(
            """
            Dorfladen
            \(line)
            MILCH     0,99 A
            BROT      2,00 A
            SUMME     2,99
            BAR       2,99
            """)
        #expect(parsed.reasons == [], "\(parsed.summary)")
    }

    @Test func `reads a redeemed voucher as a payment beside the card`() {
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            WEIN             70,03 A
            BROT              1,99 B
            SUMME     EUR    72,02
            Gutschein EUR    20,00
            VISA      EUR    52,02
            """)
        #expect(parsed.summary.count == 2 && !parsed.reasons.contains(.paymentDiffers), "\(parsed.reasons)")
        #expect(parsed.total?.value.figure() == "72,02")
    }

    @Test(arguments: ["6 X 0,49        2,94 2", "6 x  0,49   2,94 2", "6X0,49   2,94 2"])
    func `reads count and unit price before the amount below the name`(line: String) {
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            BIER PILS 0,5L DOSE
            \(line)
            BROT                 2,00 2
            SUMME                4,94
            BAR                  5,00
            Rückgeld             0,06
            """)
        #expect(parsed.summary.first == "BIER PILS 0,5L DOSE 6 Stk 0,49 2,94 2 item", "\(parsed.summary)")
    }

    @Test func `reads a negative total if all items are returned`() {
        let parsed = Layout.parse(
            """
            KAUFLAND
            12345 Ort
            Leergut            -6,60 A
            Summe              -6,60
            Bar                 6,60
            """)
        #expect(parsed.total?.value.figure() == "-6,60", "\(parsed.summary) \(parsed.reasons)")
    }

    @Test(arguments: ["Hellweg 44", "Am Hellweg 12", "Hellweg 3, 59494 Soest", "Globusstraße 2"])
    func `does not recognise a chain by a street name`(street: String) {
        let parsed = Layout.parse(
            """
            TEDi
            \(street)
            59494 Soest
            KERZE     1,00 A
            GLAS      2,00 A
            SUMME     3,00
            BAR       3,00
            """)
        #expect(parsed.chain != "Hellweg" && parsed.chain != "Globus", "\(String(describing: parsed.chain))")
    }
}
