import DocumentParsing
import Domain
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Layouts of receipts` {
    @Test func `assigns a quantity line to the item above, and recognises deposits and returns by their words`() {
        let receipt = Layout.parse(Sample.rewe)
        #expect(
            receipt.summary == [
                "VOLLKORNBROT 1 Stk 2,49 2,49 B item",
                "APFEL ELSTAR 0,936 kg 2,00 1,87 B item",
                "JOGHURT NATUR 4 Stk 0,59 2,36 B item",
                "LIMONADE 1 Stk 0,89 0,89 A item",
                "PFAND 0,25 EURO 1 Stk 0,25 0,25 A deposit",
                "LEERGUT EINWEG 3 Stk -0,25 -0,75 A deposit_return",
            ])
        #expect(receipt.chain == "REWE")
        #expect(receipt.total?.value.figure() == "7,11")
        #expect(receipt.date?.value.iso == "2026-03-14")
        #expect(receipt.store.street == "Lindenweg 12")
        #expect(receipt.store.town == "Köln")
        #expect(receipt.store.vatNumber == "DE999999999")
        #expect(receipt.items.map { $0.vatRate?.tenthsOfPercent } == [70, 70, 70, 190, 190, 190])
    }

    @Test func `reads a quantity in the item's line and a discount without a VAT class`() {
        let receipt = Layout.parse(Sample.lidl)
        #expect(
            receipt.summary == [
                "Vollmilch 3,5% 3 Stk 1,05 3,15 A item",
                "Butter 1 Stk 1,99 1,99 A item",
                "Bananen 0,728 kg 1,19 0,87 A item",
                "Preisvorteil 1 Stk -0,30 -0,30 - discount",
                "Spülmittel 1 Stk 0,95 0,95 B item",
            ])
        #expect(receipt.items[3].reducedItem == 2)
        #expect(receipt.change?.figure() == "3,34")
        #expect(receipt.date?.value.iso == "2026-02-05")
    }

    @Test func `assigns a quantity line to the item below in a layout that prints it above`() {
        let receipt = Layout.parse(Sample.aldi)
        #expect(
            receipt.summary == [
                "MEHL TYPE 405 1 Stk 0,79 0,79 1 item",
                "KAFFEE GEMAHLEN 2 Stk 1,99 3,98 1 item",
                "PFANDWERT 0,25 19% 6 Stk 0,25 1,50 2 deposit",
                "WASSER STILL 1 Stk 1,14 1,14 2 item",
            ])
        #expect(receipt.state == .proven, "\(receipt.reasons)")
    }

    @Test func `skips coupon numbers and article counts between the items`() {
        let receipt = Layout.parse(Sample.edeka)
        #expect(
            receipt.summary == [
                "Hafer Drink 2 Stk 1,29 2,58 AW item",
                "Roggenbrot 1 Stk 3,19 3,19 A item",
                "Bio Eier 10er 1 Stk 3,49 3,49 AW item",
                "LEERGUT MW MINUS 1 Stk -1,50 -1,50 B deposit_return",
            ])
        #expect(receipt.articleCount == 4)
        #expect(receipt.state == .proven, "\(receipt.reasons)")
    }

    @Test func `reads an Austrian layout with decimal points, the VAT class before the price and several subtotals`() {
        let receipt = Layout.parse(Sample.billa)
        #expect(
            receipt.summary == [
                "SEMMEL KÖRNER 1 Stk 0,59 0,59 B item",
                "BERGKÄSE 45% 1 Stk 4,49 4,49 B item",
                "ALPENMILCH 1L 2 Stk 1,79 3,58 B item",
                "NIMM MEHR 1 Stk -0,60 -0,60 B discount",
                "WEISSWEIN GV 1 Stk 5,99 5,99 A item",
            ])
        #expect(receipt.chain == "Billa")
        #expect(receipt.total?.value.figure() == "14,05")
    }

    @Test func `reads a digit after the price as the VAT class, and a payment printed as negative as a payment`() {
        let receipt = Layout.parse(Sample.dm)
        #expect(receipt.items.map { $0.vatClass } == ["1", "1", "2"])
        #expect(receipt.items.allSatisfy { $0.quantity.value == .one })
        #expect(receipt.total?.value.figure() == "4,65")
        #expect(receipt.state == .proven, "\(receipt.reasons)")
    }

    @Test func `recognises the columns of a Swiss receipt by their product`() {
        let receipt = Layout.parse(Sample.migros)
        #expect(
            receipt.summary == ["Bananen 0,352 kg 2,70 0,95 1 item", "Rösti 500g 2 Stk 1,40 2,80 1 item"])
        #expect(receipt.currency == .chf)
    }

    @Test(arguments: [
        ("SUMME", "7,11"), ("S U M M E", "7,11"), ("zu zahlen", "7,11"), ("Total", "7,11"), ("Gesamtbetrag", "7,11"),
        ("HOFER PREIS", "7,11"), ("ZU ZÄHLEN EURO", "7,11"), ("SUNME", "7,11"),
    ])
    func `finds the total by its word`(word: String, total: String) {
        let text = "LADEN\n12345 Ort\n           EUR\nBROT   4,11 A\nKÄSE   3,00 A\n\(word)   7,11\nBAR    7,11\n"
        #expect(Layout.parse(text).total?.value.figure() == total)
        #expect(Layout.parse(text).items.count == 2)
    }

    @Test func `assigns a weight in a two-line table to the name above`() {
        let text = """
            LADEN
            12345 Ort
            WÜRFELZUCKER            0,89 C
            BANANEN LOSE                 C
            kg   EURO/kg   EURO
            0,158   1,19         0,19
            SEKT 0,2 L              0,89 D
            ZU ZAHLEN               1,97
            BAR                     1,97
            """
        #expect(
            Layout.parse(text).summary == [
                "WÜRFELZUCKER 1 Stk 0,89 0,89 C item", "BANANEN LOSE 0,158 kg 1,19 0,19 C item",
                "SEKT 0,2 L 1 Stk 0,89 0,89 D item",
            ])
    }

    @Test func `replaces the total by the total after a discount`() {
        let text = """
            LADEN
            12345 Ort
                               EUR
            BROT               10,00 A
            KÄSE               18,30 A
            SUMME              28,30
            Rabatt 2%          -0,67
            SUMME              27,63
            BAR                27,63
            """
        let receipt = Layout.parse(text)
        #expect(receipt.total?.value.figure() == "27,63")
        #expect(receipt.items.last?.kind == .discount)
        #expect(receipt.items.count == 3)
    }

    @Test func `reads amounts with a minus sign after them`() {
        let text = """
            LADEN
            12345 Ort
            PFANDGUTSCHEIN     0,45-V
            PFANDBON           5,25- V
            FLEISCH            9,99 E
            SUMME              4,29
            BAR                4,29
            """
        let receipt = Layout.parse(text)
        #expect(receipt.items.map { $0.total?.value.minorUnits } == [-45, -525, 999])
        #expect(receipt.items.prefix(2).allSatisfy { $0.kind == .depositReturn })
    }

    @Test func `removes article numbers before names, but not four-digit numbers`() {
        let text = """
            LADEN
            12345 Ort
            4012345678901 SEIFE    1,00 A
            123456 MILCH           2,00 A
            1688 MEHRKORN          3,00 A
            SUMME                  6,00
            BAR                    6,00
            """
        #expect(Layout.parse(text).items.map(\.name.value) == ["SEIFE", "MILCH", "1688 MEHRKORN"])
    }

    @Test func `reports a page without a receipt as unreadable and without a total`() {
        let receipt = Layout.parse("ganz etwas anderes\nals ein Beleg")
        #expect(receipt.state == .unreadable)
        #expect(receipt.total == nil)
    }

    @Test(arguments: [
        "<img src=x onerror=alert(1)>   1,00 A\nSUMME   1,00", String(repeating: "a", count: 100_000) + "! 1,00",
        "BROT  1e300\nSUMME  NaN", "BROT  9.999.999.999,99 A\nSUMME  9.999.999.999,99", "31.02.2026 25:61",
        "BROT  \u{661}\u{662}\u{663},\u{664}\u{665} A\nSUMME  \u{661},\u{662}\u{663}",
    ])
    func `reads hostile text within bounds and does not prove it`(text: String) {
        let receipt = Layout.parse(text)
        #expect(receipt.state != .proven)
        #expect(receipt.items.allSatisfy { ($0.total?.value.minorUnits.magnitude ?? 0) <= 100_000_000 })
        #expect(receipt.date == nil)
    }
}
