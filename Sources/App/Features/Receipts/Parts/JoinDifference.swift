import Domain

/// A difference between two photos that makes it unlikely that they show the same receipt.
enum JoinDifference: String, Sendable {
    /// Another chain, or a store of the same chain at another address.
    case store
    case day
    /// Another till, or another receipt number of the same till.
    case till

    /// The values printed on one part; empty or nil if they were not read.
    struct Print: Sendable {
        /// The chain to which the store's name belongs.
        let chain: String
        let place: StoreAddress
        let day: LocalDate?
        let purchaseKey: String?
    }

    /// Returns each difference once. Values that were not read are not compared.
    static func differences(_ prints: [Print]) -> [JoinDifference] {
        var found: [JoinDifference] = []
        if anyPair(prints, differ: { isOtherStore($0, $1) }) { found.append(.store) }
        if Set(prints.compactMap(\.day)).count > 1 { found.append(.day) }
        if Set(prints.compactMap(\.purchaseKey)).count > 1 { found.append(.till) }
        return found
    }

    private static func isOtherStore(_ one: Print, _ other: Print) -> Bool {
        guard !one.chain.isEmpty, !other.chain.isEmpty else { return false }
        return one.chain != other.chain || one.place.likeness(to: other.place) == .elsewhere
    }

    private static func anyPair(_ prints: [Print], differ: (Print, Print) -> Bool) -> Bool {
        prints.indices.contains { one in prints[(one + 1)...].contains { differ(prints[one], $0) } }
    }
}
