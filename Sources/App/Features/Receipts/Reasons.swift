import Domain
import Templates

/// Why a receipt needs a look, in words. Stored as `code` or `code|value|value`; figures are already formatted text.
enum Reasons {
    static func sentence(_ reason: String, _ words: LanguageTexts, _ language: Language) -> String {
        let parts = reason.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        let key = "server.reason.\(parts[0])"
        guard words.has(key) else { return words["server.reason.unproven"] }
        guard parts.count == 3 else { return words[key] }
        return words[key, ["lines": .text(amount(parts[1], language)), "total": .text(amount(parts[2], language))]]
    }

    /// Stored in German; shown in the reader's language.
    private static func amount(_ text: String, _ language: Language) -> String {
        for currency in Currency.allCases {
            if let money = try? Money(parsing: text, currency: currency) { return money.formatted(language) }
        }
        return text
    }
}
