/// Payments that bring all balances to zero.
package enum DebtSettlement {
    package struct Transfer: Hashable, Sendable {
        package let from: PersonID
        package let to: PersonID
        /// Greater than 0, in minor units.
        package let amount: Int64
    }

    /// The number of open balances up to which the number of transfers is minimal. Each further balance would double
    /// the duration of the search.
    package static let exactLimit = 14

    /// - Parameter balances: the amount that each person is owed; negative for a person who owes money. The sum must be
    ///   0.
    /// - Returns: the fewest possible transfers for up to `exactLimit` open balances; otherwise fewer transfers
    ///   than open balances.
    package static func transfers(_ balances: [PersonID: Int64]) -> [Transfer] {
        let open = balances.filter { $0.value != 0 }.sorted { $0.key < $1.key }
        guard open.count <= exactLimit else { return settleLargest(open) }
        return groups(open.map(\.value)).flatMap { group in settleLargest(group.map { open[$0] }) }
    }

    /// Splits the balances into as many groups with the sum 0 as possible, because each group needs one transfer fewer
    /// than it has members. Dynamic programming over all subsets, which are bit masks.
    private static func groups(_ values: [Int64]) -> [[Int]] {
        let count = values.count
        guard count > 0 else { return [] }
        var sums = [Int64](repeating: 0, count: 1 << count)
        var most = [Int](repeating: 0, count: 1 << count)
        var last = [Int](repeating: -1, count: 1 << count)
        for mask in 1..<(1 << count) {
            let lowest = mask.trailingZeroBitCount
            sums[mask] = sums[mask & (mask - 1)] + values[lowest]
            for index in 0..<count where mask & (1 << index) != 0 {
                let before = most[mask & ~(1 << index)]
                if last[mask] < 0 || before > most[mask] { (most[mask], last[mask]) = (before, index) }
            }
            if sums[mask] == 0 { most[mask] += 1 }
        }
        var groups: [[Int]] = []
        var group: [Int] = []
        var mask = (1 << count) - 1
        while mask != 0 {
            if sums[mask] == 0, !group.isEmpty {
                groups.append(group)
                group = []
            }
            group.append(last[mask])
            mask &= ~(1 << last[mask])
        }
        return groups + [group]
    }

    /// Transfers between the largest debt and the largest claim until all balances are 0.
    private static func settleLargest(_ balances: [(key: PersonID, value: Int64)]) -> [Transfer] {
        var open = balances
        var transfers: [Transfer] = []
        while let to = open.indices.max(by: { (open[$0].value, open[$1].key) < (open[$1].value, open[$0].key) }),
            let from = open.indices.min(by: { (open[$0].value, open[$0].key) < (open[$1].value, open[$1].key) }),
            open[to].value > 0, open[from].value < 0
        {
            let amount = min(open[to].value, -open[from].value)
            transfers.append(Transfer(from: open[from].key, to: open[to].key, amount: amount))
            open[to].value -= amount
            open[from].value += amount
        }
        return transfers
    }
}
