import Domain
import Postgres

/// A category as the overview counts it: with its subcategories, discounts with their item, deposits with theirs; or all lines
/// without a category.
struct SpentCategory: Sendable {
    /// Nil for lines without a category.
    let id: CategoryID?

    private static let none = "none"

    init(_ id: CategoryID?) { self.id = id }

    /// - Parameter value: from the address; the result is nil when it names no category.
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

    /// Whether receipt `r` has something of it.
    func condition(_ household: HouseholdID) -> SQL { "EXISTS (SELECT 1 FROM \(parts(household)) part)" }

    /// The parts of receipt `r` in it: `name` (NULL for the rest of the total), `position`, `amount`.
    func parts(_ household: HouseholdID) -> SQL {
        """
        (SELECT coalesce(d.name, l.printed_name) AS name, l.position, l.total_minor AS amount
            FROM receipt_line l \(RollUps.categorySource)
            WHERE l.household_id = r.household_id AND l.receipt_id = r.id AND \(StoredReading.isRead)
                AND \(isMeant(household))
        \(rest))
        """
    }

    /// Joins a line with the sources of its category.
    private func isMeant(_ household: HouseholdID) -> SQL {
        guard let id else {
            return "\(RollUps.category(household)) = '00000000-0000-0000-0000-000000000000'::uuid"
        }
        return """
            \(RollUps.category(household)) IN (WITH RECURSIVE below AS (
                SELECT c.id FROM category c WHERE c.household_id = \(household) AND c.id = \(id)
                UNION SELECT c.id FROM category c JOIN below b ON c.parent_id = b.id
                WHERE c.household_id = \(household)) SELECT id FROM below)
            """
    }

    /// The difference between lines and total has no category.
    private var rest: SQL {
        guard id == nil else { return "" }
        let left: SQL = """
            r.total_minor - coalesce((SELECT sum(a.total_minor) FROM receipt_line a
                WHERE a.household_id = r.household_id AND a.receipt_id = r.id), 0)::bigint
            """
        return "UNION ALL SELECT NULL, 2147483647, \(left) WHERE \(left) <> 0"
    }
}
