/// The shares of people in a receipt that is split by line. `Division` divides the total in proportion to them. Each
/// person therefore pays for a tip or a rounding, and profits from a coupon, in proportion to the person's items.
package enum LineShares {
    package struct Line: Sendable {
        package let name: String
        package let kind: LineKind
        /// In minor units.
        package let amount: Int64
        /// The person who took the item; nil for a line that several people share.
        package let person: PersonID?
        /// The index of the line that this one reduces.
        package let reduced: Int?

        package init(name: String, kind: LineKind, amount: Int64, person: PersonID?, reduced: Int? = nil) {
            self.name = name
            self.kind = kind
            self.amount = amount
            self.person = person
            self.reduced = reduced
        }

        /// Whether the line concerns the receipt as a whole: a coupon, a rounding or a tip.
        fileprivate var isOfReceipt: Bool {
            kind == .coupon || kind == .rounding || LineShares.isTip(name)
        }
    }

    /// Folded words for tips.
    private static let tips: Set<String> = ["trinkgeld", "gratuity", "mancia", "pourboire"]
    /// `tip` means a tip only if all other words of the name are among these. Otherwise it is the brand of a grocer.
    private static let besideTip: Set<String> = ["tip", "incl", "inkl", "amount", "added", "total"]

    private static func isTip(_ name: String) -> Bool {
        let words = Set(FoldedText.fold(name).split { !$0.isLetter }.map(String.init))
        return !tips.isDisjoint(with: words) || words.contains("tip") && words.isSubset(of: besideTip)
    }

    /// Computes the weight of each person who pays for a part of the receipt.
    ///
    /// A discount without a person goes to the person of the line that it reduces. A person whose returns exceed their
    /// items pays nothing, and has no weight.
    ///
    /// - Parameter people: the people who share the lines without a person.
    /// - Returns: the positive weights; none if lines are shared but `people` is empty.
    package static func weights(_ lines: [Line], sharedBy people: [PersonID]) -> [PersonID: Int64] {
        // Each weight is multiplied by the number of people, so that shared lines need no rounding.
        let scale = Int128(max(1, people.count))
        var weights: [PersonID: Int128] = [:]
        for line in lines {
            let reducedLine = line.reduced.flatMap { lines.indices.contains($0) ? lines[$0] : nil }
            if let person = line.person ?? reducedLine?.person {
                weights[person, default: 0] += scale * Int128(line.amount)
            } else if !line.isOfReceipt {
                guard !people.isEmpty else { return [:] }
                for person in people { weights[person, default: 0] += Int128(line.amount) }
            }
        }
        // Without items, the people who share the receipt pay equal parts.
        if weights.isEmpty, !lines.isEmpty { return Dictionary(people.map { ($0, 1) }) { first, _ in first } }
        let divisor = weights.values.contains { $0 > Int128(Amount.limit) } ? scale : 1
        return weights.compactMapValues { weight in
            let whole = weight / divisor
            return whole > 0 ? Int64(clamping: whole) : nil
        }
    }
}
