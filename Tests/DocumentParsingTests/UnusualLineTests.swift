import DocumentParsing
import Domain
import Recognition
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Unusual forms of amounts and lines` {
    private func parse(_ itemLines: String, total: String, source: RecognizedPage.Source = .ocr) -> ParsedReceipt {
        Layout.parse(
            """
            Laden Kern
            80331 München
            \(itemLines)
            Summe                    \(total)
            EC-Karte                 \(total)
            22.01.2026 15:20 Bon 3456789
            """, source: source)
    }

    @Test(arguments: [
        "Parkschein 10:15          2,50 A", "Tageskarte 24.01.2026     2,50 A", "Mo-Fr Lunch               2,50 A",
    ])
    func `reads a first item whose name contains a time or a date`(line: String) {
        let parsed = parse(
            "\(line)\nWasser                    1,19 A\nBrezel                    0,95 A", total: " 4,64")
        #expect(parsed.items.map { $0.total?.value.minorUnits } == [250, 119, 95])
    }

    @Test func `subtracts a discount that is printed without a sign`() {
        let parsed = parse(
            "Käse                     12,30 A\nRabatt                    2,00 A\nSeife                     3,00 A",
            total: "13,30")
        #expect(parsed.items.map { $0.total?.value.minorUnits } == [1_230, -200, 300])
        #expect(parsed.items.map(\.kind) == [.item, .discount, .item])
    }

    @Test func `reads several discounts without a sign as discounts`() {
        let parsed = parse(
            "Seife                     8,50 A\nRabatt Seife              1,00 A\nCreme                    42,00 A\nRabatt Creme              2,00 A",
            total: "47,50")
        #expect(parsed.items.map(\.kind) == [.item, .discount, .item, .discount])
    }

    @Test func `leaves items for 0,00 for review if their name ends in a word for discounts`() {
        let parsed = parse(
            "Seife                     8,50 A\nSticker gratis            0,00 A\nCreme                    42,00 A",
            total: "50,50")
        #expect(parsed.reasons.contains(.kindDoubtful))
    }

    @Test func `restores a comma that was misread as another mark`() {
        let parsed = parse(
            "Seife                     8;50 A\nCreme                    42'00 A\nKamm                      1,99 A",
            total: "52,49")
        #expect(parsed.items.map { $0.total?.value.minorUnits } == [850, 4_200, 199])
    }

    @Test func `adds the digit before a blank to the amount if the total needs it`() {
        let parsed = parse(
            "Seife                     8,50 A\nCreme                   4 2,00 A\nKamm                      1,99 A",
            total: "52,49")
        #expect(parsed.items.map { $0.total?.value.minorUnits } == [850, 4_200, 199])
        #expect(parsed.state == .review)
    }

    @Test func `reads amounts with a dash instead of cents`() {
        let parsed = parse(
            "Kissen                    5,- A\nDecke                    12.- A\nSeife                     3,00 A",
            total: "20,00")
        #expect(parsed.items.map { $0.total?.value.minorUnits } == [500, 1_200, 300])
    }

    @Test func `marks the quantity as unconfirmed if the amount is a price for several pieces`() {
        let several = parse("Shirt 2 für 13,00        13,00 A\nHose                     29,99 A", total: "42,99")
        #expect(several.reasons.contains(.quantityUnconfirmed))
        let one = parse("Shirt 2 für 13,00         7,99 A\nHose                     29,99 A", total: "37,98")
        #expect(!one.reasons.contains(.quantityUnconfirmed))
    }

    @Test(arguments: [
        "Bananen 0,612 lose        1,81 A", "Brötchen 4x0,65           2,59 A", "Äpfel 2,49                1,24 A",
    ])
    func `leaves a receipt with a text layer for review if a line is not understood`(line: String) {
        let parsed = parse(
            "\(line)\nBrot                      2,00 A",
            total: line.contains("1,81") ? " 3,81" : line.contains("2,59") ? " 4,59" : " 3,24",
            source: .text)
        #expect(parsed.reasons.contains(.quantityUnconfirmed))
    }
}
