import DocumentParsing
import Domain
import Recognition
import Testing

/// Dates on receipts other than the date of purchase, and dates in other time zones and formats.
@Suite(.timeLimit(.minutes(5))) struct `The date of purchase` {
    private func receipt(_ foot: String..., source: RecognizedPage.Source = .text) -> ParsedReceipt {
        Layout.parse(
            ([
                "   Laden", "   4600 Wels", "Milch        1,19 A", "Brot         2,49 A", "Summe        3,68",
                "Bar          5,00", "Rückgeld     1,32",
            ] + foot).joined(separator: "\n"), source: source)
    }

    @Test(arguments: ["TSE-Start 2026-03-06T23:30:00.000Z", "TSE-Ende: 2026-03-06T23:31:00Z"])
    func `converts a UTC time before midnight to the next local date`(line: String) {
        let parsed = receipt(line)
        #expect(parsed.date?.value.iso == "2026-03-07")
        #expect(parsed.time?.value.iso.hasPrefix("00:3") ?? false)
    }

    @Test func `keeps the date of a UTC time if the local date is the same`() {
        #expect(receipt("Start 2026-03-07T12:28:10.000Z").date?.value.iso == "2026-03-07")
    }

    @Test func `leaves a date with ambiguous day and month for review unless another date confirms it`() {
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
    func `ignores dates of other events`(lines: String) {
        #expect(receipt("13:28 Bon 4711", lines).date == nil)
        #expect(receipt("07.03.2026 13:28 Bon 4711", lines).date?.value.iso == "2026-03-07")
    }

    @Test func `reads a short date with dashes if a time follows`() {
        #expect(receipt("07-03-26 13:28").date?.value.iso == "2026-03-07")
        #expect(receipt("Tel 07-03-26").date == nil)
    }

    @Test(arguments: [
        "7 mars 2026 12:00", "7 Marzo 2026", "29MAR2026 12:31", "March 7, 2026", "7-3-2026 12:00", "07 maart 2026",
        "7 marca 2026", "7 mar. 2026 12:00", "Rechnung Nr. 55895 vom 07.03.2026",
        "Nr. 80747 vom 07.03.2026 09:16:29",
    ])
    func `reads dates in other languages`(line: String) {
        #expect(receipt(line).date?.value.iso == (line.hasPrefix("29") ? "2026-03-29" : "2026-03-07"))
    }

    @Test(arguments: [
        "Barrechnung 2026-113 vom 07.03.2026", "Kassa 1 Rechnung Nr. 1789 vom 07.03.2026",
        "Rechnuna Nr. 1789 vom 07.03.2026", "2026 -03-07 07:21", "2026-03 -07 07:21", "07 .03 .2026 07:21",
        "07.032026 07:21", "07 03 2026   07:21", "2026 03 07 07:21", "07.03.'26 07:21", "O7.O3.2O26 07:21",
    ])
    func `reads the date of an invoice, and dates with lost or additional characters`(line: String) {
        #expect(receipt(line).date?.value.iso == "2026-03-07")
    }

    @Test func `leaves a date with letters in place of digits for review`() {
        #expect(receipt("O7.O3.2O26 07:21", source: .ocr).state == .review)
    }

    @Test(arguments: ["IZ.lizS lT:4S", "O7/O3/2O26"])
    func `leaves a receipt for review if its date was read as letters`(line: String) {
        #expect(receipt(line, source: .ocr).state == .review)
    }

    @Test(arguments: ["10 12 2026", "Kd 12 03 4567 07:21", "Tel. 0664.1203.2026"])
    func `does not read customer and telephone numbers as a date`(line: String) {
        #expect(receipt(line).date == nil)
    }

    @Test func `leaves a short date for review if it may begin with the year`() {
        #expect(receipt("20-11-25 13:28").date?.value.iso == "2025-11-20")
        #expect(receipt("20-11-25 13:28", "Bon 20-11-25 13:28").reasons.contains(.dateUnconfirmed))
    }

    @Test(arguments: [("07.03.2026", "26-03-07"), ("21.04.2023", "23-04-21"), ("07.03.2026", "03/07/2026")])
    func `reads a short date in the order of day, month and year that another date confirms`(
        clear: String, short: String
    ) {
        let parsed = receipt("\(clear) 13:28", "\(short) 13:28", source: .ocr)
        #expect(parsed.date?.value.iso == (clear.hasPrefix("07") ? "2026-03-07" : "2023-04-21"))
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test(arguments: [
        "Filiale 1203 2024 07:21", "Umtausch zu Beleg 55 vom 01.03.2026 12:30", "Abrechnung vom 01.03.2026",
        "laut Rechnung 55 vom 01.03.2026", "Gemäß Beleg 55 vom 01.03.2026",
    ])
    func `reads no date from other numbers, and not the date of another receipt`(line: String) {
        #expect(receipt(line).date == nil)
        #expect(receipt("07.03.2026 13:28", line, "07.03.2026", source: .ocr).state == .proven)
    }

    @Test func `leaves a date with only blanks between its numbers for review, and prefers any other date`() {
        #expect(receipt("Filiale 2012 03 05 12:20").reasons == [.dateUnconfirmed])
        let parsed = receipt("07.03.2026 13:28", "Filiale 2012 03 05 12:20", source: .ocr)
        #expect(parsed.date?.value.iso == "2026-03-07" && parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test func `does not take figures around a colon for a damaged time`() {
        #expect(receipt("Beleg 12345:67").reasons.isEmpty)
    }

    @Test(arguments: ["Lieferdaturn 01.02.2026", "Bestelldatun 01.02.2026"])
    func `ignores a date with a misread label of another date`(line: String) {
        #expect(receipt("Daturn 07.03.2026", line).date?.value.iso == "2026-03-07")
    }

    @Test(arguments: ["2 MAR 12,50", "1 SET 20,00", "3 mai Bock"])
    func `does not read a word that begins like a foreign month as a date`(line: String) {
        #expect(receipt(line).date == nil)
    }

    @Test(arguments: [("12:4807.03.2026", true), ("12:4801.03.2026", false)])
    func `confirms a date that the other engine joined with the time before it`(other: String, isConfirmed: Bool) {
        var document = Layout.document(
            """
            Laden
            4600 Wels
            Milch        1,19 A
            Brot         2,49 A
            Summe        3,68
            Bar          5,00
            Rückgeld     1,32
            12:48 07.03.2026
            """)
        let words = document.pages[0].lines[7].words
        document.pages[0].lines[7].words = [
            RecognizedWord(text: other, box: words[0].box.union(words[1].box), confidence: 54)
        ]
        document.pages[0].lines[7].secondEngineWords = words
        let parsed = ReceiptParser(today: Layout.today).parse(document)
        #expect(parsed.date?.value.iso == "2026-03-07")
        #expect((parsed.state == .proven) == isConfirmed, "\(parsed.reasons)")
    }

    @Test(arguments: [
        ("24222000", false), ("120232822", false), ("02.09:2924", false), ("24012345678901", true),
        ("08:00-20:00", true), ("", true),
    ])
    func `does not prove a receipt without a date if a row has as many digits as a date`(row: String, isProven: Bool) {
        let parsed = Layout.parse(
            """
            Laden
            46000 Ort
            Milch        1,19 A
            Brot         2,49 B
            Summe        3,68
            Bar          5,00
            Rückgeld     1,32
            \(row)
            """)
        #expect(parsed.date == nil && (parsed.state == .proven) == isProven, "\(parsed.reasons)")
    }

    @Test func `does not read the number of a voucher as the number of the receipt`() {
        #expect(receipt("Gutschein eingelöst", "Nr. 55895 vom 12.12.2025", "13:28 Bon 4711").date == nil)
    }

    @Test(arguments: [
        ("2026-03-07T12:40:00.000Z;2026-03-07T12:48:00.000Z", true), ("2026-03-07T12:40:00.000Z;", false),
        ("1970-01-01T00:00:10.000Z;1970-01-01T00:00:20.000Z", false),
    ])
    func `confirms the date by a German fiscal code only if its end time is plausible`(times: String, isConfirmed: Bool)
    {
        let payload =
            "V0;AMA-1;Kassenbeleg-V1;Beleg^1.19_2.49_0.00_0.00_0.00^3.68:Bar;13;44;\(times);ecdsa;unixTime;AA==;BB=="
        let parsed = Layout.parse(
            """
            Laden
            46000 Ort
            Milch        1,19 A
            Brot         2,49 B
            Summe        3,68
            Bar          5,00
            Rückgeld     1,32
            .2026 12:48
            """, codes: [Layout.code("QRCode", payload)])
        let hasDate = !parsed.reasons.contains(.dateUnconfirmed) && !parsed.reasons.contains(.dateMissing)
        #expect(hasDate == isConfirmed, "\(parsed.reasons)")
        #expect(parsed.date.map { $0.value.iso == "2026-03-07" } ?? true)
    }

    @Test func `does not confirm a date by the printed fiscal data from which it was read`() {
        let parsed = receipt(
            "TSE-Transaktion: 2", "Signaturzähler: 77", "TSE-Stop: 2026-03-07T12:48:00",
            "Beleg^1.19_2.49_0.00_0.00_0.00^3.68:Bar", source: .ocr)
        #expect(parsed.date?.value.iso == "2026-03-07")
        #expect(parsed.reasons.contains(.dateUnconfirmed), "\(parsed.reasons)")
    }

    @Test func `confirms the date by a fiscal code alone`() {
        let payload = "_R1-AT1_K1_7_2026-03-07T12:48:00_1,19_2,49_0,00_0,00_0,00_AAAA_U:ATU1-2_NEen0fnOY9M=_H+KLP6=="
        let parsed = Layout.parse(
            """
            Laden
            4600 Wels
            Milch        1,19 A
            Brot         2,49 B
            Summe        3,68
            Bar          5,00
            Rückgeld     1,32
            .2026 12:48
            """, codes: [Layout.code("QRCode", payload)])
        #expect(parsed.date?.value.iso == "2026-03-07")
        #expect(!parsed.reasons.contains(.dateUnconfirmed), "\(parsed.reasons)")
    }

    @Test func `prefers the invoice date to the dates of order, delivery and payment`() {
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
