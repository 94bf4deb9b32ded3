import Domain
import Postgres

/// Merges two products, and detaches names of a product.
extension ProductEdits {
    /// Products of different chains cannot be merged. People compare them in a comparison group.
    struct OtherChain: Error {}

    /// Moves a printed name to a separate product, with its lines and prices.
    ///
    /// If the name had its own product before a merge, that product's name, category, comparison and package sizes are
    /// restored. If a second name of that product is detached, it moves to the restored product.
    ///
    /// - Throws: `Conflict` when the name belongs to another product now; `Refusal.notFound`.
    func detach(_ alias: AliasID, from id: ProductID, by member: Member) async throws -> ProductID {
        let household = member.household
        return try await database.write(household, by: member.person) { changes in
            let rows = try await changes.query(
                """
                SELECT a.chain, a.alias_key, a.printed_name, d.category_id
                FROM product_alias a JOIN product d ON d.household_id = a.household_id AND d.id = a.product_id
                WHERE a.household_id = \(household) AND a.id = \(alias) AND a.product_id = \(id)
                """)
            guard let (chain, key, printed, category) = try rows.first((String, String, String, CategoryID?).self)
            else { throw try await Self.errorForMissingAlias(alias, of: id, changes) }
            let restored = try await Self.restoredProduct(alias, from: id, changes)
            let product = restored ?? ProductID.new()
            if restored != nil {
                try await Self.raiseRevision(product, changes)
            } else if let before = try await Self.earlierProduct(of: alias, before: id, changes) {
                try await NewProducts.add(
                    [
                        NewProduct(
                            id: product, chain: chain, name: before.name, category: before.category, group: before.group
                        )
                    ], changes)
                try await ProductPackages.record(
                    before.packages, byHand: before.byHand, of: product, changes)
            } else {
                try await NewProducts.add(
                    [
                        NewProduct(
                            id: product, chain: chain, name: Vocabulary.german.readableName(printed),
                            category: category, package: PackageSize(inName: printed)?.total)
                    ], changes)
            }
            try await Self.endPackages(of: id, leaving: key, chain: chain, changes)
            let results = try await changes.query(batch: [
                """
                UPDATE product_alias SET product_id = \(product), batch_id = NULL, revision = revision + 1
                WHERE household_id = \(household) AND id = \(alias)
                """,
                Self.movedLines(named: key, of: chain, from: id, to: product, household),
            ])
            try await Self.raiseRevision(id, changes)
            changes.changed(.alias, alias)
            try await Self.updatePricesOfMovedLines(Set(try results[1].decode(ReceiptID.self)).sorted(), changes)
            return product
        }
    }

