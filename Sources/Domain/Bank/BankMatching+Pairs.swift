extension BankMatching {
    /// A booking for which an import created an expense, and a receipt or another expense that may be the same payment:
    /// the amounts are equal, and the days differ by at most `maximumDays`.
    package struct PossiblePair: Hashable, Sendable {
        /// The expense that the import created.
        package let expense: ExpenseID
        package let booking: BankBooking
        package let candidate: Candidate

        package init(expense: ExpenseID, booking: BankBooking, candidate: Candidate) {
            self.expense = expense
            self.booking = booking
            self.candidate = candidate
        }

        fileprivate var distance: Int { abs(candidate.day.days(to: booking.day)) }
    }

    /// Selects pairs by the rules of `matches`: pairs with the same payee come first, then pairs with fewer days between
    /// them. Each expense and each candidate is in at most one pair.
    ///
    /// - Returns: for each selected position in `pairs`, whether the payees match.
    package static func probable(_ pairs: [PossiblePair]) -> [Int: Bool] {
        let isSame = pairs.map { isSamePayee($0.booking, $0.candidate) }
        let order = pairs.indices.sorted { left, right in
            let (first, second) = (pairs[left], pairs[right])
            if isSame[left] != isSame[right] { return isSame[left] }
            if first.distance != second.distance { return first.distance < second.distance }
            return (first.booking.day, first.expense, first.candidate.id)
                < (second.booking.day, second.expense, second.candidate.id)
        }
        var used: Set<ExpenseID> = []
        var selected: [Int: Bool] = [:]
        for position in order {
            let pair = pairs[position]
            guard !used.contains(pair.expense), !used.contains(pair.candidate.id) else { continue }
            used.formUnion([pair.expense, pair.candidate.id])
            selected[position] = isSame[position]
        }
        return selected
    }
}
