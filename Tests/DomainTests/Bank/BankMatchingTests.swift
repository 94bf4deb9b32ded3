import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(1))) struct BankMatchingTests {
    @Test(arguments: [
        ("DE02120300000000202051", "12030000/0000202051", true), ("DE02120300000000202051", "12030000/202052", false),
        ("AT611904300234573201", "19043/00234573201EUR", true), ("AT611904300234573201", "AT021904300234573202", false),
        ("GIRO", "GIRO", true), ("GIRO", "SPAR", false), ("", "GIRO", true), ("GIRO", "AT611904300234573201", true),
        ("HAUSHALT2024", "AT611904300234573201", true), ("HAUSHALT2024", "HAUSHALT2025", false),
    ])
    func `recognises an account in the notations of different files`(first: String, second: String, isSame: Bool) {
        #expect(BankAccount.canBeSame(first, second) == isSame)
        #expect(BankAccount.canBeSame(second, first) == isSame)
    }

    @Test func `does not match an expense that is linked with a booking of another account`() throws {
        let day = LocalDate(dayNumber: 20_600)
        let candidate = BankMatching.Candidate(
            id: ExpenseID(high: 0, low: 1), isReceipt: false, day: day, amount: Amount(minorUnits: -500), text: "Bank",
            payee: "Bank", accounts: ["DE02120300000000202051"])
        func isMatched(_ account: String) -> Bool {
            let booking = BankBooking(day: day, amount: Amount(minorUnits: -500), payee: "Bank", account: account)
            return BankMatching([candidate]).matches([booking])[0] != nil
        }
        #expect(isMatched("12030000/202051") && isMatched(""))
        #expect(!isMatched("12030000/202052"))
    }

    @Test func `an expense with a booking from a file of the same format matches only that day and amount`() throws {
        let day = LocalDate(dayNumber: 20_600)
        let abroad = Amount(minorUnits: -600, currency: try #require(CurrencyCode("USD")))
        let booked = BankMatching.Booked(day: day, amount: Amount(minorUnits: -500), text: "Blue Bottle Coffee")
        let candidate = BankMatching.Candidate(
            id: ExpenseID(high: 0, low: 1), isReceipt: false, day: day.adding(days: -2), amount: abroad,
            text: "Frühstück", payee: "", accounts: ["GIRO"], booked: [booked])
        func match(_ days: Int, _ payee: String, _ amount: Amount) -> BankMatching.Match? {
            let booking = BankBooking(day: day.adding(days: days), amount: amount, payee: payee, account: "GIRO")
            return BankMatching([candidate]).matches([booking])[0]
        }
        #expect(match(0, "BLUE BOTTLE", booked.amount)?.isSamePayee == true)
        #expect(match(0, "Trafik", booked.amount)?.isSamePayee == false)
        #expect(match(1, "BLUE BOTTLE", booked.amount) == nil)
        #expect(match(-2, "BLUE BOTTLE", abroad) == nil)
    }

    @Test func `expenses without a booking match even if other expenses have very many accounts`() {
        let day = LocalDate(dayNumber: 20_600)
        func candidate(_ number: UInt64, _ accounts: [String]) -> BankMatching.Candidate {
            BankMatching.Candidate(
                id: ExpenseID(high: 0, low: number), isReceipt: false, day: day, amount: Amount(minorUnits: -500),
                text: "Kino", payee: "", accounts: accounts)
        }
        let linked = [UInt64](1...300).map { candidate($0, ["KONTO\($0)X"]) }
        let booking = BankBooking(day: day, amount: Amount(minorUnits: -500), payee: "Kino", account: "GIRO")
        let matches = BankMatching(linked + [candidate(301, [])]).matches([booking])
        #expect(matches[0]?.candidate.id == ExpenseID(high: 0, low: 301))
    }

    @Test(arguments: [
        ("Arbeit GmbH", "Pizzeria GmbH"), ("Strom 2026", "Miete 2026"), ("Kartenzahlung Kino", "Kartenzahlung Bäcker"),
    ])
    func `numbers and words for companies or payments do not make payees equal`(text: String, payee: String) {
        let day = LocalDate(dayNumber: 20_600)
        let candidate = BankMatching.Candidate(
            id: ExpenseID(high: 0, low: 1), isReceipt: false, day: day, amount: Amount(minorUnits: -500), text: text,
            payee: "")
        let booking = BankBooking(day: day, amount: Amount(minorUnits: -500), payee: payee)
        #expect(BankMatching([candidate]).matches([booking])[0]?.isSamePayee == false)
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `finds the same matches as a comparison of all pairs`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let texts = ["Billa", "BILLA DANKT", "Zur Post", "Trafik am Eck", "Cafe", ""]
        for _ in 0..<100 {
            func day() -> LocalDate { LocalDate(dayNumber: 20_600 + Int.random(in: 0...6, using: &random)) }
            func amount() -> Amount { Amount(minorUnits: -Int64.random(in: 1...2, using: &random)) }
            let candidates = [UInt64](0..<8).map { number in
                BankMatching.Candidate(
                    id: ExpenseID(high: UInt64.random(in: 0...9, using: &random), low: number), isReceipt: false,
                    day: day(), amount: amount(), text: texts.randomElement(using: &random) ?? "",
                    payee: texts.randomElement(using: &random) ?? "")
            }
            let bookings = (0..<8).map { _ in
                BankBooking(day: day(), amount: amount(), payee: texts.randomElement(using: &random) ?? "")
            }
            #expect(BankMatching(candidates).matches(bookings) == Self.naiveMatches(candidates, bookings))
        }
    }

    private static func naiveMatches(
        _ candidates: [BankMatching.Candidate], _ bookings: [BankBooking]
    ) -> [BankMatching.Match?] {
        typealias Pair = (booking: Int, candidate: BankMatching.Candidate, isSamePayee: Bool, distance: Int)
        func knownPayee(_ text: String) -> String? { PayeeLexicon.shared.entry(in: FoldedWords.words(text))?.name }
        func words(_ text: String) -> Set<String> { Set(FoldedWords.words(text).filter { $0.utf8.count >= 4 }) }
        var pairs: [Pair] = []
        for (index, booking) in bookings.enumerated() {
            for candidate in candidates where candidate.amount == booking.amount {
                let (own, other) = ("\(candidate.payee) \(candidate.text)", "\(booking.payee) \(booking.purpose)")
                let isSame =
                    knownPayee(own) != nil && knownPayee(own) == knownPayee(other)
                    || !words(own).isDisjoint(with: words(other))
                let distance = abs(candidate.day.days(to: booking.day))
                if distance <= BankMatching.maximumDays { pairs.append((index, candidate, isSame, distance)) }
            }
        }
        pairs.sort {
            ($0.isSamePayee ? 0 : 1, $0.distance, $0.booking, $0.candidate.id)
                < ($1.isSamePayee ? 0 : 1, $1.distance, $1.booking, $1.candidate.id)
        }
        var matches = [BankMatching.Match?](repeating: nil, count: bookings.count)
        var used: Set<ExpenseID> = []
        for pair in pairs where matches[pair.booking] == nil && !used.contains(pair.candidate.id) {
            matches[pair.booking] = BankMatching.Match(candidate: pair.candidate, isSamePayee: pair.isSamePayee)
            used.insert(pair.candidate.id)
        }
        return matches
    }

    @Test func `a probable pair has the same payee or the nearest day, and each entry is in one pair`() {
        let day = LocalDate(dayNumber: 20_600)
        let amount = Amount(minorUnits: -320)
        func pair(_ expense: UInt64, _ payee: String, _ candidate: UInt64, _ text: String, _ days: Int)
            -> BankMatching.PossiblePair
        {
            BankMatching.PossiblePair(
                expense: ExpenseID(high: 1, low: expense), booking: BankBooking(day: day, amount: amount, payee: payee),
                candidate: BankMatching.Candidate(
                    id: ExpenseID(high: 2, low: candidate), isReceipt: false, day: day.adding(days: days),
                    amount: amount, text: text, payee: ""))
        }
        let pairs = [
            pair(1, "Trafik", 1, "Kuchen", 0), pair(1, "Trafik", 2, "Trafik am Eck", 3),
            pair(2, "Huber", 1, "Kuchen", 0), pair(2, "Huber", 2, "Trafik am Eck", 3),
            pair(2, "Huber", 3, "Torte", 1),
        ]
        #expect(BankMatching.probable(pairs) == [1: true, 2: false])
        #expect(BankMatching.probable([pairs[3], pairs[4], pairs[4]]) == [1: false])
        #expect(BankMatching.probable([]).isEmpty)
    }

    @Test(arguments: ["Billa", "Zur Post"])
    func `matches thousands of equal bookings and expenses within the time limit`(payee: String) throws {
        let day = try #require(LocalDate(year: 2026, month: 1, day: 5))
        let amount = Amount(minorUnits: -100)
        let candidates = [UInt64](1...20_000).map { number in
            BankMatching.Candidate(
                id: ExpenseID(high: 1, low: number), isReceipt: false, day: day, amount: amount, text: "Trafik",
                payee: payee)
        }
        let bookings = (1...BankFileLimits.maximumBookings).map { _ in
            BankBooking(day: day, amount: amount, payee: "Billa")
        }
        let matches = BankMatching(candidates).matches(bookings)
        #expect(matches.allSatisfy { $0?.isSamePayee == (payee == "Billa") })
        #expect(Set(matches.compactMap { $0?.candidate.id }).count == bookings.count)
    }
}
