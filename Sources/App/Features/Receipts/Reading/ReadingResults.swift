import DocumentParsing
import Domain
import Postgres
import Recognition

/// Stores the reader's results for a receipt and deletes the uploaded originals, in one transaction.
struct ReadingResults: Sendable {
    let database: Database

    /// The stored pictures of one page.
    struct PageBlobs: Sendable {
        /// The uploaded file that contains the page; nil if unknown.
        let file: FileID?
        /// The picture for recognition, the picture for pages, and the small picture for lists.
        let reading: BlobID
        let display: BlobID
        let preview: BlobID
        /// The size of the reading picture in pixels.
        let width: Int
        let height: Int
        /// The words of the page's text layer in the reader's wire format; nil without a text layer.
        var words: [UInt8]?
    }

    /// Returns two settings of the household: whether card numbers and names remain visible on its pictures, and its
    /// time zone. The zone is nil if the household uses the server's time zone.
    func settings(_ household: HouseholdID) async throws -> (keepsPersonalDetails: Bool, zone: TimeZone?) {
        let rows = try await database.read(
            household, "SELECT keeps_personal_details, time_zone FROM household WHERE id = \(household)")
        guard let (keeps, zone) = try rows.first((Bool, String?).self) else { return (false, nil) }
        return (keeps, zone.flatMap(TimeZone.named))
    }

    /// Stores a picture's bytes, not yet referenced by a page.
    func add(_ picture: PagePicture, as blob: BlobID, _ household: HouseholdID) async throws {
        let bytes = picture.jpeg
        var statements: [SQL] = [
            """
            INSERT INTO blob (household_id, id, purpose, media_type, size, width, height)
            VALUES (\(household), \(blob), \(picture.variant.purpose), 'image/jpeg', \(Int64(bytes.count)),
                \(Int32(picture.width)), \(Int32(picture.height)))
            """
        ]
        for (n, start) in stride(from: 0, to: bytes.count, by: UploadLimits.chunkBytes).enumerated() {
            let chunk = Array(bytes[start..<min(bytes.count, start + UploadLimits.chunkBytes)])
            statements.append(
                """
                INSERT INTO blob_chunk (household_id, blob_id, n, bytes)
                VALUES (\(household), \(blob), \(Int32(n)), \(chunk))
                """)
        }
        try await database.store(household, batch: statements)
    }

    /// Finishes the job if its receipt was discarded before the reading began; restoring the receipt queues a new job.
    ///
    /// - Returns: whether the job was finished.
    func finishIfDiscarded(_ claim: JobQueue.Claim) async throws -> Bool {
        let household = claim.household
        let discarded: SQL = """
            SELECT 1 FROM receipt
            WHERE household_id = \(household) AND id = \(claim.subject) AND discarded_at IS NOT NULL
            """
        // Avoids the household's lock in the usual case that the receipt is not discarded.
        guard try await !database.read(household, discarded).isEmpty else { return false }
        return try await database.write(household, by: nil) { changes in
            guard try await !changes.query(discarded).isEmpty else { return false }
            try await changes.query(JobQueue.finish(claim))
            return true
        }
    }

