import DocumentParsing
import Domain
import Foundation
import Recognition
import Testing

/// Damages proven receipts as poor print and poor recognition do, thousands of times, and looks for proof of wrong figures.
@Suite(.timeLimit(.minutes(5))) struct `Proof under damage` {
    private static let samples: [(String, String)] = [
        ("aldi", Sample.aldi), ("edeka", Sample.edeka), ("dm", Sample.dm), ("rewe", Sample.plainRewe),
        ("lidl", Sample.plainLidl),
    ]

    /// More with ALLESTEURER_MUTATIONS=5000, for a long night.
    private static let seeds = ProcessInfo.processInfo.environment["ALLESTEURER_MUTATIONS"].flatMap(Int.init) ?? 120

    @Test(arguments: ["aldi", "edeka", "dm", "rewe", "lidl"])
    func `A receipt with one to four damages is never proven with a wrong figure`(name: String) throws {
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
            for _ in 0...(seed % 4) { what.append(Damage.apply(to: &damaged, &random)) }
            let receipt = parser.parse(damaged)
            guard receipt.state == .proven else { continue }
            proven += 1
            #expect(Self.figures(receipt) == Self.figures(truth), "seed \(seed): \(what)")
            // Two prints of the day that are misread alike are beyond any witness; a day that is cut off is not wrong.
            guard let day = receipt.date?.value, !what.contains(where: { $0.contains(" read as ") }) else { continue }
            #expect(day == truth.date?.value, "seed \(seed): \(what)")
        }
        // Damage to names and advertisements does no harm: the test would be empty if nothing were proven any more.
        #expect(proven > 0)
    }

    private static func figures(_ receipt: ParsedReceipt) -> [String] {
        receipt.items.map { item in
            "\(item.quantity.value.plain) \(item.unitPrice?.value.plain ?? "-") \(item.total?.value.plain ?? "-") \(item.kind.rawValue)"
        } + [receipt.total?.value.plain ?? "-"]
    }
}
