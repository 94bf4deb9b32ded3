import DocumentParsing
import Domain
import Recognition
import Testing

/// Totals, dates and counts with damaged print, and the other figures on the receipt that restore them.
@Suite(.timeLimit(.minutes(5))) struct `Damaged totals, dates and counts` {
    private func receipt(_ itemLines: [String], _ tail: [String], day: String = "07.03.2026 13:28") -> ParsedReceipt {
        Layout.parse(
            (["Dorfladen", "4600 Wels", "                    EUR"] + itemLines + tail + [day]).joined(separator: "\n"))
    }

    private let itemLines = ["Brot         4,20 A", "Zopf         5,50 A", "Topf        49,00 B"]

    // MARK: Totals

    @Test func `takes the total from card payment and taxes if the printed total differs from both`() {
        let parsed = receipt(
            itemLines,
            [
                "SUMME            58,10", "Bankomat/Maestro EUR  58,70", "A 10% MwSt. 0,88 von  9,70",
                "B 20% MwSt. 8,17 von 49,00",
            ])
        #expect(parsed.total?.value.figure() == "58,70")
        #expect(parsed.total?.isDoubtful == true)
        #expect(parsed.taxTable.map(\.gross) == [970, 4_900])
    }

    @Test func `corrects a total with dirt in it from the items and the taxes`() {
        let parsed = receipt(
            itemLines,
            [
                "SUMME EUR      5358,70", "GEGEBEN BAR  EUR 60,080", "RÜCKGELD EUR     1,30",
                "A 10% MwSt. 0,88 von  9,70", "B 20% MwSt. 8,17 von 49,00",
            ])
        #expect(parsed.total?.value.figure() == "58,70")
        #expect(parsed.state == .review)
    }

    @Test func `ends the item list at a tax table whose first word is damaged`() {
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
    func `accepts a date with the right weekday, and refuses a wrong weekday and a day on which stores are closed`(
        print: String, day: String?
    ) {
        #expect(receipt(itemLines, tail, day: print).date?.value.iso == day)
    }

    // MARK: Counts

    @Test func `reads a first item with a damaged amount and article numbers above the names`() {
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

    @Test func `does not read a row of dashes as an item`() {
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
