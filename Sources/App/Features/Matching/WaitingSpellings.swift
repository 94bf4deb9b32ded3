import Domain

/// A waiting name, with other waiting names that are probably the same name, misread. Usually there are no such names.
struct WaitingSpellings: Sendable {
    /// Newest first.
    let names: [WaitingName]
    /// The spelling that the page shows: the first one in the order of the names passed to `all(of:)`.
    let first: WaitingName

    func has(_ line: ReceiptLineID) -> Bool { names.contains { $0.line == line } }

    /// Groups names of similar spelling. Groups with several names come first, because they need a decision. Otherwise
    /// the order of `names` is kept.
    static func all(of names: [WaitingName]) -> [WaitingSpellings] {
        let firsts = NearNames.firstSpellings(names.map { (chain: $0.chain, key: $0.key) })
        var members: [Int: [WaitingName]] = [:]
        for (name, index) in zip(names, firsts) { members[index, default: []].append(name) }
        let all = names.indices.compactMap { index in
            members[index].map { WaitingSpellings(names: $0, first: names[index]) }
        }
        return all.filter { $0.names.count > 1 } + all.filter { $0.names.count == 1 }
    }
}
