import Domain
import Recognition

/// Values about the payment that were read from a paper of any kind, each with its alternatives. Used for papers
/// without line items, such as restaurant bills, tickets and invoices.
package struct PaperReading: Sendable {
    /// A possible value with its place.
    package struct Candidate<Value: Sendable & Equatable>: Sendable, Equatable {
        package let value: Value
        /// As printed.
        package let text: String
        /// Page number over all files of the document, from 0.
        package let page: Int
        /// In pixels of the reading picture.
        package let box: PixelBox
        /// A candidate with a higher score is likelier. Only scores of the same field are comparable.
        package let score: Int
    }

    /// The total, converted to another currency.
    package struct Conversion: Sendable {
        package let currency: CurrencyCode
        /// The candidate for the total that was converted.
        package let total: Int64
        package let amount: Candidate<Int64>
    }

    /// Maximum number of candidates of one field.
    package static let maximumCandidates = 5
    /// Maximum number of words compared with the words of categories.
    private static let maximumWords = 2_000

    package let kind: PaperKind?
    /// In minor units, likeliest first.
    package let totals: [Candidate<Int64>]
    package let days: [Candidate<LocalDate>]
    package let merchants: [Candidate<String>]
    /// The currency that is printed most often; nil if none is printed.
    package let currency: CurrencyCode?
    /// The tip added to the bill.
    package let tip: Candidate<Int64>?
    /// Whether a label for a tip has no legible figure. The guest may have written a tip by hand.
    package let hasTipWithoutFigure: Bool
    /// The day by which the paper must be paid.
    package let dueDay: Candidate<LocalDate>?
    /// The payee's account, without blanks, with valid check digits.
    package let iban: Candidate<String>?
    /// Litres of fuel, in thousandths.
    package let litres: Candidate<Int64>?
    /// The total in the currency of the card, as a card slip states it.
    package let stated: Conversion?

    /// Words from which a category is suggested.
    package let categoryText: String

    /// - Parameters:
    ///   - details: personal details; values at their places are not candidates.
    ///   - today: later days are not purchase days.
    package init(_ document: RecognizedDocument, leavingOut details: [PersonalDetail] = [], asOf today: LocalDate) {
        let lines = PaperLine.lines(of: document)
        func isPublic<Value>(_ candidate: Candidate<Value>) -> Bool {
            !details.contains { $0.page == candidate.page && $0.box.overlaps(candidate.box) }
        }
        let amounts = PaperAmounts(lines)
        let days = PaperDays(lines, asOf: today)
        // The IBAN is not filtered, because it belongs to the payee. A payer's own account is masked or on a card slip.
        iban = PaperAccount.iban(lines)
        let kind = PaperKind.bestKind(
            in: lines, hasLitres: (amounts.litres?.value ?? 0) >= 5_000, hasAccount: iban != nil,
            hasTip: amounts.tip != nil)
        self.kind = kind
        totals = amounts.totals.filter(isPublic)
        self.days = days.purchases.filter(isPublic)
        let merchants = PaperMerchants(lines).candidates.filter(isPublic)
        self.merchants = merchants
        currency = amounts.currency
        tip = amounts.tip.flatMap { isPublic($0) ? $0 : nil }
        hasTipWithoutFigure = amounts.hasTipWithoutFigure
        dueDay = days.due.flatMap { isPublic($0) ? $0 : nil }
        litres = kind == .fuel ? amounts.litres : nil
        stated = PaperConversion.find(lines, totals: amounts.totals.map(\.value))
            .flatMap { isPublic($0.amount) ? $0 : nil }
        categoryText = Self.categoryText(kind, lines, merchants.first?.value ?? "")
    }

    /// The category word of the kind. If there is none, words of the paper that name a category, the most frequent
    /// category first.
    private static func categoryText(_ kind: PaperKind?, _ lines: [PaperLine], _ merchant: String) -> String {
        var words: [String: [String]] = [:]
        func add(_ all: [String], times: Int) {
            for word in all where word.utf8.count >= 3 && !PaperWords.wordsOfAnyPaper.contains(word) {
                guard case .builtIn(let key)? = KeywordLexicon.shared.suggestion(for: ExpenseText(what: word))?.category
                else { continue }
                words[key, default: []] += repeatElement(word, count: times)
            }
        }
        add(Array(lines.lazy.flatMap(\.words).prefix(maximumWords)), times: 1)
        // The merchant's name counts more than the words of the items.
        add(PaperLine.fold(merchant), times: 4)
        let ordered = words.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }
        if let word = kind?.categoryWord {
            // Theatre tickets are of the kind `ticket` too, but belong to leisure.
            let isForLeisure = kind == .ticket && ordered.first?.key == "leisure"
            return isForLeisure ? ordered[0].value[0] : word
        }
        return ordered.prefix(2).compactMap(\.value.last).joined(separator: " ")
    }
}

extension PaperReading.Candidate {
    /// The best candidate of each value, likeliest first, at most `PaperReading.maximumCandidates`.
    static func best(_ all: [Self], minimumScore: Int) -> [Self] where Value: Hashable {
        var best: [Value: Self] = [:]
        for candidate in all where candidate.score > best[candidate.value]?.score ?? Int.min {
            best[candidate.value] = candidate
        }
        let ordered = best.values.filter { $0.score >= minimumScore }.sorted { first, second in
            if first.score != second.score { return first.score > second.score }
            return (first.page, first.box.y, first.box.x) < (second.page, second.box.y, second.box.x)
        }
        return Array(ordered.prefix(PaperReading.maximumCandidates))
    }
}
