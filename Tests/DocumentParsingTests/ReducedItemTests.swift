import Domain
import Testing

@testable import DocumentParsing

/// The item that a discount belongs to.
@Suite(.timeLimit(.minutes(5))) struct `Discounts and the items they reduce` {
    private func reducedItems(_ lines: [String], total: String) -> [Int?] {
        let rows = (lines + ["SUMME  \(total)  "]).map { row in
            let blanks = String(repeating: " ", count: max(0, 36 - row.count))
            guard let gap = row.firstRange(of: "  ") else { return blanks + row }
            return row[..<gap.lowerBound] + blanks + row[gap.lowerBound...]
        }
        let receipt = Layout.parse((["   Laden", "   4600 Wels"] + rows).joined(separator: "\n"))
        #expect(receipt.items.count == lines.count)
        return receipt.items.map(\.reducedItem)
    }

    @Test func `assigns a discount to the item above it`() {
        #expect(reducedItems(["Milch  1,19 A", "Brot  2,49 A", "Rabatt  -0,50 A"], total: "3,18") == [nil, nil, 1])
        #expect(reducedItems(["Brot  2,49 A", "Rabatt  -0,50 A", "Aktion  -0,49 A"], total: "1,50") == [nil, 0, 0])
    }

    @Test func `assigns a discount neither to an item of another VAT class nor to one that costs less`() {
        #expect(reducedItems(["Seife  1,19 A", "Rabatt  -0,50 B", "Brot  2,49 B"], total: "3,18") == [nil, nil, nil])
        #expect(reducedItems(["Brot  2,49 A", "Milch  1,19 A", "Rabatt  -1,50 A"], total: "2,18") == [nil, nil, nil])
        #expect(
            reducedItems(["Brot  2,49 A", "Milch  1,19 A", "Rabatt  -1,00 A", "Rabatt  -0,50 A"], total: "2,18")
                == [nil, nil, 1, nil])
    }

    @Test func `accepts a percentage that applies to some of the pieces`() {
        let rows = ["Milch  1,19 A", "2 x 1,99", "Brot  3,98 A", "50% auf das 2.  -1,00 A"].map { row in
            let blanks = String(repeating: " ", count: max(0, 36 - row.count))
            guard let gap = row.firstRange(of: "  ") else { return row }
            return row[..<gap.lowerBound] + blanks + row[gap.lowerBound...]
        }
        let head = ["   Laden", "   4600 Wels"]
        let receipt = Layout.parse((head + rows + ["SUMME                        4,17"]).joined(separator: "\n"))
        #expect(receipt.items.contains { $0.quantity.value == .pieces(2) })
        let discount = receipt.items.first { $0.kind == .discount }
        #expect(discount != nil && discount?.reducedItem == receipt.items.firstIndex { $0.name.value == "Brot" })
    }
}
