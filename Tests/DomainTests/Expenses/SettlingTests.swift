import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct SettlingTests {
    private func people(_ count: Int) -> [PersonID] { (0..<count).map { PersonID(high: 0, low: UInt64($0 + 1)) } }

    /// Random balances with a sum of 0.
    private func balances(_ count: Int, _ random: inout SplitMix64, maximum: Int64 = 100_000) -> [PersonID: Int64] {
        var values = (0..<count).map { _ in Int64.random(in: -maximum...maximum, using: &random) }
        values[0] -= values.reduce(0, +)
        return Dictionary(uniqueKeysWithValues: zip(people(count), values))
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `the transfers bring every balance to zero`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for count in 1...20 {
            var open = balances(count, &random)
            let transfers = DebtSettlement.transfers(open)
            #expect(transfers.count <= max(0, open.values.count { $0 != 0 } - 1))
            for transfer in transfers {
                #expect(transfer.amount > 0 && transfer.from != transfer.to)
                open[transfer.from, default: 0] += transfer.amount
                open[transfer.to, default: 0] -= transfer.amount
            }
            #expect(open.values.allSatisfy { $0 == 0 })
        }
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `uses the fewest possible transfers`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for count in 2...6 {
            // Small values make groups with a sum of 0 likely.
            let open = balances(count, &random, maximum: 4)
            let values = open.values.filter { $0 != 0 }
            #expect(DebtSettlement.transfers(open).count == values.count - Self.mostGroups(Array(values)))
        }
    }

    /// The largest number of groups of `values` with a sum of 0 each, found by trying all partitions.
    private static func mostGroups(_ values: [Int64]) -> Int {
        guard let first = values.first else { return 0 }
        let rest = Array(values.dropFirst())
        var most = 0
        for mask in 0..<(1 << rest.count) {
            let chosen = rest.indices.filter { mask & (1 << $0) != 0 }
            guard first + chosen.reduce(0, { $0 + rest[$1] }) == 0 else { continue }
            let left = rest.indices.filter { mask & (1 << $0) == 0 }.map { rest[$0] }
            most = max(most, 1 + mostGroups(left))
        }
        return most
    }

    @Test func `returns no transfers if all balances are zero`() {
        #expect(DebtSettlement.transfers([:]).isEmpty)
        #expect(DebtSettlement.transfers([people(1)[0]: 0]).isEmpty)
    }
}
