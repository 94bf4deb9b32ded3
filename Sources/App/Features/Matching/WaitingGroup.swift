import Domain

/// Waiting names that are probably spellings of one name: some are misread. Most groups have only one name.
struct WaitingGroup: Sendable {
    /// Newest first.
    let names: [WaitingName]
    /// The spelling that the page shows for the group: the first one in the order of the names passed to `groups(of:)`.
    let first: WaitingName

    func has(_ line: ReceiptLineID) -> Bool { names.contains { $0.line == line } }

    /// Groups the names by similar spelling. Groups of several names come first, because they need a decision.
    /// Otherwise the order of `names` is kept.
    static func groups(of names: [WaitingName]) -> [WaitingGroup] {
        let firsts = NearNames.firstOfGroup(names.map { (chain: $0.chain, key: $0.key) })
        var members: [Int: [WaitingName]] = [:]
        for (name, index) in zip(names, firsts) { members[index, default: []].append(name) }
        let groups = names.indices.compactMap { index in
            members[index].map { WaitingGroup(names: $0, first: names[index]) }
        }
        return groups.filter { $0.names.count > 1 } + groups.filter { $0.names.count == 1 }
    }
}
