import DocumentParsing
import Domain
import Testing

/// Lines that cancel another line, and receipts on which the store pays the customer.
@Suite(.timeLimit(.minutes(5))) struct `Cancelled and returned items` {
    private func receipt(
        _ rows: [String], total: String, tender: String = "EC-Karte", head: [String] = []
    ) -> ParsedReceipt {
        let lines = (rows + ["Summe  \(total)  ", "\(tender)  \(total)  "]).map { row in
            guard let gap = row.firstRange(of: "  ") else { return row }
            let blanks = String(repeating: " ", count: max(2, 40 - row.count))
            return row[..<gap.lowerBound] + blanks + row[gap.upperBound...]
        }
        return Layout.parse(
            (["   Laden", "   4600 Wels"] + head + lines + ["07.03.2026 13:28"]).joined(separator: "\n"))
    }

    private let itemLines = ["Butter  2,29 A", "Brot  1,99 A", "Kaffee  5,49 A"]

    @Test(arguments: [
        ["AKTION SEMMEL  1,99 A", "Zeilenstorno", "AKTION SEMMEL  -1,99 A"],
        ["QUARK  1,29 A", "STORNO QUARK  -1,29 A"],
        ["RABATT KARTE  1,99 A", "Sofort-Storno", "RABATT KARTE  1,99- A"],
    ])
    func `reads the cancellation of an item as an item with a negative amount`(rows: [String]) {
        let parsed = receipt(itemLines + rows, total: "9,77")
        #expect(parsed.items.map(\.kind) == [.item, .item, .item, .item, .item])
        #expect(parsed.items.last?.total?.value.minorUnits ?? 0 < 0)
        #expect(!parsed.reasons.contains(.kindDoubtful))
        #expect(!parsed.reasons.contains(.unexplainedLine))
    }

    @Test func `accepts the cancellation of one piece of several`() {
        let parsed = Layout.parse(
            """
               Laden
               4600 Wels
            Butter               2,29 A
            KERZEN STUMPEN       7,47 A
              3 x    2,49
            STORNO KERZEN STUMPEN 2,49- A
            Summe                7,27
            EC-Karte             7,27
            07.03.2026 13:28
            """)
        #expect(!parsed.reasons.contains(.kindDoubtful))
    }

    @Test(arguments: [
        (["Zeilenstorno", "AKTION BROT  -1,99 A"], "7,78"), (["QUARK  1,29 A", "STORNO QUARK  -1,19 A"], "9,87"),
        (["LEERGUT  -1,50 A", "Zeilenstorno", "LEERGUT  1,50 A"], "9,77"),
        (["COUPON  -1,00 A", "Artikelstorno", "COUPON  1,00 A"], "9,77"),
    ])
    func `marks a cancellation without a matching item, or of empties or coupons, as doubtful`(
        rows: [String], total: String
    ) {
        #expect(receipt(itemLines + rows, total: total).reasons.contains(.kindDoubtful))
    }

    @Test func `reads a cancelled deposit as a deposit, not as returned empties`() {
        let parsed = receipt(itemLines + ["PFAND  0,25 A", "Zeilenstorno", "PFAND  -0,25 A"], total: "9,77")
        #expect(parsed.items.suffix(2).map(\.kind) == [.deposit, .deposit])
    }

    @Test func `reads paid-out empties without a minus sign as negative`() {
        let parsed = receipt(
            ["LEERGUT KASTEN  3,10 A", "LEERGUT FLASCHEN  0,72 A", "LEERGUT DOSEN  1,50 A"], total: "5,32",
            tender: "AUSZAHLUNG BAR")
        #expect(parsed.items.map(\.kind) == [.depositReturn, .depositReturn, .depositReturn])
        #expect(parsed.items.map { $0.total?.value.minorUnits } == [-310, -72, -150])
        #expect(parsed.total?.value.minorUnits == -532)
    }

    @Test func `marks returned empties as doubtful if only cash is printed below them`() {
        let parsed = receipt(["LEERGUT KASTEN  3,10 A", "LEERGUT FLASCHEN  0,72 A"], total: "3,82", tender: "BAR")
        #expect(parsed.total?.value.minorUnits == -382)
        #expect(parsed.reasons.contains(.kindDoubtful))
    }

    @Test func `reports items that the store paid out or took back`() {
        let paid = receipt(["HEMD  29,95 A", "HOSE  39,95 A"], total: "69,90", tender: "AUSBEZAHLT")
        #expect(paid.reasons.contains(.paymentDiffers))
        let takenBack = receipt(
            ["HEMD  29,95 A", "HOSE  39,95 A"], total: "69,90", tender: "BAR", head: ["WARENRUECKNAHME"])
        #expect(takenBack.reasons.contains(.kindDoubtful))
    }

    @Test(arguments: ["zzgl. 19% MwSt", "Umsatzsteuer", "19,0% V.ST.", "TVA 8.1%"])
    func `reports a tax line that is added to net prices as unexplained`(line: String) {
        let parsed = receipt(["Butter  2,00", "Brot  3,00", "Kaffee  5,00", "\(line)  1,90"], total: "11,90")
        #expect(parsed.reasons.contains(.unexplainedLine))
    }
}
