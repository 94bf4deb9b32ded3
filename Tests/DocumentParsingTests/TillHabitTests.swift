import DocumentParsing
import Domain
import Testing

/// Habits of single tills that receipts of shops all over the country showed.
@Suite(.timeLimit(.minutes(5))) struct `Habits of tills` {
    @Test(arguments: ["SIME", "SINE EUR", "sime", "Gesantsunne EUR", "SUE", "SIHHE EUR"])
    func `An amount under its sum is the total, whatever was read of its word`(word: String) {
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

    @Test func `The total among the goods is none of them where other lines above it were misread`() {
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

    @Test func `A class of one digit may follow its amount behind a star`() {
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
    func `A time may follow its word without a blank`(line: String) {
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

    @Test func `A good whose name begins like change is a good`() {
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
    func `Street and town may share a line`(line: String) {
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

    @Test func `A voucher that is handed over is a payment beside the card`() {
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
    func `Count and unit price before the amount on a line of their own`(line: String) {
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

    @Test func `Goods that were all taken back have a negative total`() {
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
    func `A street is no chain`(street: String) {
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
