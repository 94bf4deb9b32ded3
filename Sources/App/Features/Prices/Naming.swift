import Domain
import Postgres

/// Names of a household's stores and chains.
struct Naming: Sendable {
    private var chains: [String: String] = [:]
    private var stores: [StoreID: String] = [:]
    /// The alphabetical order of the chains.
    private var ranks: [String: Int64] = [:]

    /// - Parameter condition: a condition over the store `s`.
    static func query(_ household: HouseholdID, where condition: SQL = "true") -> SQL {
        """
        SELECT s.id, s.chain, c.name, s.name, s.street, s.town,
            rank() OVER (ORDER BY coalesce(c.name, s.name) COLLATE "de-x-icu")
        FROM store s LEFT JOIN chain c ON c.id = s.chain
        WHERE s.household_id = \(household) AND \(condition) ORDER BY s.created_at, s.id
        """
    }

    init(_ rows: Rows) throws {
        let stores = try rows.decode((StoreID, String, String?, String, String, String, Int64).self)
        let names = Dictionary(grouping: stores, by: \.3)
        for (id, chain, chainName, name, street, town, rank) in stores {
            ranks[chain] = min(rank, ranks[chain] ?? rank)
            if let chainName {
                chains[chain] = chainName
            } else if let known = chains[chain] {
                // An unknown chain is named with the common prefix of its stores' names.
                let shared = known.commonPrefix(with: name)
                chains[chain] = shared.isEmpty ? known : shared
            } else {
                chains[chain] = name
            }
            let place = [street, town].filter { !$0.isEmpty }.joined(separator: ", ")
            let isUnambiguous = names[name]?.count == 1 || place.isEmpty
            self.stores[id] = isUnambiguous ? name : "\(name), \(place)"
        }
    }

    /// The name of a chain, given its key in `store.chain`.
    func chain(_ chain: String) -> String { chains[chain] ?? chain.prefix(1).uppercased() + chain.dropFirst() }

    func store(_ store: StoreID) -> String { stores[store] ?? "" }

    /// The keys of the chains with their names, in alphabetical order of the names.
    var all: [(chain: String, name: String)] {
        chains.map { (chain: $0.key, name: $0.value) }.sorted {
            (ranks[$0.chain] ?? 0, $0.chain) < (ranks[$1.chain] ?? 0, $1.chain)
        }
    }
}

extension String {
    /// The longest common prefix that consists of whole words.
    fileprivate func commonPrefix(with other: String) -> String {
        let left = split(separator: " ")
        let right = other.split(separator: " ")
        var shared: [Substring] = []
        for (one, two) in zip(left, right) {
            guard one == two else { break }
            shared.append(one)
        }
        var result = shared.joined(separator: " ")
        while let last = result.last, last == "," || last == "-" || last == " " { result.removeLast() }
        return result
    }
}
