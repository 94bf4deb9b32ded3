import Domain
import Postgres
import Templates

/// A category of the spending, counted as on the overview (`RollUps.amounts`): the items of the category with their
/// discounts and, if `excludesSubcategories` is false, the subcategories. `id` is nil for the spending without a
/// category.
struct SpentCategory: Sendable {
    let id: CategoryID?
    /// Whether subcategories are left out. The overview uses this for groceries, whose main subcategories it shows
    /// separately.
    var excludesSubcategories = false

    private static let none = "none"

    init(_ id: CategoryID?, excludesSubcategories: Bool = false) {
        self.id = id
        self.excludesSubcategories = excludesSubcategories
    }

    /// - Parameter value: the query value of the address. The initializer returns nil when it is not a category.
    init?(value: String) {
        if value == Self.none {
            id = nil
        } else if let id = CategoryID(value) {
            self.id = id
        } else {
            return nil
        }
    }

    var value: String { id?.description ?? Self.none }

    func name(_ categories: Categories, _ language: Language, _ words: LanguageTexts) -> String {
        let name = categories.name(id, language, words)
        return excludesSubcategories ? words["server.category.alone", ["name": .text(name)]] : name
    }

    /// A condition on the receipt `r`: it has a part in the category.
    func condition(_ household: HouseholdID) -> SQL { "EXISTS (SELECT 1 FROM \(parts(household)) part)" }

    /// The parts of receipt `r` in the category: `name`, `position`, `amount`. The name is NULL for the difference
    /// between the lines and the total.
    func parts(_ household: HouseholdID) -> SQL {
        let difference: SQL = """
            r.total_minor - coalesce((SELECT sum(a.total_minor) FROM receipt_line a
                WHERE a.household_id = r.household_id AND a.receipt_id = r.id), 0)::bigint
            """
        return """
            (SELECT coalesce(d.name, l.printed_name) AS name, l.position, l.total_minor AS amount
                FROM receipt_line l \(RollUps.categorySource(household)) \(RollUps.receiptExpense(household))
                WHERE l.household_id = r.household_id AND l.receipt_id = r.id AND \(StoredReading.isRead)
                    AND \(contains(RollUps.spentCategory(household), household))
            UNION ALL
            SELECT NULL, 2147483647, \(difference)
                FROM (VALUES (true)) one \(RollUps.receiptExpense(household))
                WHERE \(contains(RollUps.receiptCategory, household)) AND \(difference) <> 0)
            """
    }

    /// A condition on `category`, an SQL expression for the identifier of a category: it is this category, or one of
    /// the subcategories that are not left out.
    private func contains(_ category: SQL, _ household: HouseholdID) -> SQL {
        guard let id else { return "\(category) = \(ExpenseSums.none)" }
        guard !excludesSubcategories else { return "\(category) = \(id)" }
        return """
            \(category) IN (WITH RECURSIVE below AS (
                SELECT c.id FROM category c WHERE c.household_id = \(household) AND c.id = \(id)
                UNION SELECT c.id FROM category c JOIN below b ON c.parent_id = b.id
                WHERE c.household_id = \(household)) SELECT id FROM below)
            """
    }
}
