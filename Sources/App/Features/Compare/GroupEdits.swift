import Domain
import HTTP
import Postgres

/// Changes of comparison groups; each is one transaction. Prices are not changed.
struct GroupEdits: Sendable {
    let database: Database

    /// The maximum number of products that a person or a client can choose for one group.
    static let maximumProducts = 200

    /// - Throws: `NameTaken`, `Refusal.notFound` when a product does not exist.
    func add(
        name: String, unit: StoredUnit, products: [ProductID], by member: Member
    ) async throws -> ComparisonGroupID {
        try await database.write(member.household, by: member.person) { changes in
            try await Self.add(name: name, unit: unit, products: products, changes)
        }
    }

    private static func add(
        name: String, unit: StoredUnit, products: [ProductID], _ changes: HouseholdTransaction
    ) async throws -> ComparisonGroupID {
        let id = ComparisonGroupID.new()
        _ = try await onConstraint(["comparison_group_household_name_key": NameTaken()]) {
            try await changes.query(
                """
                INSERT INTO comparison_group (household_id, id, name, base_unit)
                VALUES (\(changes.household), \(id), \(name), \(unit))
                """)
        }
        changes.changed(.comparisonGroup, id)
        try await setProducts(products, of: id, changes)
        return id
    }

    /// Saves a form. If the stored revision is newer than the form's, writes name and unit only if the form changed
    /// them, and adds or removes only the products that the form added or removed.
    ///
    /// - Parameter shown: the group's products on the form's page.
    /// - Throws: `NameTaken`, `Conflict`, `AlreadyDeleted`, `Refusal.notFound`.
    func update(
        _ id: ComparisonGroupID, name: String, unit: StoredUnit, products: [ProductID], shown: [ProductID],
        revision: Int64, by member: Member
    ) async throws {
        try await database.write(member.household, by: member.person) { changes in
            let rows = try await changes.query(batch: [
                """
                SELECT name, base_unit FROM comparison_group
                WHERE household_id = \(changes.household) AND id = \(id) FOR UPDATE
                """,
                """
                SELECT body ->> 'name', body ->> 'base_unit' FROM change_log
                WHERE household_id = \(changes.household) AND document_id = \(id)
                    AND document_type = 'comparison_group' AND revision <= \(revision) AND NOT deleted
                ORDER BY revision DESC LIMIT 1
                """,
            ])
            guard let current = try rows[0].first((String, StoredUnit).self) else {
                throw try await changes.errorForMissing(id)
            }
            let base = try rows[1].first((String, StoredUnit).self) ?? current
            let newName = try Conflict.merged(mine: name, theirs: current.0, base: base.0)
            let newUnit = try Conflict.merged(mine: unit, theirs: current.1, base: base.1)
            let storedProducts = try await Self.products(of: id, changes)
            // A product that was ticked before is not added again when another member has removed it since.
            let removed = Set(shown).subtracting(products)
            let added = Set(products).subtracting(shown)
            let newProducts = storedProducts.subtracting(removed).union(added)
            if newName != current.0 || newUnit != current.1 {
                _ = try await onConstraint(["comparison_group_household_name_key": NameTaken()]) {
                    try await changes.query(
                        """
                        UPDATE comparison_group SET name = \(newName), base_unit = \(newUnit), revision = revision + 1
                        WHERE household_id = \(changes.household) AND id = \(id)
                        """)
                }
                changes.changed(.comparisonGroup, id)
            }
            try await Self.setProducts(newProducts.sorted(), of: id, changes)
        }
    }

    /// Redirects the addresses of deleted groups to the list.
    var redirectsForEndedGroups: EndedDocument<IdentifierTag.ComparisonGroup> {
        EndedDocument("group", list: "/compare", Flash("group-gone"), database)
    }

