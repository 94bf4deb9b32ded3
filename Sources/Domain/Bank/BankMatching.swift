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
        /// The known accounts of the bookings that are linked with the candidate.
        package let accounts: [String]

        package init(
            id: ExpenseID, isReceipt: Bool, day: LocalDate, amount: Amount, text: String, payee: String,
            accounts: [String] = []
        ) {
            self.id = id
            self.isReceipt = isReceipt
            self.day = day
            self.amount = amount
            self.text = text
            self.payee = payee
            self.accounts = accounts
        }
    }

    package struct Match: Hashable, Sendable {
        package let candidate: Candidate
        /// Whether the payees match too. If not, only amount and day match.
        package let isSamePayee: Bool
    }

    /// The maximum number of days between a purchase and its booking.
    package static let maximumDays = 3

    /// Sorted by identifier.
    private let candidates: [Candidate]

    package init(_ candidates: [Candidate]) { self.candidates = candidates.sorted { $0.id < $1.id } }

    /// The best match of each booking. An expense matches at most one booking. An expense that is already linked with
    /// bookings matches a booking only if their accounts can be the same. Pairs with the same payee come first, then
    /// pairs with fewer days between them; otherwise the order of the file decides.
    ///
    /// The duration does not depend on the number of possible pairs, because a file and a household may have thousands
    /// of equal amounts.
    package func matches(_ bookings: [BankBooking]) -> [Match?] {
        let accounts = Set(candidates.map(\.accounts))
        var possible: [String: [[String]]] = [:]
        for account in Set(bookings.map(\.account)) {
            possible[account] = Array(accounts.filter { $0.allSatisfy { BankAccount.canBeSame($0, account) } })
        }
        let compared = bookings.map { ComparedBooking($0, accounts: possible[$0.account] ?? []) }
        var queues = queues(of: Set(compared.flatMap(\.amounts)))
        var matches = [Match?](repeating: nil, count: bookings.count)
        var used = [Bool](repeating: false, count: candidates.count)
        for isSamePayee in [true, false] {
            for distance in 0...Self.maximumDays {
                for (index, booking) in compared.enumerated() where matches[index] == nil {
                    var best: Int?
                    for key in booking.keys(isSamePayee: isSamePayee, distance: distance) {
                        guard let found = queues[key]?.first(notIn: used) else { continue }
                        best = min(best ?? found, found)
                    }
                    guard let best else { continue }
                    used[best] = true
                    matches[index] = Match(candidate: candidates[best], isSamePayee: isSamePayee)
                }
            }
        }
        return matches
    }

    // MARK: Index

    /// The properties that a booking and its expense have in common.
    private struct Key: Hashable {
        let amount: Amount
        let day: LocalDate
        let trait: Trait
        /// The accounts of the expense.
        let accounts: [String]
    }

    private enum Trait: Hashable {
        /// The amount and the day only.
        case anything
        /// An entry of the lexicon of payees.
        case payee(String)
        /// A word of at least four letters.
        case word(String)

        static func all(in text: String) -> Set<Trait> {
            let words = FoldedWords.words(text)
            var traits = Set(words.filter { $0.utf8.count >= 4 }.map { Trait.word($0) })
            if let payee = PayeeLexicon.shared.entry(in: words)?.name { traits.insert(.payee(payee)) }
            return traits
        }
    }

    /// The values of a booking that are compared with the values of expenses.
    private struct ComparedBooking {
        let day: LocalDate
        /// The amount in the account's currency, and in the currency of the payment.
        let amounts: [Amount]
        let traits: Set<Trait>
        /// The lists of linked accounts that an expense of this booking can have.
        let accounts: [[String]]

        init(_ booking: BankBooking, accounts: [[String]]) {
            self.accounts = accounts
            day = booking.day
            let sign: Int64 = booking.amount.minorUnits < 0 ? -1 : 1
            let abroad = booking.original.map { Amount(minorUnits: sign * $0.minorUnits, currency: $0.currency) }
            amounts = [booking.amount] + [abroad].compactMap { $0 }
            traits = Trait.all(in: "\(booking.payee) \(booking.purpose)")
        }

        func keys(isSamePayee: Bool, distance: Int) -> [Key] {
            let days = distance == 0 ? [day] : [day.adding(days: -distance), day.adding(days: distance)]
            let traits = isSamePayee ? traits : [.anything]
            return amounts.flatMap { amount in
                days.flatMap { day in
                    traits.flatMap { trait in
                        accounts.map { Key(amount: amount, day: day, trait: trait, accounts: $0) }
                    }
                }
            }
        }
    }

    /// Candidates with the same key, by their positions in ascending order.
    private struct Queue {
        private var positions: [Int] = []
        private var next = 0

        mutating func append(_ position: Int) { positions.append(position) }

        /// Returns the first unused position. Used positions are never visited again.
        mutating func first(notIn used: [Bool]) -> Int? {
            while next < positions.count, used[positions[next]] { next += 1 }
            return next < positions.count ? positions[next] : nil
        }
    }

    private func queues(of amounts: Set<Amount>) -> [Key: Queue] {
        var queues: [Key: Queue] = [:]
        for (position, candidate) in candidates.enumerated() where amounts.contains(candidate.amount) {
            let traits = Trait.all(in: "\(candidate.payee) \(candidate.text)").union([.anything])
            for trait in traits {
                let key = Key(
                    amount: candidate.amount, day: candidate.day, trait: trait, accounts: candidate.accounts)
                queues[key, default: Queue()].append(position)
            }
        }
        return queues
    }
}
