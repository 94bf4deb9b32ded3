import Domain

/// Waiting names that are probably spellings of one name: some are misread. Most groups have only one name.
struct WaitingGroup: Sendable {
    /// Newest first.
    let names: [WaitingName]
    let first: WaitingName

    func has(_ line: ReceiptLineID) -> Bool { names.contains { $0.line == line } }

    /// Groups of several names come first, because they need a decision. Otherwise the order of `names` is kept.
    static func groups(of names: [WaitingName]) -> [WaitingGroup] {
        let places = NearNames.firstOfGroup(names.map { (chain: $0.chain, key: $0.key) })
        var members: [Int: [WaitingName]] = [:]
        for (name, place) in zip(names, places) { members[place, default: []].append(name) }
        let groups = names.indices.compactMap { place in
            members[place].map { WaitingGroup(names: $0, first: names[place]) }
        }
        return groups.filter { $0.names.count > 1 } + groups.filter { $0.names.count == 1 }
    }
}
