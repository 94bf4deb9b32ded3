import Domain
import Postgres

/// Changes of products; each is one transaction.
struct ProductEdits: Sendable {
    let database: Database

    /// Changes the name and category of a product. If the stored revision is newer than the form's, writes only the
    /// fields that the form changed.
    ///
    /// - Throws: `NameTaken`, `Conflict`, `Refusal.notFound`, `Refusal.badRequest` for an unknown category.
    func update(
        _ id: ProductID, name: String, category: CategoryID?, revision: Int64, by member: Member
    ) async throws {
        let household = member.household
        try await database.write(household, by: member.person) { changes in
            let rows = try await changes.query(batch: [
                "SELECT name, category_id FROM product WHERE household_id = \(household) AND id = \(id) FOR UPDATE",
                """
                SELECT body ->> 'name', (body ->> 'category_id')::uuid FROM change_log
                WHERE household_id = \(household) AND document_id = \(id) AND revision <= \(revision) AND NOT deleted
                ORDER BY revision DESC LIMIT 1
                """,
                """
                SELECT 1 FROM category WHERE household_id = \(household) AND id = \(category)
                """,
            ])
            guard let current = try rows[0].first((String, CategoryID?).self) else { throw Refusal.notFound }
            guard category == nil || !rows[2].isEmpty else { throw Refusal.badRequest }
            let base = try rows[1].first((String, CategoryID?).self) ?? current
            let newName = try Conflict.merged(mine: name, theirs: current.0, base: base.0)
            let newCategory = try Conflict.merged(mine: category, theirs: current.1, base: base.1)
            guard newName != current.0 || newCategory != current.1 else { return }
            _ = try await onConstraint(["product_household_name_key": NameTaken()]) {
                try await changes.query(
                    """
                    UPDATE product SET name = \(newName), category_id = \(newCategory), revision = revision + 1
                    WHERE household_id = \(household) AND id = \(id)
                    """)
            }
            changes.changed(.product, id)
            // A new category changes the spending of every receipt with this product.
            if newCategory != current.1 { try await PriceHistory.update(linesOf: [id], changes) }
        }
    }

    /// Records the package size that is valid from `day` on.
    ///
    /// - Throws: `Conflict` if another request has changed the size valid from `day` after `revision`;
    ///   `Refusal.notFound`.
    func addPackage(
        _ size: Quantity, from day: LocalDate, to id: ProductID, revision: Int64, by member: Member
    ) async throws {
        let stored = size.stored
        try await database.write(member.household, by: member.person) { changes in
            let package = try await package(from: day, of: id, since: revision, changes)
            let mine = Package(thousandths: stored.thousandths, unit: stored.unit)
            _ = try Conflict.merged(mine: mine, theirs: package.now, base: package.before)
            try await Self.raiseRevision(id, changes)
            try await changes.query(
                """
                INSERT INTO product_package (household_id, product_id, valid_from, amount_thousandths, unit, by_hand)
                VALUES (\(changes.household), \(id), \(day), \(stored.thousandths), \(stored.unit), true)
                ON CONFLICT (household_id, product_id, valid_from)
                DO UPDATE SET amount_thousandths = excluded.amount_thousandths, unit = excluded.unit, by_hand = true
                """)
            try await PriceHistory.update(linesOf: [id], changes)
        }
    }

    /// Removes the package size that is valid from `day` on.
    ///
    /// - Throws: `Conflict` if another request has changed the size valid from `day` after `revision`;
    ///   `Refusal.notFound`.
    func removePackage(
        from day: LocalDate, of id: ProductID, revision: Int64, by member: Member
    ) async throws {
        try await database.write(member.household, by: member.person) { changes in
            let package = try await package(from: day, of: id, since: revision, changes)
            guard package.now == nil || package.now == package.before else { throw Conflict() }
            try await Self.raiseRevision(id, changes)
            try await changes.query(
                """
                DELETE FROM product_package
                WHERE household_id = \(changes.household) AND product_id = \(id) AND valid_from = \(day)
                """)
            try await PriceHistory.update(linesOf: [id], changes)
        }
    }

    // MARK: Parts

    /// The content of one piece.
    private struct Package: Equatable {
        let thousandths: Int64
        let unit: StoredUnit
    }

    /// Returns the package size valid from `day` on: the stored size (`now`), and the size in `revision` of the product
    /// (`before`).
    private func package(
        from day: LocalDate, of id: ProductID, since revision: Int64, _ changes: HouseholdTransaction
    ) async throws -> (now: Package?, before: Package?) {
        let household = changes.household
        let rows = try await changes.query(batch: [
            """
            SELECT amount_thousandths, unit FROM product_package
            WHERE household_id = \(household) AND product_id = \(id) AND valid_from = \(day)
            """,
            """
            SELECT (k ->> 'amount_thousandths')::bigint, k ->> 'unit'
            FROM (SELECT body FROM change_log WHERE household_id = \(household) AND document_id = \(id)
                    AND revision <= \(revision) AND NOT deleted ORDER BY revision DESC LIMIT 1) c
            LEFT JOIN LATERAL jsonb_array_elements(c.body -> 'packages') k ON (k ->> 'valid_from')::date = \(day)
            """,
        ])
        func package(_ rows: Rows) throws -> Package? {
            guard let (amount, unit) = try rows.first((Int64?, StoredUnit?).self), let amount, let unit else {
                return nil
            }
            return Package(thousandths: amount, unit: unit)
        }
        let now = try package(rows[0])
        // A product without entries in the change log has not changed.
        return (now, rows[1].isEmpty ? now : try package(rows[1]))
    }

    /// Increments a product's revision.
    static func raiseRevision(_ id: ProductID, _ changes: HouseholdTransaction) async throws {
        let rows = try await changes.query(
            """
            UPDATE product SET revision = revision + 1 WHERE household_id = \(changes.household) AND id = \(id)
            RETURNING id
            """)
        guard !rows.isEmpty else { throw Refusal.notFound }
        changes.changed(.product, id)
    }
}
