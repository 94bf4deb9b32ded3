import Domain
import Postgres

/// Adds and renames categories.
struct CategoryEdits: Sendable {
    let database: Database

    /// Adds a category after all others, with the colour and icon of its parent.
    ///
    /// - Throws: `NameTaken`, `RepeatedForm`; `Refusal.notFound` for an unknown parent.
    @discardableResult
    func add(
        _ name: String, below parent: CategoryID?, form: OperationID?, by member: Member
    ) async throws -> CategoryID {
        let category = CategoryID.new()
        try await database.write(member.household, by: member.person) { changes in
            try await changes.requireFirst(form)
            let household = changes.household
            let added = try await Self.requiringFreeName {
                try await changes.query(
                    """
                    INSERT INTO category (household_id, id, parent_id, name, colour, icon, position)
                    SELECT \(household), \(category), p.id, \(name), coalesce(p.colour, \(CategoryColour.slate.rawValue)),
                        coalesce(p.icon, 'tag'),
                        -- A sync client may have stored the largest integer, to which 1 cannot be added.
                        (SELECT least(coalesce(max(c.position), 0), 2147483646) + 1 FROM category c
                            WHERE c.household_id = \(household))
                    FROM (SELECT \(parent)::uuid AS id) n
                    LEFT JOIN category p ON p.household_id = \(household) AND p.id = n.id
                    WHERE n.id IS NULL OR p.id IS NOT NULL
                    RETURNING id
                    """)
            }
            guard !added.isEmpty else { throw Refusal.notFound }
            changes.changed(.category, category)
        }
        return category
    }

    /// Renames a category.
    ///
    /// - Throws: `NameTaken`, `Conflict`, `AlreadyDeleted`, `Refusal.notFound`.
    func rename(_ id: CategoryID, to name: String, revision: Int64, by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            let rows = try await changes.query(
                "SELECT revision, name FROM category WHERE household_id = \(household) AND id = \(id)")
            guard let (stored, current) = try rows.first((Int64, String).self) else {
                throw try await changes.errorForMissing(id)
            }
            // The name is already stored if the same form was sent before.
            guard name != current else { return }
            try Conflict.requireRevision(stored, shown: revision)
            _ = try await Self.requiringFreeName {
                try await changes.query(
                    """
                    UPDATE category SET name = \(name), revision = revision + 1
                    WHERE household_id = \(household) AND id = \(id)
                    """)
            }
            changes.changed(.category, id)
        }
    }

    /// Runs a statement, and turns a violation of the unique names into `NameTaken`.
    private static func requiringFreeName(_ body: () async throws -> Rows) async throws -> Rows {
        try await onConstraint(["category_household_name_key": NameTaken()], body)
    }
}
