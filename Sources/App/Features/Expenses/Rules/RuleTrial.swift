import Domain
import Postgres

/// The changes that a rule would make to existing expenses and confirmed receipts. A rule does not change a category
/// that a person chose for the expense, or earlier for another expense with the same text. Expenses that match an
/// earlier rule are left out.
struct RuleTrial: Sendable {
    let database: Database
    let slowWork: SlowWork

    struct Change: Sendable {
        /// The identifier of the receipt when `isReceipt` is set.
        let id: ExpenseID
        let isReceipt: Bool
        let what: String
        let payee: String
        let day: LocalDate
        /// 0 for a receipt without a row in `expense`.
        let revision: Int64
        /// The category before the change. For a receipt without its own category, the category whose items have the
        /// largest total; nil after the first `maximumShown` changes.
        let before: CategoryID?
        let setsCategory: Bool
        let newLabels: [String]
        /// Whether the expense would be split between the people of the rule.
        let splits: Bool

        var href: String { isReceipt ? "/receipts/\(id)" : "/expenses/\(id)" }
    }

    /// The maximum number of expenses that one run changes.
    static let maximumChanges = 50_000
    /// The maximum number of changes that the page shows.
    static let maximumShown = 20

    /// - Parameters:
    ///   - earlier: the rules that precede this rule.
    ///   - values: the rule, stored or typed.
    func run(_ values: StoredRule.Values, after earlier: [StoredRule], _ member: Member) async throws -> [Change] {
        let household = member.household
        let rows = try await database.read(
            household, batch: [RuleTrialQueries.texts(values, member), ExpenseSuggestions.choicesQuery(member)])
        let rules = OwnRules(earlier.map(\.values.entry))
        let hasAmounts = earlier.contains { $0.values.minimumAmount != nil || $0.values.maximumAmount != nil }
        let texts: [RuleTrialQueries.Text] = try await slowWork.run {
            let learned = ChosenBefore(try ExpenseSuggestions.choices(rows[1]))
            // The query has already compared the amounts, so the limits are replaced by one that every amount
            // satisfies. A rule with neither a text nor a limit would match nothing.
            let textRule = ExpenseRule(
                contains: values.contains,
                minimumAmount: values.minimumAmount == nil && values.maximumAmount == nil ? nil : 0)
            return try rows[0].decode((String, String).self).compactMap { what, payee in
                guard textRule.matches(what: what, payee: payee, amount: 0),
                    hasAmounts || rules.index(what: what, payee: payee, amount: nil) == nil
                else { return nil }
                let isLearned = learned.suggestion(for: ExpenseText(what: what, payee: payee)) != nil
                return RuleTrialQueries.Text(what: what, payee: payee, isLearned: isLearned)
            }
        }
        guard !texts.isEmpty else { return [] }
        let found = try await database.read(household, RuleTrialQueries.changes(texts, values, member)).decode(
            MatchingExpense.self)
        return found.filter { found in
            !hasAmounts
                || rules.index(what: found.change.what, payee: found.change.payee, amount: found.amount) == nil
        }.map(\.change)
    }

    private struct MatchingExpense: RowDecodable {
        let change: Change
        let amount: Int64?

        init(from row: inout RowReader) throws(PostgresError) {
            change = Change(
                id: try row.next(), isReceipt: try row.next(), what: try row.next(), payee: try row.next(),
                day: try row.next(), revision: try row.next(), before: try row.next(), setsCategory: try row.next(),
                newLabels: try row.next(), splits: try row.next())
            amount = try row.next()
        }
    }
}
