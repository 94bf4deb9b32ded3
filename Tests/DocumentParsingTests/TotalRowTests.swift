import DocumentParsing
import Domain
import Testing

/// Totals whose amount is not in the row of their key word, because the paper is bent or the photo is tilted.
@Suite(.timeLimit(.minutes(5))) struct `Rows of the total` {
    private static let headAndItems = """
        REWE Markt
        58239 Schwerte
                                 EUR
        VOLLMILCH               1,19 B
        BUTTER                  2,29 B
        HONIG                   4,99 B

        """
    private static let summaries = [
        "VOLLMILCH 1 Stk 1,19 1,19 B item", "BUTTER 1 Stk 2,29 2,29 B item", "HONIG 1 Stk 4,99 4,99 B item",
    ]

    @Test func `accepts an M that a dot-matrix printer prints like an N`() {
        let receipt = Layout.parse(
            Self.headAndItems + """
                SUNNE EUR               8,47
                BAR                    10,00
                RUECKGELD               1,53
                07.03.2026 10:12
                """)
        #expect(receipt.summary == Self.summaries)
        #expect(receipt.total?.value.figure() == "8,47")
    }

    @Test func `finds the total on the row after its key word`() {
        let receipt = Layout.parse(
            Self.headAndItems + """
                SUMME            EUR
                                       8,47
                Geg. BAR         EUR
                                      10,00
                Rückgeld BAR     EUR   1,53
                07.03.2026 10:12
                """)
        #expect(receipt.summary == Self.summaries)
        #expect(receipt.total?.value.figure() == "8,47")
    }

    @Test func `keeps the items if no total was read`() {
        let receipt = Layout.parse(
            Self.headAndItems.replacing("                         EUR\n", with: "") + """
                SUMME            EUR
                Geg. BAR         EUR
                07.03.2026 10:12
                """)
        #expect(receipt.summary == Self.summaries)
        // The sum of the items, marked as doubtful.
        #expect(receipt.total?.isDoubtful == true)
        #expect(receipt.state == .review)
    }

    @Test(arguments: ["", "Vxsa Oebit               8,47"])
    func `reads the sum of the items beside a misread word as the total`(payment: String) {
        let receipt = Layout.parse(
            Self.headAndItems + """
                mltaxe EUR              8,47
                \(payment)
                07.03.2026 10:12
                """)
        #expect(receipt.summary == Self.summaries)
        #expect(receipt.total?.value.figure() == "8,47")
        #expect(receipt.state == .review)
    }

    @Test func `does not prove a total with a misread word by the payment alone`() {
        let receipt = Layout.parse(
            Self.headAndItems + """
                mltaxe EUR              8,47
                BAR                    10,00
                RUECKGELD               1,53
                07.03.2026 10:12
                """)
        #expect(receipt.state == .review)
    }

    @Test func `does not take an item below the key word as the total`() {
        let receipt = Layout.parse(
            Self.headAndItems + """
                SUMME            EUR
                BROT                   2,49 B
                07.03.2026 10:12
                """)
        #expect(receipt.total?.value.figure() != "2,49")
    }

    @Test(arguments: [
        "FOOD & BEV TOTAL                    82,00", "Speisen gesamt                      82,00",
    ])
    func `does not take a sum whose label ends with total as the total if a service charge follows`(sum: String) {
        let receipt = Layout.parse(
            """
            Brasserie Huber
            1010 Wien
            2 Schnitzel                         39,00
            1 Burger                            17,50
            1 Flasche Rioja                     25,50
            \(sum)
            Service 12,5%                       10,25
            Total                               92,25
            Visa                                92,25
            07.03.2026 21:12
            """)
        #expect(receipt.total?.value.figure() == "92,25")
        #expect(receipt.items.compactMap { $0.total?.value.figure() } == ["39,00", "17,50", "25,50", "10,25"])
    }

    @Test func `does not take a subtotal between items as the total`() {
        let receipt = Layout.parse(
            """
            LADEN MUSTER
            1070 Wien
                                    EUR
            Milch              B    3.38
            Topfen             B    0.89
            Zwischensumme           4.27
            WC Papier          A    4.49
            SUMME EUR
            Bankomat                8.76
            07.03.2026 10:12
            """)
        #expect(receipt.items.map(\.name.value) == ["Milch", "Topfen", "WC Papier"])
        #expect(receipt.total?.value.figure() == "8,76")
    }

    @Test(arguments: ["4,10", "0,90"])
    func `takes the paid amount, not the one beside SUMME, if the items add up to the paid amount`(printed: String) {
        let receipt = Layout.parse(
            Self.headAndItems + "SUMME                  \(printed)\nTWINT                 8,76\n07.03.2026 10:12\n")
        let sum = receipt.items.compactMap { $0.total?.value.minorUnits }.reduce(0, +)
        let paid = Layout.parse(
            Self.headAndItems + "SUMME                  \(printed)\n"
                + "TWINT   \(sum / 100),\(sum % 100 / 10)\(sum % 10)\n07.03.2026 10:12\n")
        #expect(receipt.total?.value.figure() == printed)
        #expect(paid.total?.value.minorUnits == sum)
        #expect(paid.state == .review)
    }
}
