import Testing

@testable import Domain

/// Receipts whose lines are assigned to persons, with tips and discounts.
@Suite(.timeLimit(.minutes(5))) struct LineSharesTests {
    private let people = (1...3).map { PersonID(high: 0, low: $0) }

    private func parts(_ total: Int64, _ lines: [LineShares.Line], _ sharing: [PersonID]) -> [PersonID: Int64] {
        let weights = LineShares.weights(lines, sharedBy: sharing)
        let ids = weights.keys.sorted()
        return Dictionary(
            uniqueKeysWithValues: zip(ids, Division.parts(of: total, weights: ids.map { weights[$0] ?? 0 })))
    }

    private func sum(_ lines: [LineShares.Line]) -> Int128 { Int128(lines.reduce(0) { $0 + $1.amount }) }

    private func line(_ name: String, _ amount: Int64, _ person: Int?, _ kind: LineKind = .item, reduced: Int? = nil)
        -> LineShares.Line
    {
        LineShares.Line(name: name, kind: kind, amount: amount, person: person.map { people[$0] }, reduced: reduced)
    }

    @Test func `a tip is divided in proportion to the items of each person`() {
        let lines = [line("Pizza", 1_200, 0), line("Steak", 2_400, 1), line("Wasser", 600, nil)]
        // Without the tip, the persons pay 14.00, 26.00 and 2.00 of 42.00. The tip of 4.20 adds a tenth to each part.
        #expect(parts(4_620, lines, people) == [people[0]: 1_540, people[1]: 2_860, people[2]: 220])
    }

    @Test(arguments: ["Trinkgeld", "TIP 10 %", "Mancia"])
    func `a printed tip without a person is divided like a tip that was added`(name: String) {
        let lines = [line("Pizza", 1_000, 0), line("Steak", 3_000, 1), line(name, 400, nil)]
        #expect(parts(4_400, lines, people) == [people[0]: 1_100, people[1]: 3_300])
    }

    @Test func `an item of the brand TiP is not a tip, and is divided equally`() {
        let lines = [line("Steak", 3_000, 0), line("TIP Mineralwasser 6x1,5l", 300, nil)]
        #expect(parts(3_300, lines, people) == [people[0]: 3_100, people[1]: 100, people[2]: 100])
    }

    @Test func `a discount reduces the share of its item; rounding and vouchers change the shares of all items`() {
        let lines = [
            line("Wein", 1_000, 0), line("Rabatt", -200, nil, .discount, reduced: 0), line("Käse", 800, 1),
            line("Rundung", 2, nil, .rounding), line("Gutschein", -160, nil, .coupon),
        ]
        #expect(parts(1_442, lines, people) == [people[0]: 721, people[1]: 721])
    }

    @Test func `a tip without items is shared equally`() {
        let weights = LineShares.weights([line("Trinkgeld", 500, nil)], sharedBy: people)
        #expect(weights == [people[0]: 1, people[1]: 1, people[2]: 1])
    }

    @Test func `has no shares without items, or if no person pays for some items`() {
        #expect(LineShares.weights([line("Pfand", -50, 0, .depositReturn)], sharedBy: people).isEmpty)
        #expect(LineShares.weights([line("Brot", 100, nil)], sharedBy: []).isEmpty)
        #expect(LineShares.weights([line("Brot", 100, 2)], sharedBy: []) == [people[2]: 100])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `with any tip, the parts add up to the total, and each is off by less than a cent`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 {
            let all = (1...UInt64.random(in: 1...6, using: &random)).map { PersonID(high: 0, low: $0) }
            let sharing = all.filter { _ in Bool.random(using: &random) }
            let lines = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                LineShares.Line(
                    name: "Speise", kind: .item, amount: .random(in: 1...50_000, using: &random),
                    person: sharing.isEmpty || Bool.random(using: &random) ? all.randomElement(using: &random) : nil)
            }
            let subtotal = lines.reduce(0) { $0 + $1.amount }
            let total = subtotal + (Bool.random(using: &random) ? 0 : .random(in: 0...20_000, using: &random))
            let foundParts = parts(total, lines, sharing)
            #expect(foundParts.values.reduce(0, +) == total)
            // The exact part of each person, in units of 1 / (subtotal × people who share).
            let scale = Int128(max(1, sharing.count))
            for person in all {
                var taken = sum(lines.filter { $0.person == person }) * scale
                if sharing.contains(person) { taken += sum(lines.filter { $0.person == nil }) }
                let exact = taken * Int128(total)
                let difference = Int128(foundParts[person] ?? 0) * Int128(subtotal) * scale - exact
                #expect(abs(difference) < Int128(subtotal) * scale)
                #expect((foundParts[person] == nil) == (exact == 0))
            }
        }
    }
}
