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
        /// The linked bookings from files of the same format. If there are any, the candidate matches only a booking
        /// of the same day and amount, which is then the same booking with a changed text.
        package let booked: [Booked]

        package init(
            id: ExpenseID, isReceipt: Bool, day: LocalDate, amount: Amount, text: String, payee: String,
            accounts: [String] = [], booked: [Booked] = []
        ) {
            self.id = id
            self.isReceipt = isReceipt
            self.day = day
            self.amount = amount
            self.text = text
            self.payee = payee
            self.accounts = accounts
            self.booked = booked
        }
    }

    /// A stored booking.
    package struct Booked: Hashable, Sendable {
        package let day: LocalDate
        /// Negative when money left the account.
        package let amount: Amount
        /// The payee and the purpose.
        package let text: String

        package init(day: LocalDate, amount: Amount, text: String) {
            self.day = day
            self.amount = amount
            self.text = text
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
        let compared = bookings.map(ComparedBooking.init)
        var index = Index(candidates, amounts: Set(compared.flatMap(\.amounts)))
        let accounts = Set(bookings.map(\.account))
        let possible = Dictionary(uniqueKeysWithValues: accounts.map { ($0, index.possibleLists($0)) })
        var matches = [Match?](repeating: nil, count: bookings.count)
        for isSamePayee in [true, false] {
            for distance in 0...Self.maximumDays {
                for (position, booking) in compared.enumerated() where matches[position] == nil {
                    let lists = possible[booking.account] ?? []
                    let keys = booking.keys(isSamePayee: isSamePayee, distance: distance)
                    guard let best = index.take(keys, lists: lists) else { continue }
                    matches[position] = Match(candidate: candidates[best], isSamePayee: isSamePayee)
                }
            }
        }
        return matches
    }

    /// Whether the payees of a booking and a candidate match.
    static func isSamePayee(_ booking: BankBooking, _ candidate: Candidate) -> Bool {
        !Trait.all(in: "\(booking.payee) \(booking.purpose)")
            .isDisjoint(with: Trait.all(in: "\(candidate.payee) \(candidate.text)"))
    }

    // MARK: Index

    /// The properties that a booking and its expense have in common.
    private struct Key: Hashable {
        let amount: Amount
        let day: LocalDate
        let trait: Trait
        /// Whether the expense is linked with a booking of this day and amount.
        let isBooked: Bool
    }

    private enum Trait: Hashable {
        /// The amount and the day only.
        case anything
        /// An entry of the lexicon of payees.
        case payee(String)
        /// A word of at least four letters.
        case word(String)

        /// Words of companies and payments, which different payees have in common.
        private static let commonWords: Set = [
            "gmbh", "gesmbh", "karte", "kartenzahlung", "kreditkarte", "debitkarte", "bezahlung", "zahlung",
            "einkauf", "kauf", "rechnung", "lastschrift", "basislastschrift", "ueberweisung", "gutschrift",
            "dauerauftrag", "danke", "dankt", "sagt", "vielen", "dank", "visa", "mastercard", "maestro", "debit",
            "bankomat", "card", "payment", "purchase", "thank",
        ]

        static func all(in text: String) -> Set<Trait> {
            let words = FoldedWords.words(text)
            let telling = words.filter { word in
                word.utf8.count >= 4 && !commonWords.contains(word) && !word.utf8.allSatisfy(\.isDigit)
            }
            var traits = Set(telling.map { Trait.word($0) })
            if let payee = PayeeLexicon.shared.entry(in: words)?.name { traits.insert(.payee(payee)) }
            return traits
        }
    }

    /// The values of a booking that are compared with the values of expenses.
    private struct ComparedBooking {
        let day: LocalDate
        let account: String
        /// The amount in the account's currency, and in the currency of the payment.
        let amounts: [Amount]
        let traits: Set<Trait>

        init(_ booking: BankBooking) {
            day = booking.day
            account = booking.account
            amounts = [booking.amount] + [booking.signedOriginal].compactMap { $0 }
            traits = Trait.all(in: "\(booking.payee) \(booking.purpose)")
        }

        func keys(isSamePayee: Bool, distance: Int) -> [Key] {
            let days = distance == 0 ? [day] : [day.adding(days: -distance), day.adding(days: distance)]
            let traits = isSamePayee ? traits : [.anything]
            return amounts.flatMap { amount in
                traits.flatMap { trait in
                    days.map { Key(amount: amount, day: $0, trait: trait, isBooked: false) }
                        + (distance == 0 ? [Key(amount: amount, day: day, trait: trait, isBooked: true)] : [])
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

    /// The candidates by key and, below each key, by their list of accounts.
    private struct Index {
        /// The different lists of accounts. The empty list is the first, so that `maximumLists` never excludes the
        /// candidates without an account.
        private var lists: [[String]] = [[]]
        /// By the positions of lists in `lists`.
        private var queues: [Key: [Int: Queue]] = [:]
        private var isUsed: [Bool]

        /// The maximum number of lists. A household has few accounts; a file can name any number.
        private static let maximumLists = 200

        init(_ candidates: [Candidate], amounts: Set<Amount>) {
            isUsed = [Bool](repeating: false, count: candidates.count)
            var positions: [[String]: Int] = [[]: 0]
            for (position, candidate) in candidates.enumerated() {
                let keys = Self.keys(of: candidate, amounts)
                guard !keys.isEmpty else { continue }
                let list = positions[candidate.accounts] ?? lists.count
                if list == lists.count {
                    guard list < Self.maximumLists else { continue }
                    positions[candidate.accounts] = list
                    lists.append(candidate.accounts)
                }
                for key in keys { queues[key, default: [:]][list, default: Queue()].append(position) }
            }
        }

        private static func keys(of candidate: Candidate, _ amounts: Set<Amount>) -> Set<Key> {
            let text = "\(candidate.payee) \(candidate.text)"
            guard candidate.booked.isEmpty else {
                let keys = candidate.booked.filter { amounts.contains($0.amount) }.flatMap { booked in
                    Trait.all(in: text).union(Trait.all(in: booked.text)).union([.anything]).map {
                        Key(amount: booked.amount, day: booked.day, trait: $0, isBooked: true)
                    }
                }
                return Set(keys)
            }
            guard amounts.contains(candidate.amount) else { return [] }
            let traits = Trait.all(in: text).union([.anything])
            return Set(
                traits.map { Key(amount: candidate.amount, day: candidate.day, trait: $0, isBooked: false) })
        }

        /// The lists with which a booking of the account can be linked.
        func possibleLists(_ account: String) -> Set<Int> {
            Set(lists.indices.filter { lists[$0].allSatisfy { BankAccount.canBeSame($0, account) } })
        }

        /// Returns the first unused candidate with one of the keys and one of the lists, and marks it as used.
        mutating func take(_ keys: [Key], lists: Set<Int>) -> Int? {
            var best: Int?
            for key in keys {
                for list in queues[key]?.keys.filter(lists.contains) ?? [] {
                    guard let found = queues[key]?[list]?.first(notIn: isUsed) else { continue }
                    best = min(best ?? found, found)
                }
            }
            if let best { isUsed[best] = true }
            return best
        }
    }
}
