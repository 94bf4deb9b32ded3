import Domain
import Postgres

/// A stored rule of the household.
struct StoredRule: Sendable {
    let id: ExpenseRuleID
    let values: Values
    let revision: Int64

    struct Values: Equatable, Sendable {
        let contains: String
        /// The lowest and the highest amount that match, in minor units of the household's currency; nil for no limit.
        let minimumAmount: Int64?
        let maximumAmount: Int64?
        let category: CategoryID?
        let labels: [String]
        /// The members between whom matching expenses are split equally; empty for no split.
        let people: [PersonID]

        var rule: ExpenseRule {
            ExpenseRule(contains: contains, minimumAmount: minimumAmount, maximumAmount: maximumAmount)
        }
        var entry: OwnRules.Entry { OwnRules.Entry(rule: rule, category: category, text: contains) }
    }

    /// The maximum number of rules of a household.
    static let maximumRules: Int32 = 200

    /// Selects the rules in the order in which they apply.
    static func query(_ household: HouseholdID) -> SQL {
        """
        SELECT u.id, u.contains, u.least_minor, u.most_minor, u.category_id, u.labels, u.people, u.revision
        FROM expense_rule u WHERE u.household_id = \(household) ORDER BY u.position, u.id LIMIT \(maximumRules)
        """
    }
}

extension StoredRule: RowDecodable {
    init(from row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        values = Values(
            contains: try row.next(), minimumAmount: try row.next(), maximumAmount: try row.next(),
            category: try row.next(),
            labels: try row.next(), people: try row.next())
        revision = try row.next()
    }
}
