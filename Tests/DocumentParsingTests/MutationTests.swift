import DamagedPages
import DocumentParsing
import Domain
import Foundation
import Recognition
import Testing

/// Damages proven receipts at random, as poor print and recognition do, and expects no proof of wrong figures.
@Suite(.timeLimit(.minutes(5))) struct `Proof under damage` {
    private static let samples: [(String, String)] = [
        ("aldi", Sample.aldi), ("edeka", Sample.edeka), ("dm", Sample.dm), ("rewe", Sample.plainRewe),
        ("lidl", Sample.plainLidl),
    ]

    /// The number of damaged receipts per sample. Set `ALLESTEURER_MUTATIONS=5000` for a long run.
    private static let seeds = ProcessInfo.processInfo.environment["ALLESTEURER_MUTATIONS"].flatMap(Int.init) ?? 120

    @Test(arguments: ["aldi", "edeka", "dm", "rewe", "lidl"])
    func `never proves a wrong figure on a receipt with one to four errors`(name: String) throws {
        let text = try #require(Self.samples.first { $0.0 == name }?.1)
        let undamaged = Layout.document(text)
        let parser = ReceiptParser(today: Layout.today)
        let expected = parser.parse(undamaged)
        #expect(expected.state == .proven, "\(expected.reasons)")
        var proven = 0
        for seed in 0..<Self.seeds {
            var random = SplitMix64(seed: UInt64(seed) &* 7_919 &+ UInt64(text.utf8.count))
            var damaged = undamaged
            var errors: [String] = []
            for _ in 0...(seed % 4) { errors.append(Damage.apply(to: &damaged, &random)) }
            let receipt = parser.parse(damaged)
            guard receipt.state == .proven else { continue }
            proven += 1
            #expect(Self.figures(receipt) == Self.figures(expected), "seed \(seed): \(errors)")
            // The date is not compared if a character was misread or the date was cut off: no check finds an error that
            // both printed dates have.
            guard let day = receipt.date?.value, !errors.contains(where: { $0.contains(" read as ") }) else { continue }
            #expect(day == expected.date?.value, "seed \(seed): \(errors)")
        }
        // Damage to names does not prevent a proof, so some receipts are still proven. Without them, this test would
        // check nothing.
        #expect(proven > 0)
    }

    private static func figures(_ receipt: ParsedReceipt) -> [String] {
        receipt.items.map { item in
            "\(item.quantity.value.plain) \(item.unitPrice?.value.plain ?? "-") \(item.total?.value.plain ?? "-") \(item.kind.rawValue)"
        } + [receipt.total?.value.plain ?? "-"]
    }
}