    /// Merges `id` into `other`, a product of the same chain. Moves the printed names, lines and prices, and deletes
    /// `id`. The moved prices keep their package sizes.
    ///
    /// - Throws: `OtherChain`; `Conflict` when another request has changed `id` since `revision` or
    ///   merged `other` into a third product; `AlreadyDeleted`; `Refusal.notFound`.
    func merge(_ id: ProductID, into other: ProductID, revision: Int64, by member: Member) async throws {
        let household = member.household
        try await database.write(household, by: member.person) { changes in
            let products = try await changes.query(
                """
                SELECT id, chain, revision, category_id FROM product
                WHERE household_id = \(household) AND id = ANY(\([id, other]))
                """
            ).decode((ProductID, String, Int64, CategoryID?).self)
            guard products.count == 2, let leaving = products.first(where: { $0.0 == id }),
                let staying = products.first(where: { $0.0 == other })
            else {
                throw try await Self.missingProduct(id, into: other, existing: Set(products.map(\.0)), changes)
            }
            let (_, chain, storedRevision, category) = leaving
            let (_, otherChain, _, otherCategory) = staying
            guard chain == otherChain else { throw OtherChain() }
            try Conflict.requireRevision(storedRevision, shown: revision)
            let getsSizes = try await Self.addPackages(of: id, to: other, changes)
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
                UPDATE product d SET comparison_group_id = coalesce(d.comparison_group_id, o.comparison_group_id),
                    category_id = coalesce(d.category_id, o.category_id)
                FROM product o
                WHERE d.household_id = \(household) AND d.id = \(other) AND o.household_id = \(household)
                    AND o.id = \(id)
                """,
                // `PriceHistory.update` does not write prices without a receipt.
                """
                UPDATE price SET product_id = \(other)
                WHERE household_id = \(household) AND product_id = \(id) AND receipt_id IS NULL
                """,
            ])
            try await Self.raiseRevision(other, changes)
            changes.changed(.alias, try rows[1].decode(AliasID.self))
            try await Self.updatePricesOfMovedLines(Set(try rows[0].decode(ReceiptID.self)).sorted(), changes)
            // Lines of `other` had no package size or no category until now.
            if getsSizes || otherCategory == nil && category != nil {
                try await PriceHistory.update(linesOf: [other], changes)
            }
            try await changes.query(batch: RollUps.prices(of: [other], household))
            try await changes.query("DELETE FROM product WHERE household_id = \(household) AND id = \(id)")
            changes.deleted(.product, id, lastRevision: storedRevision)
        }
    }

    // MARK: Parts

    /// The error when one of the two products does not exist.
    private static func missingProduct(
        _ id: ProductID, into other: ProductID, existing: Set<ProductID>, _ changes: HouseholdTransaction
    ) async throws -> any Error {
        if existing.contains(other), try await changes.wasDeleted(id) { return AlreadyDeleted() }
        if existing.contains(id), try await changes.wasDeleted(other) { return Conflict() }
        return Refusal.notFound
    }

    /// A product in its state before it was merged into another product.
    private struct EarlierProduct {
        let name: String
        let category: CategoryID?
        let group: ComparisonGroupID?
        let packages: [PackageSizePeriod]
        /// The first days of the package sizes that a person entered.
        let byHand: Set<LocalDate>
    }

    /// Searches for the restored product to which `alias` moves when it is detached. Such a product exists if `alias`
    /// and another printed name belonged to one product before the merge, and the other name has already been detached
    /// from `product`. Nil if there is no such product.
    private static func restoredProduct(
        _ alias: AliasID, from product: ProductID, _ changes: HouseholdTransaction
    ) async throws -> ProductID? {
        let household = changes.household
        // `before` is the product to which `alias` belonged before the merge. `had`, `came` and `gone` are log entries
        // of another printed name: it belonged to `before`, it moved to `product`, and it was detached. `b` is the
        // current row of that name.
        return try await changes.query(
            """
            SELECT b.product_id
            FROM (SELECT body ->> 'product_id' AS id FROM change_log
                WHERE household_id = \(household) AND document_id = \(alias) AND NOT deleted
                    AND body ->> 'product_id' <> \(product)::text
                ORDER BY seq DESC LIMIT 1) before
            JOIN change_log had ON had.household_id = \(household) AND had.document_type = 'alias'
                AND had.document_id <> \(alias) AND NOT had.deleted AND had.body ->> 'product_id' = before.id
            JOIN change_log came ON came.household_id = \(household) AND came.document_id = had.document_id
                AND NOT came.deleted AND came.seq > had.seq AND came.body ->> 'product_id' = \(product)::text
            JOIN change_log gone ON gone.household_id = \(household) AND gone.document_id = had.document_id
                AND NOT gone.deleted AND gone.seq > came.seq AND gone.body ->> 'product_id' <> \(product)::text
            JOIN product_alias b ON b.household_id = \(household) AND b.id = had.document_id
                AND b.product_id::text = gone.body ->> 'product_id'
            JOIN product_alias a ON a.household_id = \(household) AND a.id = \(alias) AND a.chain = b.chain
            WHERE NOT EXISTS (SELECT 1 FROM product d WHERE d.household_id = \(household) AND d.id::text = before.id)
            ORDER BY gone.seq DESC LIMIT 1
            """
        ).first(ProductID.self)
    }

    /// Reads from the change log the product to which a printed name belonged before `product`. Nil if there was no
    /// such product, or if that product still exists.
    private static func earlierProduct(
        of alias: AliasID, before product: ProductID, _ changes: HouseholdTransaction
    ) async throws -> EarlierProduct? {
        let household = changes.household
        let found = try await changes.query(
            """
            SELECT c.document_id, c.revision, c.body ->> 'name',
                (SELECT k.id FROM category k WHERE k.household_id = \(household)
                    AND k.id = (c.body ->> 'category_id')::uuid),
                (SELECT g.id FROM comparison_group g WHERE g.household_id = \(household)
                    AND g.id = (c.body ->> 'comparison_group_id')::uuid)
            FROM (SELECT (body ->> 'product_id')::uuid AS id FROM change_log
                WHERE household_id = \(household) AND document_id = \(alias) AND NOT deleted
                    AND body ->> 'product_id' <> \(product)::text
                ORDER BY seq DESC LIMIT 1) before
            JOIN change_log c ON c.household_id = \(household) AND c.document_id = before.id AND NOT c.deleted
            WHERE NOT EXISTS (SELECT 1 FROM product d WHERE d.household_id = \(household) AND d.id = before.id)
            ORDER BY c.revision DESC LIMIT 1
            """
        ).first((ProductID, Int64, String, CategoryID?, ComparisonGroupID?).self)
        guard let (id, revision, name, category, group) = found else { return nil }
        let packages = try await changes.query(
            """
            SELECT (k ->> 'valid_from')::date, (k ->> 'amount_thousandths')::bigint, k ->> 'unit',
                coalesce((k ->> 'by_hand')::boolean, false)
            FROM change_log c, jsonb_array_elements(c.body -> 'packages') k
            WHERE c.household_id = \(household) AND c.document_id = \(id) AND c.revision = \(revision) AND NOT c.deleted
            """
        ).decode((LocalDate, Int64, StoredUnit, Bool).self)
        return EarlierProduct(
            name: name, category: category, group: group,
            packages: packages.map { from, thousandths, unit, _ in
                PackageSizePeriod(from: from, size: Quantity(thousandths: thousandths, unit: unit.unit))
            }, byHand: Set(packages.filter(\.3).map(\.0)))
    }

    /// A statement that moves the lines of one printed name to another product, or to none, and returns their receipts.
    static func movedLines(
        named key: String, of chain: String, from product: ProductID, to other: ProductID?, _ household: HouseholdID
    ) -> SQL {
        """
        UPDATE receipt_line l SET product_id = \(other)
        FROM receipt r JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
        WHERE l.household_id = \(household) AND l.product_id = \(product) AND l.alias_key = \(key)
            AND r.household_id = l.household_id AND r.id = l.receipt_id AND s.chain = \(chain)
        RETURNING l.receipt_id
        """
    }

    /// Deletes the package sizes of `product` in which only lines with the printed name `key` were bought. Called
    /// before that name leaves the product. Keeps sizes that a person entered.
    static func endPackages(
        of product: ProductID, leaving key: String, chain: String, _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        let bought = try await changes.query(
            """
            SELECT DISTINCT r.purchase_day, l.alias_key = \(key) AND s.chain = \(chain) FROM receipt_line l
            JOIN receipt r ON r.household_id = l.household_id AND r.id = l.receipt_id
            JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
            WHERE l.household_id = \(household) AND l.product_id = \(product) AND l.kind = 'item' AND l.unit = 'piece'
                AND r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL AND r.purchase_day IS NOT NULL
            """
        ).decode((LocalDate, Bool).self)
        let ending = try await ProductPackages.periods(of: product, changes).periodsToRemove(
            leaving: bought.filter(\.1).map(\.0), keeping: bought.filter { !$0.1 }.map(\.0),
            staying: try await ProductPackages.daysByHand(of: product, changes))
        guard !ending.isEmpty else { return }
        try await changes.query(
            """
            DELETE FROM product_package
            WHERE household_id = \(household) AND product_id = \(product) AND valid_from = ANY(\(ending))
            """)
    }

    /// Adds to `other` the package sizes in which `id` was bought.
    ///
    /// - Returns: true when `other` had no package size before and has one now.
    private static func addPackages(
        of id: ProductID, to other: ProductID, _ changes: HouseholdTransaction
    ) async throws -> Bool {
        let joining = try await ProductPackages.periods(of: id, changes)
        let own = try await ProductPackages.periods(of: other, changes)
        guard !own.isEmpty else {
            try await ProductPackages.record(
                joining, byHand: try await ProductPackages.daysByHand(of: id, changes), of: other, changes)
            return !joining.isEmpty
        }
        let bought = try await ProductPackages.days(of: id, changes).compactMap { day in
            joining.size(on: day).map { PackageSizePeriod(from: day, size: $0) }
        }
        let added = own.periods(joining: bought, keeping: try await ProductPackages.days(of: other, changes))
        try await ProductPackages.record(added, of: other, changes)
        return false
    }

    /// The error when a printed name does not belong to a product.
    private static func errorForMissingAlias(
        _ alias: AliasID, of id: ProductID, _ changes: HouseholdTransaction
    ) async throws -> any Error {
        let rows = try await changes.query(batch: [
            "SELECT 1 FROM product_alias WHERE household_id = \(changes.household) AND id = \(alias)",
            "SELECT 1 FROM product WHERE household_id = \(changes.household) AND id = \(id)",
        ])
        return rows.contains(where: \.isEmpty) ? Refusal.notFound : Conflict()
    }

    /// Updates the prices of receipts whose lines moved to another product. Increments the revisions of the receipts,
    /// because the document of a receipt contains its lines.
    static func updatePricesOfMovedLines(_ receipts: [ReceiptID], _ changes: HouseholdTransaction) async throws {
        guard !receipts.isEmpty else { return }
        try await changes.query(
            """
            UPDATE receipt SET revision = revision + 1
            WHERE household_id = \(changes.household) AND id = ANY(\(receipts))
            """)
        changes.changed(.receipt, receipts)
        try await PriceHistory.update(receipts, changes)
    }
}
