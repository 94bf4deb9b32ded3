import Domain
import Postgres

/// Deletes expired data and the data of deleted households, publishes receipts that no longer have to be hidden, and
/// updates prices that were stored by earlier rules. Several servers can run it at the same time.
package enum Sweeper {
    /// The maximum number of receipts that one transaction deletes or publishes, and the maximum number of revisions
    /// that it compacts.
    private static let batchSize: Int32 = 200

    /// Sweeps the global tables, then every household, in separate transactions. An error in one household does not
    /// stop the others.
    ///
    /// - Parameter archivesRoot: the folder with the archives of all households; nil for none.
    /// - Throws: the first error, at the end; `CancellationError` at once.
    package static func run(_ database: Database, archivesRoot: String? = nil) async throws {
        try await database.query(batch: [
            """
            DELETE FROM session WHERE expires_at < now() OR seen_at < now() - \(Sessions.idleDays) * interval '1 day'
            """,
            "DELETE FROM invitation WHERE expires_at < now() - interval '30 days'",
            "DELETE FROM password_reset WHERE expires_at < now()",
            "DELETE FROM api_key WHERE expires_at < now() - interval '30 days'",
            "DELETE FROM sign_in_failure WHERE last_at < now() - interval '1 day'",
            "DELETE FROM known_device WHERE used_at < now() - \(KnownDevice.idleDays) * interval '1 day'",
        ])
        // Households are found by memberships, a global table: row-level security hides the rows of `household`.
        let households = try await database.read("SELECT DISTINCT household_id FROM membership")
            .decode(HouseholdID.self)
        let deletion = HouseholdDeletion(database: database, archivesRoot: archivesRoot)
        let deleted = try await HouseholdDeletion.unfinishedDeletions(database)
        let failures = [
            try await firstError(deleted) { try await deletion.finish($0) },
            try await firstError(households) { try await sweep($0, database) },
        ]
        if let failure = failures.compactMap(\.self).first { throw failure }
    }

    /// Runs `work` for each household, and returns the first error.
    ///
    /// - Throws: `CancellationError`.
    private static func firstError(
        _ households: [HouseholdID], _ work: (HouseholdID) async throws -> Void
    ) async throws -> (any Error)? {
        var failure: (any Error)?
        for household in households {
            do {
                try await work(household)
            } catch let error as CancellationError {
                throw error
            } catch {
                failure = failure ?? error
            }
        }
        return failure
    }

    private static func sweep(_ household: HouseholdID, _ database: Database) async throws {
        while try await Publication.publish(household, atMost: batchSize, database) == batchSize {}
        while try await deleteDiscarded(household, database) == batchSize {}
        while try await ExpenseBulkEdits.deleteDiscarded(household, atMost: batchSize, database) == batchSize {}
        while try await forgetDeleted(household, database) == batchSize {}
        try await database.store(
            household,
            batch: PartialUploads.sweep(household) + [
                unreferencedBlobs(household), IdempotentRequests.sweep(household), BankImports.sweep(household),
                "DELETE FROM import_file WHERE household_id = \(household) AND created_at < now() - interval '1 day'",
                "DELETE FROM wine_table WHERE household_id = \(household) AND created_at < now() - interval '1 day'",
                """
                DELETE FROM operation WHERE household_id = \(household)
                    AND done_at < now() - \(HouseholdTransaction.operationDays) * interval '1 day'
                """,
                // Deliveries are kept for 40 days because they prevent duplicate reports of a price; older prices are
                // not reported.
                "DELETE FROM webhook_delivery WHERE household_id = \(household) AND created_at < now() - interval '40 days'",
                "DELETE FROM review_draft WHERE household_id = \(household) AND saved_at < now() - interval '30 days'",
            ])
        while try await compactRevisions(household, database) == batchSize {}
        try await PriceRule.update(household, database)
    }

    /// Erases the contents of receipts, images and expenses that sync clients deleted. The contents are kept as long as
    /// discarded receipts.
    ///
    /// - Returns: the number of documents.
    private static func forgetDeleted(_ household: HouseholdID, _ database: Database) async throws -> Int32 {
        let documents = try await database.read(
            household,
            """
            SELECT s.document_type, s.document_id FROM sync_document s
            JOIN document_revision w ON w.household_id = s.household_id AND w.document_type = s.document_type
                AND w.document_id = s.document_id AND w.generation = s.generation AND w.hash = s.hash
            WHERE s.household_id = \(household) AND s.deleted AND s.document_type IN ('receipt', 'image', 'expense')
                AND w.created_at < now() - \(Int64(ReceiptRetention.discardedDays)) * interval '1 day'
                AND EXISTS (SELECT 1 FROM document_revision d
                    WHERE d.household_id = s.household_id AND d.document_type = s.document_type
                        AND d.document_id = s.document_id AND d.body IS NOT NULL)
            LIMIT \(batchSize)
            """
        ).decode((String, Identifier<Void>).self)
        guard !documents.isEmpty else { return 0 }
        _ = try await database.store(
            household,
            ForgottenDocuments.erasing("SELECT * FROM unnest(\(documents.map(\.0)), \(documents.map(\.1)))", household))
        return Int32(documents.count)
    }

    /// Erases the contents of old revisions of documents, and deletes very old revisions. Keeps the contents of leaves
    /// (revisions without a later one).
    ///
    /// - Returns: the number of erased or of deleted revisions, whichever is larger; at most `batchSize`.
    private static func compactRevisions(_ household: HouseholdID, _ database: Database) async throws -> Int32 {
        try await database.store(household, "SELECT compact_revisions(\(household), \(batchSize))")
            .first(Int32.self) ?? 0
    }

    /// Deletes discarded receipts after their retention period, and logs a tombstone for each.
    ///
    /// - Returns: the number of deleted receipts.
    private static func deleteDiscarded(_ household: HouseholdID, _ database: Database) async throws -> Int32 {
        let due = ReceiptRetention.isOver(household)
        // Avoid the household's lock if there is nothing to delete.
        guard try await !database.read(household, "SELECT 1 FROM receipt WHERE \(due) LIMIT 1").isEmpty else {
            return 0
        }
        return try await database.write(household, by: nil) { changes in
            let rows = try await changes.query(
                "SELECT id, revision FROM receipt WHERE \(due) ORDER BY discarded_at, id LIMIT \(batchSize)")
            let receipts = try rows.decode((ReceiptID, Int64).self)
            let ids = receipts.map(\.0)
            let formerDuplicates = try await changes.query(
                """
                UPDATE receipt SET duplicate_of = NULL, revision = revision + 1
                WHERE household_id = \(household) AND duplicate_of = ANY(\(ids)) AND NOT id = ANY(\(ids))
                RETURNING id
                """
            ).decode(ReceiptID.self)
            try await changes.query(batch: [
                "UPDATE receipt SET duplicate_of = NULL WHERE household_id = \(household) AND id = ANY(\(ids))",
                "DELETE FROM job WHERE household_id = \(household) AND subject_id = ANY(\(ids))",
                // A page of another receipt can refer to a file of a deleted receipt.
                """
                UPDATE receipt_page g SET file_id = NULL FROM receipt_file f
                WHERE g.household_id = \(household) AND f.household_id = g.household_id AND f.id = g.file_id
                    AND f.receipt_id = ANY(\(ids))
                """,
                "DELETE FROM receipt WHERE household_id = \(household) AND id = ANY(\(ids))",
                // Also erases the logged contents of the receipts' images, whose names may be private, and of their
                // expenses.
                ForgottenDocuments.erasing(
                    """
                    SELECT 'receipt', id FROM unnest(\(ids)::uuid[]) AS id
                    UNION ALL SELECT s.document_type, s.document_id FROM sync_document s
                    WHERE s.household_id = \(household) AND s.owner_id = ANY(\(ids))
                    """, household),
            ])
            changes.changed(.receipt, formerDuplicates)
            for (id, revision) in receipts { changes.deleted(.receipt, id, lastRevision: revision) }
            return Int32(receipts.count)
        }
    }

    /// Deletes blobs of interrupted uploads, of readings that were not stored and of deleted receipts. Newer blobs may
    /// belong to running uploads or jobs.
    private static func unreferencedBlobs(_ household: HouseholdID) -> SQL {
        """
        DELETE FROM blob b WHERE b.household_id = \(household) AND b.created_at < now() - interval '2 hours'
            AND NOT EXISTS (SELECT 1 FROM (
                SELECT blob_id AS id FROM receipt_file WHERE household_id = \(household)
                UNION ALL SELECT blob_id FROM upload WHERE household_id = \(household)
                UNION ALL SELECT unnest(ARRAY[reading_blob_id, display_blob_id, preview_blob_id])
                FROM receipt_page WHERE household_id = \(household)) used WHERE used.id = b.id)
        """
    }
}