    /// Stores pages, head and lines of a read receipt, finishes the job and deletes the originals.
    ///
    /// Does not store the reading if this worker no longer holds the job, because the receipt was joined or another
    /// server has the lease. Keeps the first reading if the receipt was read again and the first reading verified more
    /// values. A receipt that was discarded during the reading stays discarded, but its reading is stored.
    ///
    /// - Parameter pages: nil to keep the stored pages.
    func finish(_ claim: JobQueue.Claim, _ reading: StoredReading, _ pages: [PageBlobs]?) async throws {
        let household = claim.household
        let receipt: ReceiptID = claim.subject.relabelled()
        try await database.write(household, by: nil) { changes in
            guard try await holdsJob(claim, changes) else {
                try await changes.query(JobQueue.finish(claim))
                return
            }
            if let before = try await ReplacedReading.find(receipt, changes), before.provesMore(than: reading) {
                try await before.keepReading(receipt, changes)
                try await changes.query(JobQueue.finish(claim))
                return
            }
            if let pages { try await replacePages(receipt, pages, changes) }
            let duplicate = try await duplicate(of: receipt, reading, changes)
            let head = reading.receipt
            try await LineSplit.removeLines(of: receipt, changes)
            try await changes.query(
                batch: [
                    "DELETE FROM receipt_line WHERE household_id = \(household) AND receipt_id = \(receipt)",
                    """
                    UPDATE receipt SET stage = \(Stage.review), verdict = \(reading.verdict), reasons = \(reading.reasons),
                        -- Keeps the store if a person named it, or if the new reading has the same store.
                        store_id = CASE WHEN \(Self.hasSameStore(reading)) THEN store_id END,
                        printed_store = CASE WHEN printed_store ? 'typed'
                            THEN \(reading.printedStore)::jsonb || jsonb_build_object(
                                'name', printed_store -> 'name', 'typed', true)
                            ELSE \(reading.printedStore)::jsonb END, purchase_day = \(head.date?.value),
                        purchase_time = \(head.time?.value.stored), currency = \(head.currency),
                        total_minor = \(head.total?.value.minorUnits),
                        doubts = CASE WHEN printed_store ? 'typed'
                            THEN array_remove(\(reading.doubts)::text[], \(ReviewField.store)) ELSE \(reading.doubts)::text[] END,
                        marks = \(reading.marks), evidence = \(reading.evidence), purchase_key = \(reading.purchaseKey),
                        duplicate_of = \(duplicate), revision = revision + 1
                    WHERE household_id = \(household) AND id = \(receipt)
                    """,
                ] + reading.insertLines(household, receipt))
            try await removeOriginals(receipt, changes)
            try await changes.query(JobQueue.finish(claim))
            try await JoinedParts.carryOver(to: receipt, database, changes)
            changes.changed(.receipt, receipt)
        }
    }

    /// A condition: a person named the receipt's store, or the new reading has the same store.
    private static func hasSameStore(_ reading: StoredReading) -> SQL {
        """
        (printed_store ? 'typed' OR (printed_store ->> 'chain' <> ''
            AND printed_store - ARRAY['name', 'typed'] = \(reading.printedStore)::jsonb - ARRAY['name', 'typed']))
        """
    }

    /// Records that the reading failed permanently. The review page then shows an empty form, with the picture if there
    /// is one.
    ///
    /// Keeps stored lines and pages, because a joined receipt has the lines and pages of its parts. If the receipt has
    /// several originals, keeps them, too, because the reader has read only some of them.
    ///
    /// - Parameter keepingOriginals: whether to keep the uploaded files, so that they can be read again.
    func fail(
        _ claim: JobQueue.Claim, reason: Reason.Code, _ pages: [PageBlobs], keepingOriginals: Bool = false
    ) async throws {
        let household = claim.household
        let receipt: ReceiptID = claim.subject.relabelled()
        try await database.write(household, by: nil) { changes in
            guard try await holdsJob(claim, changes) else {
                try await changes.query(JobQueue.finish(claim))
                return
            }
            if let before = try await ReplacedReading.find(receipt, changes), before.hasLines {
                try await before.keepReading(receipt, changes)
                try await changes.query(JobQueue.finish(claim))
                return
            }
            let (hasPages, originals) = try await pagesAndOriginals(receipt, changes)
            if !hasPages { try await replacePages(receipt, pages, changes) }
            if !keepingOriginals, !hasPages, originals == 1 { try await removeOriginals(receipt, changes) }
            try await changes.query(
                batch: [
                    """
                    UPDATE receipt SET stage = \(Stage.review), verdict = \(Verdict.unreadable),
                        reasons = \([Reason(reason)]),
                        revision = revision + 1
                    WHERE household_id = \(household) AND id = \(receipt)
                    """, JobQueue.finish(claim),
                ])
            changes.changed(.receipt, receipt)
        }
    }

    /// Whether this worker still holds the job. False if the lease has expired, or if the receipt was joined with
    /// others. A joined receipt has a new job.
    private func holdsJob(_ claim: JobQueue.Claim, _ changes: HouseholdTransaction) async throws -> Bool {
        let rows = try await changes.query(
            """
            SELECT 1 FROM receipt r
            JOIN job j ON j.id = \(claim.id) AND j.subject_id = r.id AND j.attempts = \(claim.attempts)
            WHERE r.household_id = \(changes.household) AND r.id = \(claim.subject) AND r.stage = \(Stage.reading.sql)
            """)
        return !rows.isEmpty
    }

