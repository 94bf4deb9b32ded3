import DocumentParsing
import Domain
import Recognition
import Testing

/// Documents of ten kinds: amount paid, date, payee and category.
@Suite(.timeLimit(.minutes(1))) struct PaperTests {
    private static func read(_ text: String) -> PaperReading { read(Layout.document(text)) }

    private static func read(_ document: RecognizedDocument) -> PaperReading {
        PaperReading(document, asOf: Layout.today)
    }

    private static func category(_ reading: PaperReading) -> String? {
        let text = ExpenseText(what: reading.categoryText, payee: reading.merchants.first?.value ?? "")
        guard case .builtIn(let key)? = CategorizationChain(chosen: ChosenBefore([])).suggestion(for: text)?.category
        else { return nil }
        return key
    }

    /// True if the text that was read contains the expected name, ignoring case and punctuation.
    private static func containsName(_ read: String?, _ expected: String) -> Bool {
        guard let read else { return false }
        return ExpenseText.key(read).contains(ExpenseText.key(expected))
    }

    @Test func `ranks the right candidate first on 85 to 97 percent of the documents, depending on the field`() {
        var wrong: [String: [String]] = [:]
        for sample in PaperSample.all {
            let reading = Self.read(sample.text)
            if reading.totals.first?.value != sample.total {
                wrong["total", default: []].append("\(sample): \(reading.totals.map(\.value))")
            }
            if reading.days.first?.value.iso != sample.day {
                wrong["day", default: []].append("\(sample): \(reading.days.map(\.value.iso))")
            }
            if !Self.containsName(reading.merchants.first?.value, sample.merchant) {
                wrong["merchant", default: []].append("\(sample): \(reading.merchants.map(\.value))")
            }
            let category = Self.category(reading)
            if category != sample.category {
                wrong["category", default: []].append("\(sample): \(category ?? "-")")
            }
            if reading.kind != sample.kind {
                wrong["kind", default: []].append("\(sample): \(reading.kind?.rawValue ?? "-")")
            }
        }
        func permilleRight(_ name: String) -> Int {
            (PaperSample.all.count - (wrong[name]?.count ?? 0)) * 1_000 / PaperSample.all.count
        }
        #expect(permilleRight("total") >= 970, "\(wrong["total"] ?? [])")
        #expect(permilleRight("day") >= 950, "\(wrong["day"] ?? [])")
        #expect(permilleRight("merchant") >= 900, "\(wrong["merchant"] ?? [])")
        #expect(permilleRight("category") >= 850, "\(wrong["category"] ?? [])")
        #expect(permilleRight("kind") >= 900, "\(wrong["kind"] ?? [])")
    }

    @Test(
        arguments: [
            (
                "GOSPODA POD LIPĄ\nSUMA PLN 100,00\nKURS WYMIANY 1 EUR = 4,2645 PLN\nKWOTA TRANSAKCJI 23,45 EUR", "EUR",
                2_345
            ),
            ("GASTHAUS ADLER\nTotal CHF 85.00\nWechselkurs\n1,0521\nBetrag 89,43 EUR", "EUR", 8_943),
            ("HOTEL POST\nTotal EUR 50,00\nExchange rate 0.9401\nCHF 47.01", "CHF", 4_701),
        ] as [(String, String, Int64)])
    func `reads the amount of a card slip in the currency of the card`(text: String, code: String, amount: Int64)
        throws
    {
        let stated = try #require(Self.read(text).stated)
        #expect(stated.currency.code == code && stated.amount.value == amount)
    }

    @Test(arguments: [
        "GASTHAUS ADLER\nTotal CHF 85.00\nTotal EUR 89,43",
        "GASTHAUS ADLER\nTotal CHF 85.00\nWechselkurs 1,0521\nBetrag 81,20 EUR",
        "GASTHAUS ADLER\nTotal CHF 85.00\nMwSt rate 8.10 % 6.37 EUR",
        "GASTHAUS ADLER\nTotal CHF 85.00\nKurs 1.00 EUR = 1.0521 CHF\nSaldo 84.80 EUR",
        "GOSPODA\nTotal PLN 100,00\nKurs 1,00 EUR = 4,2645 PLN\nKarte 100,00 PLN",
    ])
    func `reads no amount of a card slip without an exchange rate that confirms it`(text: String) {
        #expect(Self.read(text).stated == nil)
    }

    @Test func `has the printed values among the candidates, with their positions`() throws {
        for sample in PaperSample.all {
            let reading = Self.read(sample.text)
            #expect(reading.totals.contains { $0.value == sample.total }, "\(sample)")
            #expect(reading.days.contains { $0.value.iso == sample.day }, "\(sample)")
            #expect(
                reading.totals.count <= PaperReading.maximumCandidates
                    && reading.merchants.count <= PaperReading.maximumCandidates)
            for candidate in reading.totals {
                #expect(candidate.box.width > 0 && candidate.box.height > 0 && candidate.page == 0, "\(sample)")
            }
        }
    }

    @Test func `adds the tip to the amount of a bill`() throws {
        let sample = try #require(PaperSample.all.first { $0.merchant == "Pizzeria Da Marco" })
        let reading = Self.read(sample.text)
        #expect(reading.tip?.value == 700 && reading.totals.first?.value == 3_600)
        #expect(reading.totals.contains { $0.value == 2_900 })
    }

    @Test func `reads IBAN and due date of an invoice`() throws {
        let sample = try #require(PaperSample.all.first { $0.merchant == "Wien Energie" })
        let reading = Self.read(sample.text)
        #expect(reading.iban?.value == "AT611904300234573201" && reading.dueDay?.value.iso == "2026-08-24")
        #expect(reading.days.first?.value.iso == "2026-08-03")
        #expect(Self.read("IBAN AT61 1904 3002 3457 3202").iban == nil)
    }

    @Test func `reads the litres of fuel and the printed currency`() throws {
        let sample = try #require(PaperSample.all.first { $0.merchant == "OMV" })
        let reading = Self.read(sample.text)
        #expect(reading.litres?.value == 38_140 && reading.currency == .eur)
        let swiss = try #require(PaperSample.all.first { $0.merchant == "Avia" })
        #expect(Self.read(swiss.text).currency?.code == "CHF")
    }

    @Test func `takes cash minus change as the total, not the cash given`() {
        let reading = Self.read("Imbiss Ali\nDöner   7,50\nTee  2,00\nBar   20,00\nRückgeld   10,50\n9,50")
        #expect(reading.totals.first?.value == 950)
    }

    @Test func `takes no amount smaller than the net amount as the total, unless a prepayment is deducted`() {
        let bill = "Pension Edelweiß\nZimmer  216,00\nNettobetrag  237,27 EUR\n10 % USt  23,72\n"
        let damaged = Self.read(bill + "Gesamtbetrag  1,00\nTWINT  261,00")
        #expect(damaged.totals.first?.value == 26_100)
        let rest = Self.read(bill + "Anzahlung  200,00\nGesamtbetrag  260,99\nRestbetrag zu zahlen  60,99")
        #expect(rest.totals.first?.value == 6_099)
    }

    @Test func `takes the rest as the total if a prepayment is deducted from a proven sum`() {
        let reading = Self.read(
            """
            Physiotherapie Lang
            1 Behandlung  199,20
            2 Einheiten Therapie  100,79
            Nettobetrag  252,09 EUR
            19% USt  47,90 EUR
            Total  299,99 EUR
            abzüglich Anzahlung  -119,99 EUR
            Restbetrag zu zahlen  180,00 EUR
            """)
        #expect(reading.totals.first?.value == 18_000 && reading.totals.contains { $0.value == 29_999 })
    }

    @Test func `takes the amount of the second engine if the engines disagree`() {
        var document = Layout.document("Huber Taxi\nFahrpreis EUR: 6,50\n16.05.2026")
        document.pages[0].lines[1].secondEngineWords = document.pages[0].lines[1].words
        document.pages[0].lines[1].secondEngineWords[2].text = "16.50"
        #expect(Self.read(document).totals.map(\.value) == [1_650, 650])
    }

    @Test func `chooses between the amounts of both engines by the sums`() {
        var document = Layout.document(
            "Krone\n1 Melange 4,80\nTotal: 27,88\nNetto 27,10\nMWSt 2.6% 0,70\nTrinkgeld 2,28\nBezahlt 30,08")
        for line in document.pages[0].lines.indices {
            document.pages[0].lines[line].secondEngineWords = document.pages[0].lines[line].words.map { word in
                var word = word
                word.text = ["27,88": "27,80", "2,28": "2,20", "30,08": "30,00"][word.text] ?? word.text
                return word
            }
        }
        let reading = Self.read(document)
        #expect(reading.totals.first?.value == 3_000 && reading.tip?.value == 220)
    }

    @Test func `takes cash minus change as the total if the labels are above the amounts`() {
        let reading = Self.read("Parking\nTotal TTC\n19,00 €\nEspèces\n20,00 €\nRendu\n1,00 €")
        #expect(reading.totals.first?.value == 1_900)
    }

    @Test(arguments: ["Importo pagato: 67,", "Fahrpreis EUR: 67", "Fahrpreis EUR: 67.0"])
    func `completes amounts without one or both decimals`(_ line: String) {
        #expect(Self.read("Ristorante\n\(line)").totals.first?.value == 6_700)
    }

    @Test func `takes the total of an online order from the line with the word Bestellsumme`() throws {
        let text = """
            Douglas GmbH
            Bestellnummer: 378030561401
            Rechnungsdatum: 13.06.26
            1 Kosmetik Set 1 15,30 15,30
            Versandkosten 0,00 EUR
            Zwischensumme 526,98 EUR
            20 % MwSt. 105,40 EUR
            Bestellsumme 632,38 EUR
            """
        var receipt = ReceiptParser(facts: .builtIn, today: Layout.today).parse(Layout.document(text))
        try #require(receipt.state != .proven)
        receipt.complete(Self.read(text))
        #expect(receipt.total?.value.minorUnits == 63_238)
    }

    @Test func `chooses the date of a table by the label above it`() {
        let reading = Self.read(
            """
            Radteile Express
            Bestellnummer       Rechnungsdatum      Bestelldatum
            48817361            04.05.2026          01.05.2026
            Leistungszeitraum 01.04.2026 - 30.04.2026
            Gesamtbetrag 40,00
            """)
        #expect(reading.days.first?.value.iso == "2026-05-04")
    }

    @Test func `recognises the word for the total despite one wrong letter`() {
        #expect(Self.read("X\n7,00\nGesamtbetrog 12,00\nfoo 20,00").totals.first?.value == 1_200)
    }

    @Test func `takes the bill with its tip as the total, even if the lines prove the bill`() {
        let text = """
            Gasthaus Zur Linde
            Tisch 4
            Gulasch                11,90
            Bier                    4,80
            Summe EUR              16,70
            Trinkgeld               1,30
            Visa                   18,00
            14.08.2026 20:41
            """
        var draft = ReceiptParser(today: Layout.today).parse(Layout.document(text))
        draft.complete(Self.read(text))
        #expect(draft.total?.value.minorUnits == 1_800 && draft.state == .review)
        draft.state = .proven
        draft.total?.value = Money(minorUnits: 1_670, currency: .eur)
        draft.complete(Self.read(text))
        #expect(draft.total?.value.minorUnits == 1_800 && draft.state == .review)
    }

    @Test func `proves no bill that has a line for a tip without a legible amount`() throws {
        let bill = """
            Gasthaus Zur Linde
            Tisch 4
            Gulasch                11,90
            Bier                    4,80
            Summe EUR              16,70
            Visa                   16,70
            14.08.2026 20:41
            """
        func state(_ text: String) -> ParsedReceipt.State {
            var draft = ReceiptParser(today: Layout.today).parse(Layout.document(text))
            draft.state = .proven
            draft.complete(Self.read(text))
            return draft.state
        }
        #expect(state(bill) == .proven)
        #expect(state(bill + "\nTrinkgeld nicht enthalten, danke") == .proven)
        #expect(state(bill + "\nTrinkgeld: ____") == .review)
    }

    @Test func `takes no store from a picture without amounts`() {
        let text = "ei, air\nhi"
        var draft = ReceiptParser(today: Layout.today).parse(Layout.document(text))
        draft.complete(Self.read(text))
        #expect(draft.state == .unreadable && draft.store.name == nil && draft.chain == nil)
    }

    @Test func `keeps the values of a supermarket receipt`() {
        let text = "REWE\nTisch Tisch\nPizza 3,00 B\nEspresso 4,00 B\nSUMME EUR 7,00\nTrinkgeld 2,00\n9,00"
        var draft = ReceiptParser(today: Layout.today).parse(Layout.document(text))
        let total = draft.total?.value
        draft.complete(Self.read(text))
        #expect(draft.chain == "REWE" && (total == nil || draft.total?.value == total))
    }

    @Test(arguments: [
        "", "\n\n", "1 2 3", String(repeating: "9,99 ", count: 2_000), "IBAN " + String(repeating: "A", count: 500),
    ])
    func `limits the candidates of empty and meaningless texts`(_ text: String) {
        let reading = Self.read(text)
        #expect(reading.totals.count <= PaperReading.maximumCandidates && reading.kind == nil)
    }
}
