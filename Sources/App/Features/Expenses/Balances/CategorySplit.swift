import Domain
import Postgres

/// The default split of a category. It is proposed when an expense of the category is split, and changes no stored
/// expense.
struct CategorySplit: Sendable, Equatable {
    let method: SplitMethod
    let weights: [PersonID: Int64]

    /// The methods that depend neither on an amount nor on lines.
    static let methods: [SplitMethod] = [.equal, .shares, .percent]

    /// Returns the default split; nil if the category has none.
    static func find(
        _ category: CategoryID?, _ household: HouseholdID, _ database: Database
    ) async throws -> CategorySplit? {
        guard let category else { return nil }
        return try decode(await database.read(household, query(household, where: "c.id = \(category)")))[category]
    }

    /// Selects the shares of default splits.
    ///
    /// - Parameter condition: a condition on the category `c`.
    static func query(_ household: HouseholdID, where condition: SQL = "true") -> SQL {
        """
        SELECT c.id, c.split, s.person_id, s.weight FROM category c
        JOIN category_share s ON s.household_id = \(household) AND s.category_id = c.id
        WHERE c.household_id = \(household) AND \(condition)
        """
    }

    static func decode(_ rows: Rows) throws -> [CategoryID: CategorySplit] {
        let shares = Dictionary(grouping: try rows.decode((CategoryID, String, PersonID, Int64).self)) { $0.0 }
        return shares.compactMapValues { shares in
            guard let (_, name, _, _) = shares.first, let method = SplitMethod(rawValue: name) else { return nil }
            let weights = shares.map { _, _, person, weight in (person, weight) }
            return CategorySplit(method: method, weights: Dictionary(weights) { first, _ in first })
        }
    }

    /// Replaces the default split of a category. Does nothing if the category does not exist.
    ///
    /// - Parameter split: nil to remove the default split.
    /// - Returns: whether the category exists.
    @discardableResult
    static func store(
        _ split: CategorySplit?, for category: CategoryID, _ changes: HouseholdTransaction
    ) async throws -> Bool {
        let household = changes.household
        let shares = (split?.weights ?? [:]).sorted { $0.key < $1.key }
        let rows = try await changes.query(batch: [
            """
            UPDATE category SET split = \(split?.method.rawValue ?? ""), revision = revision + 1
            WHERE household_id = \(household) AND id = \(category) RETURNING id
            """,
            "DELETE FROM category_share WHERE household_id = \(household) AND category_id = \(category)",
            """
            INSERT INTO category_share (household_id, category_id, person_id, weight)
            SELECT \(household), c.id, t.person_id, t.weight
            FROM unnest(\(shares.map(\.key))::uuid[], \(shares.map(\.value))::bigint[]) AS t (person_id, weight)
            JOIN category c ON c.household_id = \(household) AND c.id = \(category)
            """,
        ])
        changes.changed(.category, try rows[0].decode(CategoryID.self))
        return !rows[0].isEmpty
    }

    /// Removes the default splits that name `person`, because the remaining shares do not add up to the whole.
    static func removeAll(with person: PersonID, _ changes: HouseholdTransaction) async throws {
        let household = changes.household
        let categories = try await changes.query(
            """
            UPDATE category c SET split = '', revision = c.revision + 1
            FROM category_share s
            WHERE c.household_id = \(household) AND s.household_id = \(household) AND s.category_id = c.id
                AND s.person_id = \(person)
            RETURNING c.id
            """
        ).decode(CategoryID.self)
        try await changes.query(
            "DELETE FROM category_share WHERE household_id = \(household) AND category_id = ANY(\(categories))")
        changes.changed(.category, categories)
    }
}