    /// Whether the receipt has pages, and the number of its files that were not read.
    private func pagesAndOriginals(
        _ receipt: ReceiptID, _ changes: HouseholdTransaction
    ) async throws -> (hasPages: Bool, originals: Int64) {
        let rows = try await changes.query(
            """
            SELECT EXISTS (SELECT 1 FROM receipt_page WHERE household_id = \(changes.household) AND receipt_id = \(receipt)),
                (SELECT count(*) FROM receipt_file
                 WHERE household_id = \(changes.household) AND receipt_id = \(receipt) AND blob_id IS NOT NULL)
            """)
        return try rows.first((Bool, Int64).self) ?? (false, 0)
    }

    /// Replaces a receipt's pages.
    func replacePages(
        _ receipt: ReceiptID, _ pages: [PageBlobs], _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        var statements: [SQL] = [
            """
            WITH gone AS (
                DELETE FROM receipt_page WHERE household_id = \(household) AND receipt_id = \(receipt)
                RETURNING reading_blob_id, display_blob_id, preview_blob_id)
            DELETE FROM blob b USING gone WHERE b.household_id = \(household)
                AND b.id IN (gone.reading_blob_id, gone.display_blob_id, gone.preview_blob_id)
                -- Keeps blobs of other receipts: two receipts that were separated can share a picture.
                AND NOT EXISTS (SELECT 1 FROM receipt_page g
                    WHERE g.household_id = b.household_id AND g.receipt_id <> \(receipt)
                        AND b.id IN (g.reading_blob_id, g.display_blob_id, g.preview_blob_id))
            """
        ]
        for (n, page) in pages.enumerated() {
            statements.append(
                """
                INSERT INTO receipt_page
                    (household_id, receipt_id, n, file_id, reading_blob_id, display_blob_id, preview_blob_id, width, height,
                    words)
                VALUES (\(household), \(receipt), \(Int32(n)), \(page.file), \(page.reading), \(page.display),
                    \(page.preview), \(Int32(page.width)), \(Int32(page.height)), \(page.words))
                """)
        }
        try await changes.query(batch: statements)
    }

    /// Deletes only this receipt's originals. Other unreferenced files may belong to an upload in progress.
    private func removeOriginals(_ receipt: ReceiptID, _ changes: HouseholdTransaction) async throws {
        let household = changes.household
        let originals = try await changes.query(
            """
            SELECT blob_id FROM receipt_file
            WHERE household_id = \(household) AND receipt_id = \(receipt) AND blob_id IS NOT NULL
            """
        ).decode(BlobID.self)
        guard !originals.isEmpty else { return }
        try await changes.query(batch: [
            "UPDATE receipt_file SET blob_id = NULL WHERE household_id = \(household) AND receipt_id = \(receipt)",
            "DELETE FROM blob WHERE household_id = \(household) AND id = ANY(\(originals))",
        ])
    }

    /// Finds another receipt of the same purchase: a receipt with the same till and receipt number, or with the same
    /// values of `SamePurchase`. A person decides whether it is a duplicate.
    private func duplicate(
        of receipt: ReceiptID, _ reading: StoredReading, _ changes: HouseholdTransaction
    ) async throws -> ReceiptID? {
        let head = reading.receipt
        let purchase = SamePurchase(
            day: head.date?.value, time: head.time?.value, total: head.total?.value.minorUnits,
            amounts: head.items.map { $0.total?.value.minorUnits ?? 0 })
        let rows = try await changes.query(
            """
            SELECT r.id FROM receipt r
            JOIN receipt mine ON mine.household_id = r.household_id AND mine.id = \(receipt)
            WHERE r.household_id = \(changes.household) AND r.id <> \(receipt) AND r.discarded_at IS NULL
                -- Excludes receipts that are already marked as duplicates of this receipt.
                AND r.duplicate_of IS DISTINCT FROM \(receipt)
                AND (r.purchase_key = \(reading.purchaseKey) OR \(purchase.condition))
                -- Excludes other people's hidden receipts, because the notice about a duplicate would reveal them.
                AND (\(Visibility.isPublished()) OR r.person_id = mine.person_id)
            ORDER BY r.created_at LIMIT 1
            """)
        return try rows.first.map { try $0[0, as: ReceiptID.self] }
    }
}

extension LocalTime {
    /// The value for a database column.
    var stored: PostgresTime { PostgresTime(microsecondsSinceMidnight: Int64(secondOfDay) * 1_000_000) }
}

extension PagePicture.Variant {
    /// The value of the blob's column `purpose`.
    var purpose: String {
        switch self {
        case .reading: "reading"
        case .display: "display"
        case .preview: "preview"
        }
    }
}
