import DocumentParsing
import Domain
import Recognition
import Testing

/// Totals, dates and counts with damaged print, and the other figures on the receipt that restore them.
@Suite(.timeLimit(.minutes(5))) struct `Damaged totals, dates and counts` {
    private func receipt(_ goods: [String], _ tail: [String], day: String = "07.03.2026 13:28") -> ParsedReceipt {
        Layout.parse(
            (["Dorfladen", "4600 Wels", "                    EUR"] + goods + tail + [day]).joined(separator: "\n"))
    }

    private let goods = ["Brot         4,20 A", "Zopf         5,50 A", "Topf        49,00 B"]

    // MARK: Totals

    @Test func `Takes the total from card payment and taxes if the printed total differs from both`() {
        let parsed = receipt(
            goods,
            [
                "SUMME            58,10", "Bankomat/Maestro EUR  58,70", "A 10% MwSt. 0,88 von  9,70",
                "B 20% MwSt. 8,17 von 49,00",
            ])
        #expect(parsed.total?.value.figure() == "58,70")
        #expect(parsed.total?.isDoubtful == true)
        #expect(parsed.taxTable.map(\.gross) == [970, 4_900])
    }

    @Test func `Confirms the total by net and tax lines of each rate`() {
        func total(_ net: String) -> String? {
            receipt(
                ["Brot         4,20 A", "Zopf         5,50 A", "Topf        42,00 B"],
                [
                    "Summe EUR        28,70", "Gegeben EUR      70,00", "Zurück EUR       11,30",
                    "inkl. 19% MwSt    7,82 EUR", "inkl. 7% MwSt     0,63 EUR", "Netto 19%        \(net) EUR",
                    "Netto 7%          9,07 EUR",
                ]
            ).total?.value.figure()
        }
        #expect(total("41,18") == "58,70")
        #expect(total("31,18") == "28,70")
    }

    @Test func `Takes a total with dirt in it from the payment`() {
        let parsed = receipt(["Brot         4,20 A", "Zopf        15,50 A"], ["TOTAL     19,715", "Karte     19,75"])
        #expect(parsed.total?.value.figure() == "19,75")
        #expect(parsed.state == .review)
    }

    @Test func `Corrects a total with dirt in it from the items and the taxes`() {
        let parsed = receipt(
            goods,
            [
                "SUMME EUR      5358,70", "GEGEBEN BAR  EUR 60,080", "RÜCKGELD EUR     1,30",
                "A 10% MwSt. 0,88 von  9,70", "B 20% MwSt. 8,17 von 49,00",
            ])
        #expect(parsed.total?.value.figure() == "58,70")
        #expect(parsed.state == .review)
    }

    @Test func `Ends the item list at a tax table whose first word is damaged`() {
        let parsed = Layout.parse(
            """
            dm-drogerie markt
            4600 Wels
            Zopf         5,50 1
            Topf        49,00 1
            NISA kontaktlos EUR  -54,50
            AnSt-Satz Brutto Netto MwSt
            1=19,00%  54,50  45,80  8,70
            07.03.2026 13:28
            """)
        #expect(parsed.total?.value.figure() == "54,50")
    }

    // MARK: Dates

    private let tail = ["SUMME            58,70", "BAR              60,00", "RUECKGELD         1,30"]

    @Test(arguments: [
        ("Samstag, 7. März 2026", "2026-03-07"), ("Sa 07.03.2026", "2026-03-07"), ("Sonntag, 7. März 2026", nil),
        ("Samstag, 7. März 2026 geschlossen", nil),
    ])
    func `Accepts a date with its weekday, and refuses a wrong weekday or a closing day`(print: String, day: String?) {
        #expect(receipt(goods, tail, day: print).date?.value.iso == day)
    }

    @Test(arguments: [
        ("87.83.2826 13:28", "2026-03-07"), ("87.83.26 13:28", "2026-03-07"), ("18.83.2026 13:28", nil),
        ("08.88.2026 13:28", "2026-08-08"),
    ])
    func `Reads zeros misread as eights in a date, and leaves the receipt for review`(print: String, day: String?) {
        let parsed = receipt(goods, tail, day: print)
        #expect(parsed.date?.value.iso == day)
        #expect(parsed.state == .review)
        // A date that was read without an error has priority.
        let both = receipt(goods, tail, day: print + "\n06.03.2026 13:28")
        #expect(both.date?.value.iso == "2026-03-06")
    }

    // MARK: Counts

    private func first(_ rows: [String]) -> String? {
        receipt(rows + ["Salz         1,00 B", "  2 x 0,50"], ["SUMME            12,00"]).summary.first
    }

    @Test func `Reads counts with damaged characters`() {
        #expect(first(["Salat        2,78 B", "25tk.x 1,39"]) == "Salat 2 Stk 1,39 2,78 B item")
        #expect(first(["Salat        4,35 B", "3145"]) == "Salat 3 Stk 1,45 4,35 B item")
        #expect(first(["Salat        4,36 B", "3145"]) == "Salat 1 Stk 4,36 4,36 B item")
        #expect(first(["Nudeln 1,69 £ x 3   5,07 B"]) == "Nudeln 3 Stk 1,69 5,07 B item")
    }

    @Test func `Reads a column of counts with dirt and lost blanks`() {
        let parsed = Layout.parse(
            """
            Dorfladen
            4600 Wels
            Anz. Artikel     Einzel    EUR
            1 Filet            6,59   6,59 A
            1: Zucker          1,29   1,29 A
            3 Spaghetti No.5   1,795,37 A
            Summe EUR                13,25
            Bar EUR                  14,00
            Retour EUR                0,75
            07.03.2026 13:28
            """)
        #expect(parsed.items.map(\.name.value) == ["Filet", "Zucker", "Spaghetti No.5"])
        #expect(parsed.items.map(\.quantity.value.thousandths) == [1_000, 1_000, 3_000])
    }

    @Test func `Reads a weight in a column of counts`() {
        let parsed = Layout.parse(
            """
            Dorfladen
            4600 Wels
            Menge Artikel Preis Gesamt
            1 Filet            6,59  6,59 1
            2 Zucker           1,29  2,58 1
            0,700 Trauben hell 3,49  2,44 1
            Summe EUR               11,61
            Bar EUR                 12,00
            Retour EUR               0,39
            07.03.2026 13:28
            """)
        #expect(
            parsed.summary == [
                "Filet 1 Stk 6,59 6,59 1 item", "Zucker 2 Stk 1,29 2,58 1 item",
                "Trauben hell 0,700 kg 3,49 2,44 1 item",
            ])
    }

    @Test func `Reads a first item with a damaged amount and article numbers above the names`() {
        let parsed = Layout.parse(
            """
            Dorfladen
            30559 Hannover
            4388427576844
            DUSCHGEL MANGO      1,583 A
            2 Stück x 0,79
            4325184065521
            HAFERFLOCKEN        1,29 B
            4331065040445
            VOLLWASCHM.         4,49 A
            Total EUR           7,36
            girocard EUR        7,36
            07.03.2026 13:28
            """)
        #expect(
            parsed.summary == [
                "DUSCHGEL MANGO 2 Stk 0,79 1,58 A item", "HAFERFLOCKEN 1 Stk 1,29 1,29 B item",
                "VOLLWASCHM. 1 Stk 4,49 4,49 A item",
            ])
    }

    @Test func `Does not read a row of dashes as an item`() {
        var document = Layout.document(
            """
            Dorfladen
            4600 Wels
            Brot                4,20 A
            Zopf                5,50 A
            zu... 2.2... . 2. 2. 2. 2. 2. 2. 2... 2. 0.0. 1... 0.0...
            SUMME               9,70
            BAR                 9,70
            07.03.2026 13:28
            """)
        for word in document.pages[0].lines[4].words.indices {
            document.pages[0].lines[4].words[word].confidence = 10
        }
        #expect(ReceiptParser(today: Layout.today).parse(document).items.count == 2)
    }
}
