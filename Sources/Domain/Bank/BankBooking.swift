/// One booking of a bank account, as the bank's file states it.
package struct BankBooking: Hashable, Sendable {
    package let day: LocalDate
    /// Negative when money left the account.
    package let amount: Amount
    /// The amount in the currency of the payment, without sign; nil if that is the account's currency.
    package let original: Amount?
    /// The other party.
    package let payee: String
    /// The remittance text and the bank's text for the type of the booking.
    package let purpose: String
    /// The bank's own reference; empty when the file has none.
    package let reference: String
    /// The account's IBAN, number or name, in capital letters without blanks; empty if it is unknown.
    package let account: String
    /// The bank's text for the type of the booking if `purpose` does not contain it. Not part of the identity.
    package let type: String
    /// Whether the bank states that the booking reverses another one.
    package let isReversal: Bool

    /// The maximum length of a text, in Unicode scalars; longer texts are cut.
    package static let maximumTextLength = 1_000

    package init(
        day: LocalDate, amount: Amount, original: Amount? = nil, payee: String = "", purpose: String = "",
        reference: String = "", account: String = "", type: String = "", isReversal: Bool = false
    ) {
        self.day = day
        self.amount = amount
        self.original = original
        self.payee = Self.normalised(payee)
        self.purpose = Self.normalised(purpose)
        let stated = Self.normalised(reference)
        self.reference = Self.placeholders.contains(stated.uppercased()) ? "" : stated
        self.account = BankAccount.normalised(account)
        self.type = Self.normalised(type)
        self.isReversal = isReversal
    }

    /// Texts that banks write in place of a missing reference.
    private static let placeholders: Set = [
        "NONREF", "NOREF", "NOTPROVIDED", "NOT PROVIDED", "UNKNOWN", "N/A", "-", "0",
    ]

    /// The same booking, with `account` if the booking has none.
    package func completed(account: String) -> BankBooking {
        self.account.isEmpty && !account.isEmpty ? copy(account: account) : self
    }

    /// The amount in the currency of the payment with the sign of `amount`; nil if that is the account's currency.
    package var signedOriginal: Amount? {
        let sign: Int64 = amount.minorUnits < 0 ? -1 : 1
        return original.map { Amount(minorUnits: sign * $0.minorUnits, currency: $0.currency) }
    }

    /// The same booking of an unknown account.
    func withoutAccount() -> BankBooking { copy(account: "") }

    private func copy(account: String) -> BankBooking {
        BankBooking(
            day: day, amount: amount, original: original, payee: payee, purpose: purpose, reference: reference,
            account: account, type: type, isReversal: isReversal)
    }

    /// The key by which a booking is recognised in another file. It consists of the account, the day, the amount and
    /// the bank's reference, or payee and purpose if there is no reference. `numbered` distinguishes equal bookings of
    /// one file.
    package var identity: String { identity(of: account) }

    private func identity(of account: String) -> String {
        let facts = [account, day.iso, String(amount.minorUnits), amount.currency.code]
        let content =
            reference.isEmpty ? ["text", Self.letters(payee), Self.letters(purpose)] : ["reference", reference]
        return (facts + content).joined(separator: "\u{1F}")
    }

    /// The probable kind of the booking. Reversed payments are refunds. So is money from a payee of the lexicon, unless
    /// the payee's category is income.
    package var kind: ExpenseKind {
        let words = FoldedWords.words("\(payee) \(purpose)")
        let all = words + FoldedWords.words(type)
        if amount.minorUnits < 0 { return all.contains(where: Self.cashWords.contains) ? .withdrawal : .expense }
        if isReversal || all.contains(where: Self.reversalWords.contains) { return .refund }
        let known = PayeeLexicon.shared.entry(in: words)?.category
        return known == nil || known == "income" ? .income : .refund
    }

    private static let cashWords: Set = [
        "bankomat", "geldautomat", "geldausgabeautomat", "bargeldauszahlung", "bargeldabhebung", "bargeldbehebung",
        "barauszahlung", "barabhebung", "barbehebung", "abhebung", "behebung", "atm", "gaa",
    ]
    private static let reversalWords: Set = [
        "storno", "stornierung", "stornobuchung", "ruecklastschrift", "lastschriftrueckgabe", "retoure",
        "rueckerstattung", "refund", "reversal", "chargeback",
    ]

    /// A booking with its key in a file.
    package struct Numbered: Sendable {
        package let booking: BankBooking
        /// The number among the bookings of the file with the same identity, from 1.
        fileprivate let number: Int

        /// The booking's identity and its number.
        package var identity: String { "\(booking.identity)\u{1F}\(number)" }
        /// Like `identity`, but without the account.
        package var content: String { "\(booking.identity(of: ""))\u{1F}\(number)" }

        /// The booking with changed texts and the same number.
        package func mapTexts(_ change: (String) -> String) -> Numbered {
            let changed = BankBooking(
                day: booking.day, amount: booking.amount, original: booking.original, payee: change(booking.payee),
                purpose: change(booking.purpose), reference: change(booking.reference), account: booking.account,
                type: booking.type, isReversal: booking.isReversal)
            return Numbered(booking: changed, number: number)
        }
    }

    /// Numbers the bookings of a file.
    package static func numbered(_ bookings: [BankBooking]) -> [Numbered] {
        var counts: [String: Int] = [:]
        return bookings.map { booking in
            let identity = booking.identity
            counts[identity, default: 0] += 1
            return Numbered(booking: booking, number: counts[identity, default: 0])
        }
    }

    /// The letters and digits of a text. Banks break lines differently in each export, so blanks and punctuation do not
    /// count.
    private static func letters(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0.properties.isAlphabetic || $0.value < 58 && $0.value > 47 })
        )
        .lowercased()
    }

    /// The text with single blanks between words, cut to `maximumTextLength`.
    private static func normalised(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard words.unicodeScalars.count > maximumTextLength else { return words }
        return String(String.UnicodeScalarView(words.unicodeScalars.prefix(maximumTextLength)))
    }
}
