import Domain
import Postgres

/// The undo actions of the matching page.
extension NameMatching {
    /// Removes the mark that a name is not a product. The name then waits to be matched again.
    ///
    /// - Parameter together: whether to also undo the names that were ignored together with this name. They have the
    ///   same creation time, because one transaction stored them.
    /// - Returns: the number of names that wait again; 0 when the name is already waiting.
    /// - Throws: `Refusal.notFound`.
    func undoIgnoring(_ id: IgnoredNameID, together: Bool, by member: Member) async throws -> Int {
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            let others: SQL =
                together
                ? """
                OR i.created_at = (SELECT o.created_at FROM ignored_name o
                    WHERE o.household_id = \(household) AND o.id = \(id))
                """ : ""
            let ended = try await changes.query(
                """
                DELETE FROM ignored_name i WHERE i.household_id = \(household) AND (i.id = \(id) \(others))
                RETURNING i.id, i.revision
                """
            ).decode((IgnoredNameID, Int64).self)
            if ended.isEmpty, try await !changes.wasDeleted(id) { throw Refusal.notFound }
            for (name, revision) in ended { changes.deleted(.ignoredName, name, lastRevision: revision) }
            return ended.count
        }
    }

    /// Undoes the match of the printed name of `line`. The name then waits to be matched again. Deletes the product if
    /// it then has no names, lines or prices.
    ///
    /// - Returns: false when the name is no longer matched to `product`.
    /// - Throws: `Refusal.notFound` for a line that does not exist or is hidden from the member, and for a product that
    ///   never existed.
    func unmatch(_ line: ReceiptLineID, from product: ProductID, by member: Member) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            let rows = try await changes.query(
                """
                SELECT s.chain, l.alias_key, a.id, a.revision, a.product_id
                FROM receipt_line l
                JOIN receipt r ON r.household_id = l.household_id AND r.id = l.receipt_id
                LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
                LEFT JOIN product_alias a ON a.household_id = s.household_id AND a.chain = s.chain
                    AND a.alias_key = l.alias_key
                WHERE l.household_id = \(household) AND l.id = \(line) AND \(Visibility.condition(member))
                """)
            let found = try rows.first((String?, String, AliasID?, Int64?, ProductID?).self)
            guard let (storeChain, key, matchedAlias, aliasRevision, matchedProduct) = found else {
                throw Refusal.notFound
            }
            guard let chain = storeChain, let alias = matchedAlias, let revision = aliasRevision,
                matchedProduct == product
            else {
                let known = try await changes.query(
                    "SELECT 1 FROM product WHERE household_id = \(household) AND id = \(product)")
                if known.isEmpty, try await !changes.wasDeleted(product) { throw Refusal.notFound }
                return false
            }
            try await ProductEdits.endPackages(of: product, leaving: key, chain: chain, changes)
            let results = try await changes.query(batch: [
                "DELETE FROM product_alias WHERE household_id = \(household) AND id = \(alias)",
                ProductEdits.movedLines(named: key, of: chain, from: product, to: nil, household),
            ])
            changes.deleted(.alias, alias, lastRevision: revision)
            try await ProductEdits.updatePricesOfMovedLines(
                Set(try results[1].decode(ReceiptID.self)).sorted(), changes)
            try await Self.deleteUnused([product], changes)
            return true
        }
    }

    /// Deletes those products that have no names, lines or prices any more, and increments the revision of the others.
    static func deleteUnused(_ products: [ProductID], _ changes: HouseholdTransaction) async throws {
        let household = changes.household
        let deleted = try await changes.query(
            """
            DELETE FROM product d WHERE d.household_id = \(household) AND d.id = ANY(\(products))
                AND NOT EXISTS (SELECT 1 FROM product_alias a WHERE a.household_id = \(household) AND a.product_id = d.id)
                AND NOT EXISTS (SELECT 1 FROM receipt_line l WHERE l.household_id = \(household) AND l.product_id = d.id)
                AND NOT EXISTS (SELECT 1 FROM price p WHERE p.household_id = \(household) AND p.product_id = d.id)
            RETURNING d.id, d.revision
            """
        ).decode((ProductID, Int64).self)
        for (product, last) in deleted { changes.deleted(.product, product, lastRevision: last) }
        let deletedProducts = Set(deleted.map(\.0))
        for product in products where !deletedProducts.contains(product) {
            try await ProductEdits.raiseRevision(product, changes)
        }
    }
}
