import Domain

/// A difference between two photos. It makes it unlikely that both show the same receipt.
enum JoinDifference: String, Sendable {
    /// Another chain, or a store of the same chain at another address.
    case store
    case day
    /// Another till, or another receipt number of the same till.
    case till

    /// The values printed on one part; empty or nil if they were not read.
    struct PrintedValues: Sendable {
        /// The chain to which the store's name belongs.
        let chain: String
        let place: StoreAddress
        let day: LocalDate?
        let purchaseKey: String?
    }

    /// Returns each difference once. Values that were not read are not compared.
    static func differences(_ parts: [PrintedValues]) -> [JoinDifference] {
        var found: [JoinDifference] = []
        if anyPair(parts, differ: { isOtherStore($0, $1) }) { found.append(.store) }
        if Set(parts.compactMap(\.day)).count > 1 { found.append(.day) }
        if Set(parts.compactMap(\.purchaseKey)).count > 1 { found.append(.till) }
        return found
    }

    private static func isOtherStore(_ one: PrintedValues, _ other: PrintedValues) -> Bool {
        guard !one.chain.isEmpty, !other.chain.isEmpty else { return false }
        return one.chain != other.chain || one.place.likeness(to: other.place) == .elsewhere
    }

    private static func anyPair(_ parts: [PrintedValues], differ: (PrintedValues, PrintedValues) -> Bool) -> Bool {
        parts.indices.contains { one in parts[(one + 1)...].contains { differ(parts[one], $0) } }
    }
}
