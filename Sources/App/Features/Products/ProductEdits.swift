import Domain
import Postgres

/// Why a product could not be changed, for the form that asked.
enum ProductEditError: Error {
    case nameTaken
    /// Somebody else changed the same field since the page was shown.
    case changedMeanwhile
    /// Products of two chains stay two: they meet in a comparison.
    case otherChain
}

/// What people change about products; each is one transaction.
struct ProductEdits: Sendable {
    let database: Database

    /// Renames and files a product. Against a newer revision only fields that the form changed are written.
    ///
    /// - Throws: `ProductEditError`, `Refusal.notFound`.
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
            let newName = try Self.merged(mine: name, theirs: current.0, base: base.0)
            let newCategory = try Self.merged(mine: category, theirs: current.1, base: base.1)
            guard newName != current.0 || newCategory != current.1 else { return }
            _ = try await onConstraint(["product_household_name_key": ProductEditError.nameTaken]) {
                try await changes.query(
                    """
                    UPDATE product SET name = \(newName), category_id = \(newCategory), revision = revision + 1
                    WHERE household_id = \(household) AND id = \(id)
                    """)
            }
            changes.changed(.product, id)
            // A category moves the spending of every receipt that the product is on.
            if newCategory != current.1 { try await Booking.rebook(linesOf: [id], changes) }
        }
    }

    private static func merged<Value: Equatable>(mine: Value, theirs: Value, base: Value) throws -> Value {
        if mine == base || mine == theirs { return theirs }
        guard theirs == base else { throw ProductEditError.changedMeanwhile }
        return mine
    }

    /// - Throws: `ProductEditError.changedMeanwhile` when somebody else recorded another size from that day on since
    ///   `revision`; `Refusal.notFound`.
    func addPackage(
        _ size: Quantity, from day: LocalDate, to id: ProductID, revision: Int64, by member: Member
    ) async throws {
        let stored = size.stored
        try await database.write(member.household, by: member.person) { changes in
            let package = try await package(from: day, of: id, since: revision, changes)
            let mine = Package(thousandths: stored.thousandths, unit: stored.unit)
            _ = try Self.merged(mine: mine, theirs: package.now, base: package.before)
            try await touch(id, changes)
            try await changes.query(
                """
                INSERT INTO product_package (household_id, product_id, valid_from, amount_thousandths, unit)
                VALUES (\(changes.household), \(id), \(day), \(stored.thousandths), \(stored.unit))
                ON CONFLICT (household_id, product_id, valid_from)
                DO UPDATE SET amount_thousandths = excluded.amount_thousandths, unit = excluded.unit
                """)
            try await Booking.rebook(linesOf: [id], changes)
        }
    }

    /// - Throws: `ProductEditError.changedMeanwhile` when somebody else recorded another size from that day on since
    ///   `revision`; `Refusal.notFound`.
    func removePackage(
        from day: LocalDate, of id: ProductID, revision: Int64, by member: Member
    ) async throws {
        try await database.write(member.household, by: member.person) { changes in
            let package = try await package(from: day, of: id, since: revision, changes)
            guard package.now == nil || package.now == package.before else {
                throw ProductEditError.changedMeanwhile
            }
            try await touch(id, changes)
            try await changes.query(
                """
                DELETE FROM product_package
                WHERE household_id = \(changes.household) AND product_id = \(id) AND valid_from = \(day)
                """)
            try await Booking.rebook(linesOf: [id], changes)
        }
    }

    /// Makes a printed name a product of its own: its lines and prices move with it.
    ///
    /// - Throws: `ProductEditError.changedMeanwhile` when the name belongs to another product by now;
    ///   `Refusal.notFound`.
    func split(_ alias: AliasID, from id: ProductID, by member: Member) async throws -> ProductID {
        let household = member.household
        return try await database.write(household, by: member.person) { changes in
            let rows = try await changes.query(
                """
                SELECT a.chain, a.alias_key, a.printed_name, d.category_id
                FROM product_alias a JOIN product d ON d.household_id = a.household_id AND d.id = a.product_id
                WHERE a.household_id = \(household) AND a.id = \(alias) AND a.product_id = \(id)
                """)
            guard let (chain, key, printed, category) = try rows.first((String, String, String, CategoryID?).self)
            else { throw try await Self.missing(alias, of: id, changes) }
            let product = ProductID.new()
            try await NewProducts.add(
                [
                    NewProduct(
                        id: product, chain: chain, name: Vocabulary.german.readableName(printed), category: category,
                        package: PackageSize(inName: printed)?.total)
                ], changes)
            let moved = try await changes.query(batch: [
                """
                UPDATE product_alias SET product_id = \(product), revision = revision + 1
                WHERE household_id = \(household) AND id = \(alias)
                """,
                """
                UPDATE receipt_line l SET product_id = \(product)
                FROM receipt r JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
                WHERE l.household_id = \(household) AND l.product_id = \(id) AND l.alias_key = \(key)
                    AND r.household_id = l.household_id AND r.id = l.receipt_id AND s.chain = \(chain)
                RETURNING l.receipt_id
                """,
            ])
            try await touch(id, changes)
            changes.changed(.alias, alias)
            try await Self.rebookMoved(Set(try moved[1].decode(ReceiptID.self)).sorted(), changes)
            return product
        }
    }

    /// Joins `id` into another product of its chain, which stays: printed names, lines and prices move there.
    ///
    /// - Throws: `ProductEditError.otherChain`, `ProductEditError.changedMeanwhile` when somebody else changed `id` since
    ///   `revision`; `Refusal.notFound`.
    func merge(_ id: ProductID, into other: ProductID, revision: Int64, by member: Member) async throws {
        let household = member.household
        try await database.write(household, by: member.person) { changes in
            let found = try await changes.query(
                """
                SELECT id, chain, revision FROM product WHERE household_id = \(household) AND id = ANY(\([id, other]))
                """
            ).decode((ProductID, String, Int64).self)
            guard found.count == 2, let leaving = found.first(where: { $0.0 == id }) else { throw Refusal.notFound }
            guard found[0].1 == found[1].1 else { throw ProductEditError.otherChain }
            guard leaving.2 == revision else { throw ProductEditError.changedMeanwhile }
            let rows = try await changes.query(batch: [
                """
                UPDATE receipt_line SET product_id = \(other) WHERE household_id = \(household) AND product_id = \(id)
                RETURNING receipt_id
                """,
                """
                UPDATE product_alias SET product_id = \(other), revision = revision + 1
                WHERE household_id = \(household) AND product_id = \(id) RETURNING id
                """,
                """
                UPDATE product_package SET product_id = \(other)
                WHERE household_id = \(household) AND product_id = \(id) AND NOT EXISTS (
                    SELECT 1 FROM product_package k WHERE k.household_id = \(household) AND k.product_id = \(other))
                """,
                """
                UPDATE product d SET comparison_group_id = coalesce(d.comparison_group_id, o.comparison_group_id),
                    category_id = coalesce(d.category_id, o.category_id)
                FROM product o
                WHERE d.household_id = \(household) AND d.id = \(other) AND o.household_id = \(household)
                    AND o.id = \(id)
                """,
                // Prices without a receipt are not booked anew.
                """
                UPDATE price SET product_id = \(other)
                WHERE household_id = \(household) AND product_id = \(id) AND receipt_id IS NULL
                """,
            ])
            try await touch(other, changes)
            changes.changed(.alias, try rows[1].decode(AliasID.self))
            try await Self.rebookMoved(Set(try rows[0].decode(ReceiptID.self)).sorted(), changes)
            try await changes.query("DELETE FROM product WHERE household_id = \(household) AND id = \(id)")
            changes.deleted(.product, id, lastRevision: leaving.2)
        }
    }

    // MARK: Parts

    /// What one piece holds.
    private struct Package: Equatable {
        let thousandths: Int64
        let unit: StoredUnit
    }

    /// The size recorded from a day on: as it is now, and as it was at `revision`.
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
        // What was never logged is as it always was.
        return (now, rows[1].isEmpty ? now : try package(rows[1]))
    }

    /// Why a printed name is not one of a product's.
    private static func missing(
        _ alias: AliasID, of id: ProductID, _ changes: HouseholdTransaction
    ) async throws -> any Error {
        let rows = try await changes.query(batch: [
            "SELECT 1 FROM product_alias WHERE household_id = \(changes.household) AND id = \(alias)",
            "SELECT 1 FROM product WHERE household_id = \(changes.household) AND id = \(id)",
        ])
        return rows.contains(where: \.isEmpty) ? Refusal.notFound : ProductEditError.changedMeanwhile
    }

    /// Raises a product's revision.
    private func touch(_ id: ProductID, _ changes: HouseholdTransaction) async throws {
        let rows = try await changes.query(
            """
            UPDATE product SET revision = revision + 1 WHERE household_id = \(changes.household) AND id = \(id)
            RETURNING id
            """)
        guard !rows.isEmpty else { throw Refusal.notFound }
        changes.changed(.product, id)
    }

    /// Books receipts whose lines changed their product: the lines are part of the receipts' documents.
    static func rebookMoved(_ receipts: [ReceiptID], _ changes: HouseholdTransaction) async throws {
        guard !receipts.isEmpty else { return }
        try await changes.query(
            """
            UPDATE receipt SET revision = revision + 1
            WHERE household_id = \(changes.household) AND id = ANY(\(receipts))
            """)
        changes.changed(.receipt, receipts)
        try await Booking.rebook(receipts, changes)
    }
}
