import DocumentParsing
import Domain
import Testing

/// Items in deposit bottles, items for storing empty bottles, and deposits: all have a word for a deposit in the name.
@Suite(.timeLimit(.minutes(5))) struct `Words beside a word for a deposit` {
    /// Returns a receipt whose second line is `line`, and whose total is correct.
    private func receipt(_ line: String) -> ParsedReceipt {
        let amount = line.split(separator: " ").last { $0.contains(",") }.map(String.init) ?? "0,00"
        let cents = Int64(amount.filter { $0.isNumber || $0 == "-" }) ?? 0
        let sum = 1_000 + cents
        let total = "\(sum / 100),\(sum % 100 < 10 ? "0" : "")\(sum % 100)"
        let rows = [
            "Butter  2,29 A", line, "Brot  1,99 A", "Kaffee  5,72 A", "Summe  \(total)  ", "EC-Karte  \(total)  ",
        ].map { row in
            guard let gap = row.firstRange(of: "  ") else { return row }
            let blanks = String(repeating: " ", count: max(2, 40 - row.count))
            return row[..<gap.lowerBound] + blanks + row[gap.upperBound...]
        }
        return Layout.parse((["   Laden", "   4600 Wels"] + rows + ["07.03.2026 13:28"]).joined(separator: "\n"))
    }

    private func kind(_ line: String) -> LineKind? {
        let items = receipt(line).items
        return items.count == 4 ? items[1].kind : nil
    }

    @Test(arguments: [
        "MILCH PFANDGLAS  1,49 A", "MILCH 1L PFANDFLASCHE  1,29 A", "2 x 1,99 JOGHURT PFANDGLAS  3,98 A",
        "COLA + PFAND  1,04 A", "SAMMELBOX LEERGUT  9,99 A", "LEERGUTSACK  0,29 A", "LEERGUTBEHAELTER  12,99 A",
        "PFANDFREI SAFT  1,50 A", "VIDANGE HUILE  89,00 A", "EMBALLAGE CADEAU  2,60 A", "GARANTIE 36 MONATE  29,90 A",
    ])
    func `reads an item in a deposit bottle or an item for empty bottles as an item`(line: String) {
        #expect(kind(line) == .item)
        #expect(!receipt(line).reasons.contains(.kindDoubtful))
    }

    @Test(arguments: [
        "PFAND COLA 0,33  0,25 A", "COLA DOSE PFAND  0,25 A", "BIERKASTEN PFAND  3,10 A", "PFANDFLASCHE  0,15 A",
        "KROMBACHER KASTEN PFAND  3,10 A", "MEHRWEG KASTEN  1,50 A", "LEERGUTKASTEN  1,50 A", "BIER MEHRWEG  0,08 A",
        "EINWEGPFAND DPG  1,50 A", "SUMME PFAND  4,62 A", "M Pfand 0,15  0,15 A", "M.PFAND  0,25 A", "M. PFAND  0,25 A",
        "EINWEGPF. 6x0,25  1,50 A", "MEHRWEGPF.  0,15 A", "EW-PF 0,25  0,25 A", "KAUCJA PUSZKA  0,50 A",
        "LEEGGOED JUPILER  4,50 A",
    ])
    func `reads a deposit as a deposit, with or without the name of its item`(line: String) {
        #expect(kind(line) == .deposit)
        #expect(!receipt(line).reasons.contains(.kindDoubtful))
    }

    @Test(arguments: [
        "EINWEG BECHER  2,50 A", "BIER MEHRWEG  0,75 A", "BIER 0,5 MEHRWEG  1,00 A", "GLAS EINSATZ  1,50 A",
        "MEHRWEG BOX  3,00 A", "LEIHGEBUEHR DVD  3,00 A", "VASENEINSATZ  1,50 A",
    ])
    func `marks the kind as doubtful if items and deposits share the word`(line: String) {
        #expect(receipt(line).reasons.contains(.kindDoubtful))
    }

    @Test(arguments: ["RUECKGABE HEMD  -5,00 A", "RUECKNAHME HEMD BLAU  -5,00 A", "Rückgabe Hemd  -5,00 A"])
    func `reads a returned item as an item, not as a deposit return`(line: String) {
        #expect(kind(line) == .item)
        #expect(receipt(line).reasons.contains(.kindDoubtful))
    }

    @Test func `recognises a deposit if the line below has the usual deposit for one bottle`() {
        let parsed = Layout.parse(
            """
               Laden
               4600 Wels
            COLA DOSE 0,33        8,28 A
              12 x    0,69
            GETRAENK PFAND        3,00 A
              12 x    0,25
            Summe                11,28
            EC-Karte             11,28
            07.03.2026 13:28
            """)
        #expect(parsed.items.map(\.kind) == [.item, .deposit])
        #expect(!parsed.reasons.contains(.kindDoubtful))
    }
}
