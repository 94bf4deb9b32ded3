import DocumentParsing
import Domain
import Recognition
import Testing

/// Quantity lines in which no engine read a figure. If such a line were read as a heading, the item would count as one
/// piece, and the sum would still be right.
@Suite(.timeLimit(.minutes(1))) struct `Quantity lines without a legible figure` {
    /// - Parameters:
    ///   - line: the first engine's reading of a line among the items, or above the first one.
    ///   - second: the second engine's reading of that line; empty if it read nothing.
    private func parse(_ line: String, second: String, isAboveFirst: Bool = false) -> ParsedReceipt {
        var document = Layout.document(
            """
            LADEN
            12345 Ort
            \(isAboveFirst ? line : "OBST")
            BROT         3,98 A
            \(isAboveFirst ? "MEHL         0,99 A" : line)
            KAFFEE       5,49 A
            SALZ         1,19 A
            SUMME       \(isAboveFirst ? "11,65" : "10,66")
            BAR         20,00
            Rückgeld     \(isAboveFirst ? "8,35" : "9,34")
            11.05.2026 10:11
            11.05.2026
            """)
        let row = document.pages[0].lines.firstIndex {
            $0.words[0].text == line.split(separator: " ").first.map(String.init)
        }
        guard let row else { return ReceiptParser(today: Layout.today).parse(document) }
        let words = Layout.document(second).pages[0].lines.first?.words ?? []
        document.pages[0].lines[row].secondEngineWords = words.map { word in
            var word = word
            word.box.y = document.pages[0].lines[row].words[0].box.y
            return word
        }
        return ReceiptParser(today: Layout.today).parse(document)
    }

    @Test(arguments: [("Zelsb", "ZX|.BB"), ("Zelsb Rabe", ""), ("Ze l,BB", "2"), ("Zustelsbereseins", "Lx1.9B")])
    func `reports a line that the engines read as different words as unexplained`(line: String, second: String) {
        let read = parse(line, second: second)
        #expect(read.state == .review && read.reasons == [.unexplainedLine], "\(read.reasons)")
    }

    @Test(arguments: [
        "Zxlzg", "Z X l,Zg", "SStk äO,Sg", "z k Z,Tq", "Z % Dqq", "zxI,Aq", "O,TAG kg x Z,qB EUR/kg",
        "o,TAb kg K Z,qB EUR/kg",
    ])
    func `reports letters that look like a quantity as unexplained, even if both engines read them`(line: String) {
        let read = parse(line, second: line)
        #expect(read.reasons == [.unexplainedLine], "\(read.reasons)")
    }

    @Test(arguments: [
        "KABELBINDER\n   z K 3q5         7,90 A", "BANANEN\n   I,0Z5 kg à 1,Tg  7,90 A", "2 x Z.4D RAHM       7.BO A",
        "zx MENÜ GROSS       7,90 A", "LATTE UHT  Z  3.9s  7,90 A", "KORNSPITZ  2 k 3q5  7,90 A",
    ])
    func `leaves a receipt for review if both engines read the quantity beside an amount as letters`(lines: String) {
        let read = Layout.parse(
            """
            LADEN
            12345 Ort
            BROT                3,98 A
            \(lines)
            SALZ                1,19 A
            SUMME              13,07
            BAR                13,07
            11.05.2026 10:11
            11.05.2026
            """)
        #expect(read.state == .review)
    }

    @Test(arguments: [
        "TOAST 500G", "OBST BIO", "BISKOTTI", "BIO KIDS", "JOGHURT 1% 150G", "KAESE AB 500g", "MILCH 1% 1,0l",
        "SD 64GB",
        "BX BAGUETTE",
    ])
    func `proves a receipt with a name whose letters look like digits`(name: String) {
        let read = Layout.parse(
            """
            LADEN
            12345 Ort
            BROT                3,98 A
            \(name)    7,91 A
            SALZ                1,19 A
            SUMME              13,08
            BAR                13,08
            11.05.2026 10:11
            11.05.2026
            """)
        #expect(read.state == .proven, "\(read.reasons)")
    }

    @Test func `marks the quantity as unconfirmed if a damaged quantity line is above the first item`() {
        let read = parse("Zelsb", second: "ZX|.BB", isAboveFirst: true)
        #expect(read.reasons == [.quantityUnconfirmed], "\(read.reasons)")
    }

    @Test(arguments: [("MOLKEREI", "MOLKEREI"), ("MOLKEREI", "MOLKERE|"), ("Frisches Gemüse", "Frisches Gemuse")])
    func `ignores a heading that both engines read`(line: String, second: String) {
        let read = parse(line, second: second)
        #expect(read.state == .proven, "\(read.reasons)")
    }
}
