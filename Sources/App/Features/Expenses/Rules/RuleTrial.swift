import Domain
import Postgres

/// The changes that a rule would make to existing expenses without a receipt. A rule does not change a category that a
/// person chose for the expense itself or for an earlier expense with the same text. Expenses that match an earlier
/// rule are not changed.
struct RuleTrial: Sendable {
    let database: Database
    let slowWork: SlowWork

    struct Change: Sendable {
        let id: ExpenseID
        let what: String
        let payee: String
        let day: LocalDate
        let revision: Int64
        let before: CategoryID?
        let setsCategory: Bool
        let newLabels: [String]
        let splits: Bool
    }

    /// The largest number of expenses that one run changes.
    static let mostChanges = 50_000

    /// - Parameters:
    ///   - earlier: the rules that precede this rule.
    ///   - values: the rule, stored or typed.
    func run(_ values: StoredRule.Values, after earlier: [StoredRule], _ member: Member) async throws -> [Change] {
        let household = member.household
        let rows = try await database.read(
            household, batch: [Self.texts(values, member), ExpenseSuggestions.choices(member)])
        let rules = OwnRules(earlier.map(\.values.entry))
        let hasAmounts = earlier.contains { $0.values.least != nil || $0.values.most != nil }
        let texts: [(what: String, payee: String, isLearned: Bool)] = try await slowWork.run {
            let learned = ChosenBefore(try ExpenseSuggestions.choices(rows[1]))
            // The query has already compared the amounts.
            let words = ExpenseRule(
                contains: values.contains, least: values.least == nil && values.most == nil ? nil : 0)
            return try rows[0].decode((String, String).self).compactMap { what, payee in
                guard words.matches(what: what, payee: payee, amount: 0),
                    hasAmounts || rules.index(what: what, payee: payee, amount: nil) == nil
                else { return nil }
                let isLearned = learned.suggestion(for: ExpenseText(what: what, payee: payee)) != nil
                return (what, payee, isLearned)
            }
        }
        guard !texts.isEmpty else { return [] }
        let found = try await database.read(household, Self.expenses(texts, values, member)).decode(Found.self)
        return found.filter { found in
            !hasAmounts
                || rules.index(what: found.change.what, payee: found.change.payee, amount: found.amount) == nil
        }.map(\.change)
    }

    /// A condition on `e`: whether the amount is within the rule's limits.
    private static func isWithin(_ values: StoredRule.Values) -> SQL {
        let amount = HomeAmount.of("e")
        let least: SQL = values.least.map { "\(amount) >= \($0)" } ?? "true"
        let most: SQL = values.most.map { "\(amount) <= \($0)" } ?? "true"
        return "(\(least) AND \(most))"
    }

    /// Selects each text once, because there are far fewer texts than expenses.
    static func texts(_ values: StoredRule.Values, _ member: Member) -> SQL {
        """
        SELECT DISTINCT e.what COLLATE "C", e.payee FROM expense e JOIN household h ON h.id = \(member.household)
        WHERE e.household_id = \(member.household) AND e.day IS NOT NULL AND e.discarded_at IS NULL
            AND \(ExpenseVisibility.condition(member)) AND \(isWithin(values))
        """
    }

    private static func expenses(
        _ texts: [(what: String, payee: String, isLearned: Bool)], _ values: StoredRule.Values, _ member: Member
    ) -> SQL {
        """
        SELECT x.* FROM (
            SELECT e.id, e.what, e.payee, e.day, e.revision, e.category_id,
                \(values.category)::uuid IS NOT NULL AND NOT t.is_learned AND e.category_source <> 'person'
                    AND e.category_id IS DISTINCT FROM \(values.category) AS sets_category,
                ARRAY(SELECT k FROM unnest(\(values.labels)::text[]) AS k WHERE NOT k = ANY(e.labels)) AS new_labels,
                cardinality(\(values.people)::uuid[]) > 0 AND e.split = '' AND NOT e.is_personal
                    AND e.kind <> 'withdrawal' AS splits, \(HomeAmount.of("e")) AS home_minor
            FROM expense e JOIN household h ON h.id = \(member.household)
            JOIN unnest(\(texts.map(\.what))::text[], \(texts.map(\.payee))::text[], \(texts.map(\.isLearned))::boolean[])
                AS t (what, payee, is_learned) ON t.what = e.what COLLATE "C" AND t.payee = e.payee
            WHERE e.household_id = \(member.household) AND e.day IS NOT NULL AND e.discarded_at IS NULL
                AND \(ExpenseVisibility.condition(member)) AND \(isWithin(values))) x
        WHERE x.sets_category OR cardinality(x.new_labels) > 0 OR x.splits
        ORDER BY x.day DESC, x.id DESC LIMIT \(Int32(mostChanges))
        """
    }

    private struct Found: RowDecodable {
        let change: Change
        let amount: Int64?

        init(from row: inout RowReader) throws(PostgresError) {
            change = Change(
                id: try row.next(), what: try row.next(), payee: try row.next(), day: try row.next(),
                revision: try row.next(), before: try row.next(), setsCategory: try row.next(),
                newLabels: try row.next(), splits: try row.next())
            amount = try row.next()
        }
    }
}
