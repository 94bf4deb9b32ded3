/// Finds the expenses and receipts that a household has already entered for the bookings of a bank's file.
package struct BankMatching: Sendable {
    /// An expense or a receipt that may match a booking.
    package struct Candidate: Hashable, Sendable {
        package let id: ExpenseID
        package let isReceipt: Bool
        package let day: LocalDate
        /// Negative when money left the account.
        package let amount: Amount
        package let text: String
        package let payee: String

        package init(id: ExpenseID, isReceipt: Bool, day: LocalDate, amount: Amount, text: String, payee: String) {
            self.id = id
            self.isReceipt = isReceipt
            self.day = day
            self.amount = amount
            self.text = text
            self.payee = payee
        }
    }

    package struct Match: Hashable, Sendable {
        package let candidate: Candidate
        /// Whether the payees match too. If not, only amount and day do.
        package let isSamePayee: Bool
    }

    /// The highest number of days between a purchase and its booking.
    package static let mostDays = 3

    private let candidates: [Amount: [Candidate]]

    package init(_ candidates: [Candidate]) {
        self.candidates = Dictionary(grouping: candidates, by: \.amount)
    }

    /// The best match of each booking. Each expense matches one booking at most. Pairs are preferred by equal payee,
    /// then by the fewest days between them, then by the order of the file.
    package func matches(_ bookings: [BankBooking]) -> [Match?] {
        var pairs: [(booking: Int, candidate: Candidate, isSamePayee: Bool, distance: Int)] = []
        for (index, booking) in bookings.enumerated() {
            let words = Self.words("\(booking.payee) \(booking.purpose)")
            let known = PayeeLexicon.shared.entry(in: words)?.name
            let sign: Int64 = booking.amount.minorUnits < 0 ? -1 : 1
            let abroad = booking.original.map { Amount(minorUnits: sign * $0.minorUnits, currency: $0.currency) }
            for candidate in (candidates[booking.amount] ?? []) + (abroad.flatMap { candidates[$0] } ?? []) {
                let distance = abs(candidate.day.days(to: booking.day))
                guard distance <= Self.mostDays else { continue }
                pairs.append((index, candidate, Self.isSame(candidate, words, known), distance))
            }
        }
        pairs.sort {
            ($0.isSamePayee ? 0 : 1, $0.distance, $0.booking, $0.candidate.id)
                < ($1.isSamePayee ? 0 : 1, $1.distance, $1.booking, $1.candidate.id)
        }
        var matches = [Match?](repeating: nil, count: bookings.count)
        var used: Set<ExpenseID> = []
        for pair in pairs where matches[pair.booking] == nil && !used.contains(pair.candidate.id) {
            matches[pair.booking] = Match(candidate: pair.candidate, isSamePayee: pair.isSamePayee)
            used.insert(pair.candidate.id)
        }
        return matches
    }

    /// Whether the payee is the same: the same entry of the lexicon, or a common word of at least four letters.
    ///
    /// - Parameter known: the payee of the booking in the lexicon.
    private static func isSame(_ candidate: Candidate, _ words: [String], _ known: String?) -> Bool {
        let own = Self.words("\(candidate.payee) \(candidate.text)")
        if let known, PayeeLexicon.shared.entry(in: own)?.name == known { return true }
        let meaning = Set(own.filter { $0.utf8.count >= 4 })
        return words.contains { meaning.contains($0) }
    }

    private static func words(_ text: String) -> [String] { FoldedWords.words(text) }
}
