import Crypto
import Domain
import Postgres

/// Creates receipts from uploaded files.
struct ReceiptIntake: Sendable {
    let database: Database
    let quarantine: Quarantine

    /// Stores the receipt, its file and its job in one transaction. After this returns, a crash does not lose the file.
    ///
    /// - Parameters:
    ///   - replaced: the receipt that the new photo replaces.
    ///   - upload: the upload in parts that contains the file. A second call with the same upload returns the outcome
    ///     of the first call.
    func register(
        _ file: Quarantine.ReceivedFile, insteadOf replaced: ReceiptID? = nil, of upload: UploadID? = nil,
        by member: Member
    ) async throws -> UploadOutcome {
        let outcome: UploadOutcome
        do {
            outcome = try await store(file, insteadOf: replaced, of: upload, by: member)
        } catch {
            database.diskSpace.record(error)
            // Deletes the bytes, because imports from a folder or a mailbox try again and store the bytes each time. If
            // the answer to COMMIT was lost but the receipt was stored, the deletion fails, because the receipt refers
            // to the bytes.
            if upload == nil { try? await quarantine.discard(file.blob, member.household) }
            throw error
        }
        // If the queue is full, an upload in parts keeps its bytes until the queue has room.
        let isKept = outcome.isArrived || outcome == .refused(.full) && upload != nil
        if !isKept { try await quarantine.discard(file.blob, member.household) }
        return outcome
    }

    /// Stores the receipt, unless the file is a duplicate or the queue is full.
    private func store(
        _ file: Quarantine.ReceivedFile, insteadOf replaced: ReceiptID?, of upload: UploadID?, by member: Member
    ) async throws -> UploadOutcome {
        let household = member.household
        let receipt = ReceiptID.new()
        return try await database.write(household, by: member.person) { changes in
            if let upload, let outcome = try await PartialUploads.registeredOutcome(upload, changes) { return outcome }
            let digest = try await digest(file, changes)
            let sameFiles = try await changes.query(
                """
                SELECT f.receipt_id FROM receipt_file f
                JOIN receipt r ON r.household_id = f.household_id AND r.id = f.receipt_id
                WHERE f.household_id = \(household) AND f.digest = \(digest) AND r.discarded_at IS NULL
                    -- Excludes hidden gifts of other members, because the report of a duplicate would reveal them.
                    AND \(Visibility.condition(member))
                ORDER BY f.created_at LIMIT 1
                """)
            if let original = try sameFiles.first(ReceiptID.self) {
                if let upload {
                    try await changes.query(PartialUploads.register(upload, original, isDuplicate: true, household))
                }
                return UploadOutcome.duplicate(original)
            }
            // Counts under the household's lock, so that parallel uploads do not exceed the limit.
            guard try Self.hasRoom(try await changes.query(JobQueue.count(.read, household))) else {
                return .refused(.full)
            }
            try await changes.query(batch: [
                """
                INSERT INTO receipt (household_id, id, stage, person_id, source)
                VALUES (\(household), \(receipt), \(Stage.reading), \(member.person), 'upload')
                """,
                """
                INSERT INTO receipt_file (household_id, id, receipt_id, position, name, media_type, size, digest, blob_id)
                VALUES (\(household), \(FileID.new()), \(receipt), 0, \(file.name), \(file.mediaType),
                    \(Int64(file.size)), \(digest), \(file.blob))
                """,
                JobQueue.enqueue(.read, receipt.relabelled(), household),
                JobQueue.notify,
            ])
            if let upload {
                try await changes.query(PartialUploads.register(upload, receipt, isDuplicate: false, household))
            }
            changes.changed(.receipt, receipt)
            return .arrived(receipt, insteadOf: try await discardReplaced(replaced, member, changes))
        }
    }

    /// Discards a receipt that the new photo replaces. A receipt that was typed in or read since then is kept.
    private func discardReplaced(
        _ replaced: ReceiptID?, _ member: Member, _ changes: HouseholdTransaction
    ) async throws -> ReceiptID? {
        guard let replaced else { return nil }
        let rows = try await changes.query(
            """
            UPDATE receipt r SET discarded_at = now(), revision = revision + 1
            WHERE \(Self.isReplaceable(replaced, member)) RETURNING r.id
            """)
        guard !rows.isEmpty else { return nil }
        changes.changed(.receipt, replaced)
        return replaced
    }

    /// Whether a new photo may replace a receipt.
    func isReplaceable(_ receipt: ReceiptID, _ member: Member) async throws -> Bool {
        !(try await database.read(
            member.household, "SELECT 1 FROM receipt r WHERE \(Self.isReplaceable(receipt, member))"
        ).isEmpty)
    }

    private static func isReplaceable(_ receipt: ReceiptID, _ member: Member) -> SQL {
        """
        r.household_id = \(member.household) AND r.id = \(receipt) AND r.stage = \(Stage.review.sql) AND r.discarded_at IS NULL
            AND (r.verdict = \(Verdict.unreadable.sql) OR \(Reason(.otherSheet).rawValue) = ANY(r.reasons)) AND \(Visibility.condition(member))
        """
    }

    /// Creates a receipt without pictures, to be typed in.
    ///
    /// - Parameter form: identifies the submitted form. If the same form is sent twice, the second call returns the
    ///   receipt of the first call.
    func draft(by member: Member, form: OperationID? = nil) async throws -> ReceiptID {
        let receipt = ReceiptID.new()
        do {
            try await database.write(member.household, by: member.person) { changes in
                try await changes.requireFirst(form)
                try await changes.query(
                    """
                    INSERT INTO receipt
                        (household_id, id, stage, verdict, reasons, person_id, source, purchase_day, currency)
                    SELECT h.id, \(receipt), \(Stage.review), \(Verdict.review), \([Reason(.byHand)]), \(member.person),
                        'manual', \(WallClock.today()), h.currency
                    FROM household h WHERE h.id = \(member.household)
                    """)
                changes.changed(.receipt, receipt)
            }
            return receipt
        } catch is RepeatedForm {
            return try await newestDraft(of: member)
        }
    }

    private func newestDraft(of member: Member) async throws -> ReceiptID {
        let rows = try await database.read(
            member.household,
            """
            SELECT id FROM receipt
            WHERE household_id = \(member.household) AND person_id = \(member.person) AND source = 'manual'
            ORDER BY created_at DESC LIMIT 1
            """)
        guard let newest = try rows.first(ReceiptID.self) else { throw Refusal.notFound }
        return newest
    }

    /// Whether the household's queue accepts more uploads. Checked before the body is read.
    func hasRoom(_ household: HouseholdID) async throws -> Bool {
        try Self.hasRoom(try await database.read(JobQueue.count(.read, household)))
    }

    private static func hasRoom(_ rows: Rows) throws -> Bool {
        try rows.first(Int64.self) ?? 0 < UploadLimits.waiting
    }

    /// The digest by which a repeated upload is recognised: an HMAC of the hash with the household's key, so that the
    /// stored value does not reveal the hash.
    private func digest(_ file: Quarantine.ReceivedFile, _ changes: HouseholdTransaction) async throws -> [UInt8] {
        let rows = try await changes.query("SELECT digest_key FROM household WHERE id = \(changes.household)")
        guard let row = rows.first, let key = SecretKey(try row[0, as: [UInt8].self]) else { throw Refusal.notFound }
        return key.authenticationCode(file.hash)
    }
}
