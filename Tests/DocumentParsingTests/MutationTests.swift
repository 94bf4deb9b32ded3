import DocumentParsing
import Domain
import Foundation
import Recognition
import Testing

/// Damages proven receipts as poor print and poor recognition do, thousands of times, and looks for proof of wrong figures.
@Suite struct `Proof under damage` {
    private static let samples: [(String, String)] = [
        ("aldi", Sample.aldi), ("edeka", Sample.edeka), ("dm", Sample.dm), ("rewe", Sample.plainRewe),
        ("lidl", Sample.plainLidl),
    ]

    /// More with ALLESTEURER_MUTATIONS=5000, for a long night.
    private static let seeds = ProcessInfo.processInfo.environment["ALLESTEURER_MUTATIONS"].flatMap(Int.init) ?? 120

    @Test(arguments: ["aldi", "edeka", "dm", "rewe", "lidl"])
    func `A receipt with one or two damages is never proven with a wrong figure`(name: String) throws {
        let text = try #require(Self.samples.first { $0.0 == name }?.1)
        let whole = Layout.document(text)
        let parser = ReceiptParser(today: Layout.today)
        let truth = parser.parse(whole)
        #expect(truth.state == .proven, "\(truth.reasons)")
        var proven = 0
        for seed in 0..<Self.seeds {
            var random = SplitMix64(seed: UInt64(seed) &* 7_919 &+ UInt64(text.utf8.count))
            var damaged = whole
            var what: [String] = []
            for _ in 0...(seed % 3 == 0 ? 1 : 0) { what.append(Damage.apply(to: &damaged, &random)) }
            let receipt = parser.parse(damaged)
            guard receipt.state == .proven else { continue }
            proven += 1
            #expect(Self.figures(receipt) == Self.figures(truth), "seed \(seed): \(what)")
        }
        // Damage to names and advertisements does no harm: the test would be empty if nothing were proven any more.
        #expect(proven > 0)
    }

    private static func figures(_ receipt: ParsedReceipt) -> [String] {
        receipt.items.map { item in
            "\(item.quantity.value.plain) \(item.unitPrice?.value.plain ?? "-") \(item.total?.value.plain ?? "-") \(item.kind.rawValue)"
        } + [receipt.total?.value.plain ?? "-", receipt.date?.value.iso ?? "-"]
    }
}

enum Damage {
    static func apply(to document: inout RecognizedDocument, _ random: inout SplitMix64) -> String {
        let lines = document.pages[0].lines
        let row = Int(random.next() % UInt64(lines.count))
        let column = Int(random.next() % UInt64(lines[row].words.count))
        let word = lines[row].words[column]
        switch random.next() % 8 {
        case 0:
            document.pages[0].lines.remove(at: row)
            return "line lost: \(lines[row].words.map(\.text))"
        case 1:
            document.pages[0].lines[row].words.remove(at: column)
            if document.pages[0].lines[row].words.isEmpty { document.pages[0].lines.remove(at: row) }
            return "word lost: \(word.text)"
        default:
            // Half of the time a word with figures on any line.
            let places = lines.indices.flatMap { line in lines[line].words.indices.map { (line, $0) } }
                .filter { lines[$0.0].words[$0.1].text.contains(where: \.isNumber) }
            let (line, index) = places[Int(random.next() % UInt64(places.count))]
            var signs = Array(lines[line].words[index].text)
            let digits = signs.indices.filter { signs[$0].isNumber }
            let place = digits[Int(random.next() % UInt64(digits.count))]
            let before = String(signs)
            switch random.next() % 5 {
            case 0: signs.remove(at: place)
            case 1: signs.insert(Character(String(random.next() % 10)), at: place)
            case 2: signs[place] = ["O", "l", "S", "B", "Z"][Int(random.next() % 5)]
            case 3: signs.removeAll { $0 == "," || $0 == "." || $0 == "-" }
            default: signs[place] = Character(String(random.next() % 10))
            }
            document.pages[0].lines[line].words[index].text = String(signs)
            if signs.isEmpty { document.pages[0].lines[line].words.remove(at: index) }
            return "\(before) → \(String(signs))"
        }
    }
}