    /// - Parameter shown: the products that the group must have; nil for any products.
    /// - Throws: `Conflict` when the group was changed since `revision`, or has other products; `AlreadyDeleted`;
    ///   `Refusal.notFound`.
    func remove(
        _ id: ComparisonGroupID, shown: [ProductID]? = nil, revision: Int64, by member: Member
    ) async throws {
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            try await changes.requireRevision(
                of: id, "SELECT revision FROM comparison_group WHERE household_id = \(household) AND id = \(id)",
                shown: revision)
            if let shown, try await Self.products(of: id, changes) != Set(shown) { throw Conflict() }
            guard let revision = try await Self.remove(id, changes) else { throw Refusal.notFound }
            changes.deleted(.comparisonGroup, id, lastRevision: revision)
        }
    }

    /// Undoes a deletion: creates a group with the same name and unit, and with those of its products that belong to no
    /// group now.
    ///
    /// - Returns: the new group; nil if the group was not deleted, or if a group has its name.
    /// - Throws: `Refusal.notFound` if the group never existed.
    func restore(_ id: ComparisonGroupID, by member: Member) async throws -> ComparisonGroupID? {
        do {
            return try await database.write(member.household, by: member.person) { changes -> ComparisonGroupID? in
                let household = changes.household
                let rows = try await changes.query(batch: [
                    "SELECT 1 FROM comparison_group WHERE household_id = \(household) AND id = \(id)",
                    """
                    SELECT body ->> 'name', body ->> 'base_unit' FROM change_log
                    WHERE household_id = \(household) AND document_id = \(id) AND document_type = 'comparison_group'
                        AND NOT deleted
                    ORDER BY revision DESC LIMIT 1
                    """,
                    // Selects the products whose previous revision belonged to the group.
                    """
                    SELECT d.id FROM change_log t
                    JOIN change_log m ON \(HouseholdTransaction.isWrittenWithTombstone)
                        AND m.document_type = 'product' AND NOT m.deleted
                    JOIN product d ON d.household_id = m.household_id AND d.id = m.document_id
                        AND d.comparison_group_id IS NULL
                    CROSS JOIN LATERAL (SELECT b.body FROM change_log b WHERE b.household_id = \(household)
                        AND b.document_id = m.document_id AND b.revision < m.revision AND NOT b.deleted
                        ORDER BY b.revision DESC LIMIT 1) before
                    WHERE t.household_id = \(household) AND t.document_id = \(id) AND t.deleted
                        AND before.body ->> 'comparison_group_id' = \(id)::text
                    """,
                ])
                guard rows[0].isEmpty else { return nil }
                guard let (name, unit) = try rows[1].first((String, StoredUnit).self) else { throw Refusal.notFound }
                return try await Self.add(
                    name: name, unit: unit, products: try rows[2].decode(ProductID.self), changes)
            }
        } catch is NameTaken {
            return nil
        }
    }

    /// Deletes a group. The caller logs the tombstone.
    ///
    /// - Returns: the group's last revision; nil if it does not exist.
    static func remove(_ id: ComparisonGroupID, _ changes: HouseholdTransaction) async throws -> Int64? {
        try await setProducts([], of: id, changes)
        return try await changes.query(
            """
            DELETE FROM comparison_group WHERE household_id = \(changes.household) AND id = \(id)
            RETURNING revision
            """
        ).first(Int64.self)
    }

    private static func products(
        of id: ComparisonGroupID, _ changes: HouseholdTransaction
    ) async throws -> Set<ProductID> {
        Set(
            try await changes.query(
                "SELECT id FROM product WHERE household_id = \(changes.household) AND comparison_group_id = \(id)"
            ).decode(ProductID.self))
    }

    /// Makes these products the only ones of the group.
    ///
    /// - Throws: `Refusal.notFound` when a product does not exist.
    private static func setProducts(
        _ products: [ProductID], of id: ComparisonGroupID, _ changes: HouseholdTransaction
    ) async throws {
        let rows = try await changes.query(batch: [
            "SELECT count(*) FROM product WHERE household_id = \(changes.household) AND id = ANY(\(products))",
            """
            UPDATE product SET comparison_group_id = NULL, revision = revision + 1
            WHERE household_id = \(changes.household) AND comparison_group_id = \(id) AND id <> ALL(\(products))
            RETURNING id
            """,
            """
            UPDATE product SET comparison_group_id = \(id), revision = revision + 1
            WHERE household_id = \(changes.household) AND id = ANY(\(products))
                AND comparison_group_id IS DISTINCT FROM \(id)
            RETURNING id
            """,
        ])
        guard try rows[0].first(Int64.self) == Int64(Set(products).count) else { throw Refusal.notFound }
        changes.changed(.product, try rows[1].decode(ProductID.self) + rows[2].decode(ProductID.self))
    }
}
