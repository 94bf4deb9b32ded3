import DocumentParsing
import Domain
import Recognition
import Testing

/// Counts that tills print without a multiplication sign, and other digits that look like counts. A receipt with
/// an uncertain count is left for review; the count is never dropped.
@Suite(.timeLimit(.minutes(5))) struct `Counts without a multiplication sign` {
    private func receipt(_ rows: String, total: String, tail: String = "", isText: Bool = false) -> ParsedReceipt {
        Layout.parse(
            """
            LADEN HUBER
            12345 Ort
            \(rows)
            SUMME                 \(total)
            Kartenzahlung         \(total)
            \(tail)
            07.03.2026 13:28
            TSE-Start 2026-03-07T13:28:01
            """, source: isText ? .text : .ocr)
    }

    @Test(
        arguments: [
            "1,B0", "1,8O", "1,8S", "S,80", "l,80", "1-80", "1:80", "1,80*", "1,8", "180", "1,8?", ",80",
            "1 80",
        ], [true, false])
    func `leaves a receipt for review if one character of a unit price is damaged`(price: String, isText: Bool) {
        let parsed = receipt(
            """
            Vollmilch 2 \(price)           3,60 A
            Kaese 1 4,75              4,75 A
            Brot 3 1,50               4,50 A
            """, total: "12,85", isText: isText)
        #expect(parsed.state != .proven, "\(parsed.summary)")
    }

    @Test func `reads a semicolon before two decimals as a comma`() {
        let parsed = receipt("Vollmilch 2 1;80           3,60 A", total: "3,60")
        #expect(parsed.items.map(\.quantity.value.thousandths) == [2_000])
        #expect(parsed.items.first?.unitPrice?.value.figure() == "1,80")
    }

    @Test(arguments: ["1;80", "1;30", "1'30", "1;80;", "1'80.50", "7;80"], [true, false])
    func `never proves a unit price with a damaged comma that differs from the amount`(price: String, isText: Bool) {
        let parsed = receipt(
            """
            Vollmilch 2 \(price)           3,60 A
            Kaese 1 4,75              4,75 A
            Brot 3 1,50               4,50 A
            """, total: "12,85", isText: isText)
        let milk = parsed.items.first
        let isRight = milk?.quantity.value.thousandths == 2_000 && milk?.unitPrice?.value.figure() == "1,80"
        #expect(parsed.state != .proven || price == "1;80" && !isText && isRight, "\(parsed.summary)")
    }

    @Test(arguments: [true, false])
    func `leaves a receipt for review if a count is beside an article number`(isText: Bool) {
        for row in ["2 4012345678901", "4012345678901 2", "12 401234567890"] {
            for rows in ["SCHRAUBEN    47,88\n\(row)\nLACK    12,99", "\(row)\nSCHRAUBEN    47,88\nLACK    12,99"] {
                let parsed = receipt(rows, total: "60,87", isText: isText)
                #expect(parsed.state != .proven, "\(rows) \(parsed.summary)")
            }
        }
    }

    @Test(arguments: ["Menge 2", "MENGE 2 Stk", "Stueckzahl 2", "Netto 512 g", "Einzelpreis 39,99"])
    func `leaves a receipt for review if a quantity is printed between a name and its amount`(label: String) {
        for isText in [true, false] {
            let parsed = receipt(
                """
                BILLY REGAL
                \(label)
                505.221.87        79,98
                KALLAX
                303.518.84        15,00
                """, total: "94,98", isText: isText)
            #expect(parsed.state != .proven, "\(parsed.summary)")
        }
    }

    @Test(arguments: ["Tara 0,004 kg Netto 0,256 kg", "Tara 4g Netto 256g 1,49/100g", "Tara 0,004 14,90 EUR/kg"])
    func `does not drop the weight beside a tare weight`(line: String) {
        let parsed = receipt("GOUDA        3,81\n\(line)\nBROT         1,99", total: "5,80", isText: true)
        #expect(parsed.state != .proven || parsed.items[0].quantity.value.unit == .kilogram, "\(parsed.summary)")
    }

    @Test(arguments: [true, false])
    func `does not read counts between name and amount as VAT classes`(isText: Bool) {
        for header in ["Artikel    Anz    Preis", "Artikel           Preis"] {
            let parsed = receipt(
                """
                \(header)
                Espresso   1       2,90
                Cola       2       7,00
                Bier       3      11,40
                """, total: "21,30", isText: isText)
            #expect(parsed.state != .proven || parsed.items[1].quantity.value.figure() == "2", "\(parsed.summary)")
        }
    }

    @Test func `reads digits between name and amount as VAT classes if the tax table has them`() {
        let parsed = receipt(
            """
            MILCH   1       4,18
            SEIFE   2       3,98
            CREME   2       4,50
            """, total: "12,66", tail: "1 10,00% 3,80 0,38 4,18\n2 20,00% 7,07 1,41 8,48", isText: true)
        #expect(parsed.summary.first == "MILCH 1 Stk 4,18 4,18 1 item")
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test func `reads digits before names as VAT classes if their sums match the tax table`() {
        let parsed = receipt(
            """
            1 MILCH              1,19
            1 BROT               2,99
            2 SEIFE              3,98
            2 SHAMPOO            4,50
            """, total: "12,66", tail: "1 10,00% 3,80 0,38 4,18\n2 20,00% 7,07 1,41 8,48", isText: true)
        #expect(
            parsed.summary == [
                "MILCH 1 Stk 1,19 1,19 1 item", "BROT 1 Stk 2,99 2,99 1 item", "SEIFE 1 Stk 3,98 3,98 2 item",
                "SHAMPOO 1 Stk 4,50 4,50 2 item",
            ])
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test func `removes line numbers that cannot be counts`() {
        let parsed = receipt("1 MILCH    1,19\n2 BROT     2,99\n3 KAESE    3,99", total: "8,17", isText: true)
        #expect(parsed.summary.map { $0.prefix(5) } == ["MILCH", "BROT ", "KAESE"])
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test(arguments: [
        "1 MILCH    1,19\n2 BROT     2,98", "02 Lebensmittel 4,50\n04 Getraenke 3,80", "2) Döner 9,00",
        "120 FOTO 9x13   10,80\n1 RAHMEN   5,00", "0,5 GULASCH   6,00\n1 BIER   3,80",
    ])
    func `leaves a receipt for review if numbers before names are ambiguous`(rows: String) {
        let cents = rows.split(separator: "\n").compactMap { $0.split(separator: " ").last }
            .compactMap { Int($0.filter(\.isNumber)) }.reduce(0, +)
        let parsed = receipt(rows, total: "\(cents / 100),\(cents % 100 < 10 ? "0" : "")\(cents % 100)", isText: true)
        #expect(parsed.state != .proven, "\(parsed.summary)")
    }

    @Test func `reads numbers before names as counts if they are not consecutive from one`() {
        let parsed = receipt("2 Espresso  5,80\n1 Cola     3,50\n3 Bier    11,40", total: "20,70", isText: true)
        #expect(parsed.summary.first == "Espresso 2 Stk 2,90 5,80 - item")
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test(arguments: ["12345678 2", "Art.Nr. 12345678 2"])
    func `leaves a receipt for review if a count follows an article number`(number: String) {
        let parsed = receipt(
            "SCHRAUBEN\n\(number)      7,98\nLACK\nArt.Nr. 12345679 1    12,99", total: "20,97", isText: true)
        #expect(parsed.state != .proven, "\(parsed.summary)")
    }

    @Test(arguments: ["POSTEN 12 EUR", "TEILE 12 EUR", "12 Artikel Summe", "Total (12 Artikel)", "SUMME 12 TEILE"])
    func `compares the article count in the total's row with the items`(word: String) {
        func parsedReceipt(_ word: String) -> ParsedReceipt {
            Layout.parse(
                """
                LADEN HUBER
                12345 Ort
                Milch              1,19 A
                Brot               2,99 A
                Kaese              3,98 A
                \(word)             8,16
                BAR               10,00
                RUECKGELD          1,84
                07.03.2026 13:28
                """, source: .text)
        }
        #expect(parsedReceipt(word).reasons.contains(.articleCountDiffers), "\(parsedReceipt(word).reasons)")
        let right = parsedReceipt(word.replacing("12", with: "3"))
        #expect(right.state == .proven, "\(right.reasons)")
    }

    @Test(arguments: [
        "SHIRT 2 FUER", "SHIRT 2 ZU", "SHIRT 2 for", "SHIRT 2 FUER 13,00", "SHIRT 2/13,00",
    ])
    func `leaves a receipt for review if a name has a price for several pieces`(name: String) {
        let parsed = receipt("\(name)      13,00 A\nBROT        1,99 A", total: "14,99", isText: true)
        #expect(parsed.state != .proven, "\(parsed.summary)")
    }

    @Test func `reads counts with three decimals as pieces if several lines have them`() {
        let parsed = receipt(
            """
            SEIFE    2,000  1,49        2,98
            LACK     1,000  12,99      12,99
            LEIM     3,000  2,00        6,00
            """, total: "21,97", isText: true)
        #expect(
            parsed.summary == [
                "SEIFE 2 Stk 1,49 2,98 - item", "LACK 1 Stk 12,99 12,99 - item", "LEIM 3 Stk 2,00 6,00 - item",
            ])
        let one = receipt("SEIFE    2,98\n2,000 x 1,49\nLACK    12,99", total: "15,97", isText: true)
        #expect(one.state != .proven, "\(one.summary)")
    }

    @Test func `does not read a kilogram price as a litre price`() {
        let parsed = receipt("GOUDA    1,24\n0,621 1 x 1,999 EUR/kg\nLACK    12,99", total: "14,23", isText: true)
        #expect(parsed.state != .proven || parsed.items[0].quantity.value.unit == .kilogram, "\(parsed.summary)")
    }

    @Test(arguments: [
        ("Packung 10 Stk 0,35", "3,50"), ("Grundpreis 40 Stk 0,12", "4,80"), ("Inhalt 6 Stk je 0,33", "1,98"),
        ("Aktion: 2 Stueck nur 0,99", "1,98"), ("20 Beutel 0,10", "2,00"),
    ])
    func `does not read the contents of a package as a count`(line: String, total: String) {
        for isText in [true, false] {
            let parsed = receipt("TESTWARE   \(total) A\n\(line)", total: total, isText: isText)
            #expect(parsed.state != .proven, "\(parsed.summary)")
        }
    }

    @Test(arguments: ["7 Cola 0,3l     1,80              3,60 A", "4 Cola     0,85     3,60 A"])
    func `leaves a receipt for review if a count does not match the unit price in the name`(line: String) {
        let rows = "\(line)\n1 Kaese         4,75              4,75 A\n3 Brot          1,50              4,50 A"
        for isText in [true, false] {
            let parsed = receipt(rows, total: "12,85", isText: isText)
            #expect(parsed.state != .proven, "\(parsed.summary)")
        }
    }

    @Test(arguments: ["1,20B kg x 2,98 EUR/kg", "kg x 2,98 EUR/kg", "x 1,20"])
    func `leaves a receipt for review if a quantity line above the first item is not understood`(line: String) {
        let rows = "\(line)\nTomaten      3,60 A\nKaese        4,75 A\nBrot         4,50 A"
        for isText in [true, false] {
            let parsed = receipt(rows, total: "12,85", isText: isText)
            #expect(parsed.state != .proven, "\(parsed.summary)")
        }
    }

    @Test(arguments: ["Stk Artikel Preis", "EUR", "Artikel EUR/kg"])
    func `accepts a column header above the first item`(line: String) {
        let rows = "\(line)\nTomaten      3,60 A\nKaese        4,75 A\nBrot         4,50 A"
        let parsed = receipt(rows, total: "12,85", isText: true)
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test(arguments: ["256 g x 1,49/100g", "0,256 kg x 1,49 EUR/100g"])
    func `reads a price per 100 g as a tenth of the price per kilogram`(line: String) {
        let parsed = receipt("GOUDA        3,81\n\(line)\nBROT         1,99", total: "5,80", isText: true)
        #expect(parsed.summary.first == "GOUDA 0,256 kg 14,90 3,81 - item")
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }
}
