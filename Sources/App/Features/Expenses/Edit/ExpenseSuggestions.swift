import Domain
import Postgres
import Templates

/// Suggests the category and the payee of an expense from what the household chose before and from the lexicons.
struct ExpenseSuggestions: Sendable {
    private let chain: CategorizationChain
    private let categories: Categories

    /// Choices that are read at most: the newest of each text.
    private static let mostChoices: Int32 = 4_000

    static func query(_ member: Member) -> SQL {
        """
        SELECT DISTINCT ON (e.payee_key) e.payee_key, e.what, e.payee, e.category_id FROM expense e
        WHERE e.household_id = \(member.household) AND e.receipt_id IS NULL AND e.discarded_at IS NULL
            AND e.category_id IS NOT NULL AND e.payee_key <> '' AND \(ExpenseVisibility.condition(member))
        ORDER BY e.payee_key, e.day DESC, e.id DESC LIMIT \(mostChoices)
        """
    }

    init(_ rows: Rows, _ categories: Categories) throws {
        let chosen = try rows.decode((String, String, String, CategoryID).self)
        var choices: [ChosenBefore.Choice] = []
        for (key, what, payee, category) in chosen {
            choices.append(
                ChosenBefore.Choice(key: key, category: category, payee: payee, text: payee.isEmpty ? what : payee))
            let text = ExpenseText.key(what)
            if text != key {
                choices.append(ChosenBefore.Choice(key: text, category: category, payee: payee, text: what))
            }
        }
        chain = CategorizationChain(chosen: ChosenBefore(choices))
        self.categories = categories
    }

    static func load(_ member: Member, _ database: Database) async throws -> ExpenseSuggestions {
        let rows = try await database.read(
            member.household, batch: [query(member), Categories.query(member.household)])
        return try ExpenseSuggestions(rows[0], Categories(rows[1]))
    }

    struct Found: Sendable {
        /// Nil when the household has no such category.
        let category: CategoryID?
        let payee: String?
        let reason: CategorySuggestion.Reason
    }

    /// Nil when nothing is known about the text.
    func find(what: String, payee: String = "") -> Found? {
        guard let suggestion = chain.suggestion(for: ExpenseText(what: what, payee: payee)) else { return nil }
        let category: CategoryID? =
            switch suggestion.category {
            case .own(let id): categories.contains(id) ? id : nil
            case .builtIn(let key): categories.id(key: key)
            }
        return Found(category: category, payee: suggestion.payee, reason: suggestion.reason)
    }

    /// `früher so gewählt: Billa`, `bekannter Empfänger: Billa`, `Wort: Diesel`.
    static func text(_ reason: CategorySuggestion.Reason, _ words: LanguageTexts) -> String {
        switch reason {
        case .chosenBefore(let text): words["server.suggestion.chosen", ["text": .text(text)]]
        case .payee(let name): words["server.suggestion.payee", ["text": .text(name)]]
        case .word(let word): words["server.suggestion.word", ["text": .text(word)]]
        case .lines: words["server.suggestion.lines"]
        }
    }
}
