import DocumentParsing
import Domain
import Testing

/// Words for deposits, roundings and payments in the names of items, and words of chains in the names of other stores.
@Suite(.timeLimit(.minutes(5))) struct `Words of other lines in item names` {
    /// Returns a receipt whose second of three item lines is `line`, with the amounts in one column.
    private func receipt(_ line: String, head: String = "   Laden") -> ParsedReceipt {
        let rows = ["Milch  1,19 A", line, "Brot  2,49 A", "Summe  99,00  "].map { row in
            let blanks = String(repeating: " ", count: max(0, 32 - row.count))
            guard let gap = row.firstRange(of: "  ") else { return blanks + row }
            return row[..<gap.lowerBound] + blanks + row[gap.lowerBound...]
        }
        return Layout.parse(([head, "   4600 Wels"] + rows).joined(separator: "\n"))
    }

    @Test(arguments: [
        "BRITA FILTER EINSATZ  14,99 A", "PFANDL BERGSALZ  2,49 A", "DEPOT KERZE ROT  4,99 A", "GEBINDE WEIN  9,99 A",
        "Bierkasten m. Pfand  15,09 A", "Cola zzgl. Pfand  1,19 A", "Pfandflaschensack  2,99 A",
        "Rundung Bohrer  9,98 A", "SP OPTIK BRILLE  9,98 A",
    ])
    func `reads an item as an item although its name has a word for deposits or roundings`(line: String) {
        #expect(receipt(line).items.map(\.kind) == [.item, .item, .item])
    }

    @Test func `reads a name that begins with a word that fuel pumps print`() {
        let names = receipt("VOLUME SHAMPOO  2,95 A").items.map(\.name.value)
        #expect(names == ["Milch", "VOLUME SHAMPOO", "Brot"])
    }

    @Test(arguments: [
        "Einweg  0,25 A", "Mehrweg  0,15 A", "MW-Pfd  0,15 A", "Kasten MW  1,50 A", "Leihgebühr  0,25 A",
        "EINSATZ  0,25 A", "EINSATZ FL.  0,20 A", "PFAND  4,62 A", "PFANDARTIKEL  1,74 A", "EW-PFAND0,50 A",
    ])
    func `recognises a deposit by each of its words`(line: String) {
        #expect(receipt(line).items.map(\.kind) == [.item, .deposit, .item])
    }

    @Test(arguments: ["   Brauhaus Sion", "   MEDIA MARKT", "   Markt Kern"])
    func `does not recognise a chain by a part of another store's name`(head: String) {
        #expect(!["Bauhaus", "V-Markt"].contains(receipt("Senf  1,00 A", head: head).chain))
    }

    @Test func `reads an item that begins with a word for payments`() {
        #expect(!receipt("Karte Geburtstag  2,95 A").reasons.contains(.unexplainedLine))
        #expect(receipt("Kreditkarte  2,95").reasons.contains(.unexplainedLine))
    }

    @Test(arguments: ["PZN 01234567", "Treuepunkte 3"])
    func `ignores lines with article numbers and loyalty points`(line: String) {
        #expect(!receipt(line).reasons.contains(.unexplainedLine))
    }

    @Test(arguments: ["Grundpreis 18,01/kg", "1 kg = 9,96 EUR", "Übertrag 3,68"])
    func `ignores base prices and amounts carried over`(line: String) {
        #expect(receipt(line).items.map(\.name.value) == ["Milch", "Brot"])
    }

    @Test func `does not read the date of a loyalty balance as the date of purchase`() {
        let parsed = Layout.parse(
            "   Laden\n   4600 Wels\nMilch  1,19 A\nBrot  2,49 A\nSumme  3,68\nBar  3,68\nIhr Punktestand 31.12.2025    331"
        )
        #expect(parsed.date == nil)
    }
}
