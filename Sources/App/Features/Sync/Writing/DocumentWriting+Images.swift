import Crypto
import Domain
import JSON
import Postgres

/// Stores pictures that clients upload as documents. If a picture refers to a receipt that does not exist, the receipt
/// is created. A picture without a receipt is stored until a receipt refers to it.
extension DocumentWriting {
    private var fileID: FileID { key.id.relabelled() }

    func image(_ edit: DocumentEdit) async throws {
        // Stored images are immutable, so the server ignores changes to them.
        guard edit.before == nil else { return }
        guard attachments.count == 1, let attachment = attachments.first, let file = attachment.file else {
            throw DocumentFault("_attachments: a new image must have exactly one attachment, with its contents")
        }
        let rows = try await changes.query("SELECT digest_key FROM household WHERE id = \(household)")
        guard let row = rows.first, let secret = SecretKey(try row[0, as: [UInt8].self]) else { throw Refusal.notFound }
        // Keeps the attachment's name, so that the client does not download the attachment again.
        let name = attachment.name
        try await changes.query(
            """
            INSERT INTO receipt_file (household_id, id, receipt_id, position, name, media_type, size, digest, blob_id, person_id)
            VALUES (\(household), \(fileID), NULL, 0, \(name.cut(to: 200)), \(file.mediaType), \(Int64(file.size)),
                \(secret.authenticationCode(file.hash)), \(file.blob), \(member.person))
            """)
        if let receipt: ReceiptID = edit.reference("receipt") {
            try await attach([fileID], to: try await receiptForImages(receipt))
        } else if let receipt = try await waitingReceipt() {
            try await attach([fileID], to: receipt)
        }
    }

    /// Returns the receipt that arrived before this image and refers to it; nil if there is none.
    private func waitingReceipt() async throws -> ReceiptID? {
        try await changes.query(
            """
            SELECT r.id FROM sync_document s
            JOIN document_revision d ON d.household_id = s.household_id AND d.document_type = s.document_type
                AND d.document_id = s.document_id
            JOIN receipt r ON r.household_id = s.household_id AND r.id = s.document_id
            WHERE s.household_id = \(household) AND s.document_type = 'receipt' AND NOT s.deleted
                AND r.person_id = \(member.person) AND r.stage = \(Stage.review.sql) AND r.source = 'manual'
                AND d.body -> 'images' ? \(key.description)
            LIMIT 1
            """
        ).first(ReceiptID.self)
    }

    /// Returns the receipt to which an image belongs. Creates it if it does not exist yet.
    private func receiptForImages(_ id: ReceiptID) async throws -> ReceiptID {
        let rows = try await changes.query(
            """
            SELECT 1 FROM receipt r
            WHERE r.household_id = \(household) AND r.id = \(id) AND \(Visibility.condition(member))
            """)
        if !rows.isEmpty { return id }
        try await changes.query(
            """
            INSERT INTO receipt (household_id, id, stage, person_id, source)
            VALUES (\(household), \(id), \(Stage.review), \(member.person), 'upload')
            """)
        return id
    }

    /// Attaches files to a receipt. Starts the reading if the receipt is not confirmed and has no lines.
    func attach(_ files: [FileID], to receipt: ReceiptID) async throws {
        guard !files.isEmpty else { return }
        let waiting = try await changes.query(JobQueue.count(.read, household))
        guard try waiting.first(Int64.self) ?? 0 < UploadLimits.waiting * 4 else { throw Refusal.busy }
        let attached = try await changes.query(
            """
            UPDATE receipt_file f SET receipt_id = \(receipt), position = n.place - 1
                + (SELECT coalesce(max(o.position) + 1, 0) FROM receipt_file o
                    WHERE o.household_id = \(household) AND o.receipt_id = \(receipt))
            FROM unnest(\(files)) WITH ORDINALITY AS n (id, place)
            WHERE f.household_id = \(household) AND f.id = n.id AND f.receipt_id IS NULL
                AND f.person_id = \(member.person)
            RETURNING f.id
            """
        ).decode(FileID.self)
        guard !attached.isEmpty else { return }
        let begun = try await changes.query(
            """
            UPDATE receipt r SET stage = \(Stage.reading), verdict = NULL, reasons = '{}', source = 'upload',
                revision = revision + 1
            WHERE r.household_id = \(household) AND r.id = \(receipt) AND r.stage <> \(Stage.confirmed.sql)
                AND NOT EXISTS (SELECT 1 FROM receipt_line l
                    WHERE l.household_id = r.household_id AND l.receipt_id = r.id)
            RETURNING r.id
            """)
        if !begun.isEmpty {
            try await changes.query(batch: [
                JobQueue.enqueue(.read, receipt.relabelled(), household), JobQueue.notify,
            ])
        }
        changes.changed(.receipt, receipt)
    }

    /// Deletes an image that the member uploaded, but only if it does not belong to a receipt.
    func removeImage() async throws -> Int64? {
        let rows = try await changes.query(batch: [
            "SELECT receipt_id FROM receipt_file WHERE household_id = \(household) AND id = \(fileID)",
            """
            DELETE FROM receipt_file
            WHERE household_id = \(household) AND id = \(fileID) AND receipt_id IS NULL AND person_id = \(member.person)
            RETURNING blob_id
            """,
        ])
        guard let row = rows[0].first else { return 0 }
        let receipt: ReceiptID? = try row[0, as: ReceiptID?.self]
        return receipt == nil && !rows[1].isEmpty ? 1 : nil
    }
}
