import Domain
import Postgres
import Templates

/// An element of the column `reasons`: a reason why a receipt needs a review, or a note on the page of the receipt.
///
/// Stored as `code`, or with figures as `code|figure|figure`.
struct Reason: Sendable, Hashable, RawRepresentable, PostgresConvertible {
    enum Code: String, Sendable, CaseIterable {
        // Results of the reading.
        case noTotal = "no-total"
        /// The sum of the lines differs from the total. The figures are the sum and the total.
        case difference
        /// The total was not read; it was computed from the lines or the payment.
        case totalComputed = "total-made"
        /// The printed number of articles differs from the number of articles in the lines.
        case count
        /// The tax table does not match the lines.
        case vat
        /// The total or the date in the fiscal code differs from the printed value.
        case fiscal
        /// The date is uncertain.
        case day
        /// No other printed value confirms a repaired value.
        case repair
        /// A line has no legible amount.
        case line
        /// A printed line belongs to no item.
        case unexplained
        /// A line may be missing.
        case gap
        /// Two photos of the receipt have no line in common.
        case pages
        /// The receipt was printed to train a cashier, or the purchase was cancelled.
        case training, cancelled
        case noDay = "no-day"
        /// The currency was not found, or it is neither the euro nor the franc.
        case currency
        case unitPrice = "unit-price"
        /// The values do not contradict each other, but nothing confirms them.
        case unproven
        /// No receipt was found on the pictures.
        case unreadable
        /// A note: the picture shows another sheet with amounts beside the receipt.
        case otherSheet = "other-sheet"
        // Causes of a failed reading. `locked`: a PDF with a password. `overloaded`: a machine that was too busy.
        case crashed, timeout, overloaded, damaged, locked, unsupported
        case tooLarge = "too-large"
        // Reasons that do not come from the reading.
        /// A person typed the receipt in; it has no reading.
        case byHand = "by-hand"
        /// Corrections of the parts of a joined receipt could not be applied again.
        case corrections
        /// The second reading verified fewer values than the first reading, so the first reading was kept.
        case kept
        /// The receipt is being read again. There are no other reasons until then.
        case reread
    }

    /// Whether the reason is settled when a person compares the marked values with the picture. False, for example, for
    /// a missing line, because it cannot be marked.
    var isSettledByMarks: Bool {
        switch code {
        case .noTotal, .difference, .totalComputed, .day, .noDay, .repair, .line, .unitPrice, .unproven, .kept: true
        default: false
        }
    }

    let code: Code
    /// The figures as German text.
    let figures: [String]

    init(_ code: Code, figures: [String] = []) {
        (self.code, self.figures) = (code, figures)
    }

    static func difference(lines: Money, total: Money) -> Reason {
        // The formatted amounts contain no-break spaces. They are stored with ordinary spaces.
        Reason(.difference, figures: [lines, total].map { $0.formatted().replacing("\u{A0}", with: " ") })
    }

    init(rawValue: String) {
        let parts = rawValue.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        self.init(Code(rawValue: parts[0]) ?? .unproven, figures: Array(parts.dropFirst()))
    }

    var rawValue: String { ([code.rawValue] + figures).joined(separator: "|") }

    /// The reason as a sentence, with amounts in the given language.
    func sentence(_ words: LanguageTexts, _ language: Language) -> String {
        let key = "server.reason.\(code.rawValue)"
        guard figures.count == 2 else { return words[key] }
        return words[
            key, ["lines": .text(Self.amount(figures[0], language)), "total": .text(Self.amount(figures[1], language))]]
    }

    private static func amount(_ text: String, _ language: Language) -> String {
        for currency in Currency.allCases {
            if let money = try? Money(parsing: text, currency: currency) { return money.formatted(language) }
        }
        return text
    }
}

extension [Reason] {
    func contains(_ code: Reason.Code) -> Bool { contains { $0.code == code } }
}
