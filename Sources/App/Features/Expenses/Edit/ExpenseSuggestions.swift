import Domain
import Postgres
import Templates

/// Suggests the category and the payee of an expense, from the household's earlier choices, its rules, and the built-in
/// lists of payees and words.
struct ExpenseSuggestions: Sendable {
    private let chain: CategorizationChain
    private let rules: [StoredRule]
    private let ownRules: OwnRules
    let categories: Categories
    /// The household's currency.
    let home: CurrencyCode

    /// The maximum number of choices that are read from expenses, and also from receipts: the newest choice for each
    /// payee, the most recent payees first.
    private static let maximumChoices: Int32 = 4_000

    /// Selects the categories that people chose for expenses and for receipts. Excludes categories that come from a
    /// rule or a built-in list.
    static func choicesQuery(_ member: Member, maximum: Int32 = maximumChoices) -> SQL {
        """
        (SELECT c.* FROM (
            SELECT DISTINCT ON (e.payee_key) e.payee_key, e.what, e.payee, e.category_id, e.day FROM expense e
            WHERE e.household_id = \(member.household) AND e.day IS NOT NULL AND e.discarded_at IS NULL
                AND e.category_id IS NOT NULL AND e.category_source IN ('', 'person') AND e.payee_key <> ''
                AND \(ExpenseVisibility.condition(member))
            ORDER BY e.payee_key, e.day DESC, e.id DESC) c
        ORDER BY c.day DESC, c.payee_key LIMIT \(maximum))
        UNION ALL
        (SELECT c.* FROM (
            SELECT DISTINCT ON (s.name) '' AS payee_key, '' AS what, s.name, e.category_id, r.purchase_day FROM expense e
            JOIN receipt r ON r.household_id = e.household_id AND r.id = e.receipt_id
            JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
            WHERE e.household_id = \(member.household) AND e.receipt_id IS NOT NULL AND e.discarded_at IS NULL
                AND e.category_id IS NOT NULL AND e.category_source = 'person' AND r.stage = \(Stage.confirmed.sql)
                AND r.discarded_at IS NULL AND r.purchase_day IS NOT NULL AND \(Visibility.condition(member))
            ORDER BY s.name, r.purchase_day DESC, r.id DESC) c
        ORDER BY c.purchase_day DESC, c.name LIMIT \(maximum))
        """
    }

    init(_ rows: Rows, rules: [StoredRule], _ categories: Categories, home: CurrencyCode) throws {
        self.home = home
        self.rules = rules
        ownRules = OwnRules(rules.map(\.values.entry))
        chain = CategorizationChain(chosen: ChosenBefore(try Self.choices(rows)), rules: ownRules)
        self.categories = categories
    }

    /// Decodes the rows of `choicesQuery`.
    static func choices(_ rows: Rows) throws -> [ChosenBefore.Choice] {
        let chosen = try rows.decode((String, String, String, CategoryID, LocalDate).self).map {
            (key: $0, what: $1, payee: $2, category: $3, day: $4)
        }
        var choices: [ChosenBefore.Choice] = []
        // The newest choice for a text counts.
        for (stored, what, payee, category, _) in chosen.sorted(by: { $0.day > $1.day }) {
            let key = stored.isEmpty ? ExpenseText.key(payee) : stored
            choices.append(
                ChosenBefore.Choice(key: key, category: category, payee: payee, text: payee.isEmpty ? what : payee))
            let text = ExpenseText.key(what)
            if text != key {
                choices.append(ChosenBefore.Choice(key: text, category: category, payee: payee, text: what))
            }
        }
        return choices
    }

    static func load(_ member: Member, _ database: Database) async throws -> ExpenseSuggestions {
        try ExpenseSuggestions(await database.read(member.household, batch: statements(member)))
    }

    static func load(_ member: Member, _ changes: HouseholdTransaction) async throws -> ExpenseSuggestions {
        try ExpenseSuggestions(await changes.query(batch: statements(member)))
    }

    private static func statements(_ member: Member) -> [SQL] {
        [
            choicesQuery(member), StoredRule.query(member.household), Categories.query(member.household),
            "SELECT currency FROM household WHERE id = \(member.household)",
        ]
    }

    private init(_ rows: [Rows]) throws {
        try self.init(
            rows[0], rules: rows[1].decode(StoredRule.self), Categories(rows[2]),
            home: CurrencyCode(rows[3].first(Currency.self) ?? .eur))
    }

    struct Suggestion: Sendable {
        /// Nil if the household does not have the category.
        let category: CategoryID?
        let payee: String?
        let reason: CategorySuggestion.Reason

        var decision: CategoryDecision {
            if case .rule = reason { return .rule }
            return .suggested
        }
    }

    /// Returns nil if there is no suggestion for the text.
    ///
    /// - Parameter amount: in the household's currency, without a sign, for the amount limits of rules.
    func find(what: String, payee: String = "", amount: Int64? = nil) -> Suggestion? {
        let text = ExpenseText(what: what, payee: payee, amount: amount)
        guard let suggestion = chain.suggestion(for: text) else { return nil }
        let category: CategoryID? =
            switch suggestion.category {
            case .own(let id): categories.contains(id) ? id : nil
            case .builtIn(let key): categories.id(key: key)
            }
        return Suggestion(category: category, payee: suggestion.payee, reason: suggestion.reason)
    }

    /// Returns the rule that sets the labels and the split. For the category, an earlier choice takes precedence over
    /// the rule.
    func rule(what: String, payee: String, amount: Int64?) -> StoredRule? {
        ownRules.index(what: what, payee: payee, amount: amount).map { rules[$0] }
    }

    struct CompletedExpense: Sendable {
        let values: ExpenseValues
        let decision: CategoryDecision
        /// The members between whom the expense is split equally; empty for no split.
        let people: [PersonID]
    }

    /// Completes a new expense with the suggestion for its text and the matching rule.
    ///
    /// - Parameters:
    ///   - amount: in the household's currency; nil if no exchange rate is known.
    ///   - suggestsCategory: false if the person has chosen a category, or has chosen to have none.
    func complete(_ typed: ExpenseValues, amount: Int64?, suggestsCategory: Bool) -> CompletedExpense {
        var values = typed
        let rule = rule(what: values.what, payee: values.payee, amount: amount)
        var decision = CategoryDecision.person
        if suggestsCategory {
            let found = find(what: values.what, payee: values.payee, amount: amount)
            values.category = found?.category
            decision = found?.decision ?? .suggested
            if values.payee.isEmpty { values.payee = found?.payee ?? "" }
        }
        if values.labels.isEmpty { values.labels = rule?.values.labels ?? [] }
        return CompletedExpense(values: values, decision: decision, people: rule?.values.people ?? [])
    }

    /// Returns a sentence such as `früher so gewählt: Billa`, `bekannter Empfänger: Billa`, `wegen „Diesel“`.
    static func text(_ reason: CategorySuggestion.Reason, _ words: LanguageTexts) -> String {
        switch reason {
        case .chosenBefore(let text): words["server.suggestion.chosen", ["text": .text(text)]]
        case .rule(let text): words["server.suggestion.rule", ["text": .text(text)]]
        case .payee(let name): words["server.suggestion.payee", ["text": .text(name)]]
        case .word(let word): words["server.suggestion.word", ["text": .text(word)]]
        case .lines: words["server.suggestion.lines"]
        }
    }
}
