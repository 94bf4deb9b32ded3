import Crypto
import Domain
import Postgres

/// Uploads that arrive in parts of `UploadLimits.chunkBytes`. An acknowledged part is not lost when the connection, the
/// server or the database fails, and each file becomes exactly one receipt.
struct PartialUploads: Sendable {
    let database: Database
    let intake: ReceiptIntake

    struct State: Sendable {
        /// The announced size in bytes.
        let size: Int64
        /// The number of bytes that are stored, counted from the start of the file. The next part starts at this
        /// offset.
        let received: Int64
        /// Nil until the whole file has arrived and was examined.
        let outcome: UploadOutcome?
        /// The receipt that this request discarded because the file replaces it.
        var replaced: ReceiptID?
        fileprivate let name: String
        fileprivate let blob: BlobID?
        /// The receipt that the file replaces.
        fileprivate let receiptToReplace: ReceiptID?
    }

    /// The maximum number of unfinished uploads of a household.
    static let maximumUnfinished: Int64 = 40
    /// The maximum number of idle uploads that are kept. An upload is idle after 15 minutes without a new part.
    private static let maximumIdle: Int32 = 10

    /// Announces a file. If a client repeats the announcement because it missed the response, returns the same upload.
    ///
    /// - Parameter replaced: the receipt that the file replaces.
    /// - Throws: `UploadRefusal` for a size outside the limits, `Refusal.tooMany`, `Refusal.badRequest`.
    func begin(
        _ id: UploadID, name: String, size: Int64, insteadOf replaced: ReceiptID?, by member: Member
    ) async throws -> State {
        guard size > 0 else { throw UploadRefusal.empty }
        guard size <= Int64(UploadLimits.fileBytes) else { throw UploadRefusal.tooLarge }
        if let state = try await state(id, member) {
            guard state.size == size else { throw Refusal.badRequest }
            return state
        }
        let household = member.household
        guard try await intake.hasRoom(household) else { throw Refusal.tooMany }
        // Takes the household's lock, so that simultaneous announcements are counted one after another.
        try await database.write(household, by: member.person) { changes in
            let rows = try await changes.query(batch: [
                Self.removeIdle(household), Self.removeInterrupted(household, for: member),
                """
                SELECT count(*) FROM upload WHERE household_id = \(household) AND blob_id IS NOT NULL AND id <> \(id)
                """,
            ])
            guard try rows[2].first(Int64.self) ?? 0 < Self.maximumUnfinished else { throw Refusal.tooMany }
            try await changes.query(
                """
                WITH begun AS (
                    INSERT INTO upload (household_id, id, person_id, name, size, instead_id, blob_id)
                    VALUES (\(household), \(id), \(member.person), \(name.cut(to: 200)), \(size), \(replaced),
                        \(BlobID.new()))
                    ON CONFLICT (household_id, id) DO NOTHING RETURNING blob_id)
                INSERT INTO blob (household_id, id, purpose, media_type)
                SELECT \(household), blob_id, 'original', '' FROM begun
                """)
        }
        guard let state = try await state(id, member) else { throw Refusal.notFound }
        return state
    }

    /// Stores a part. A part whose offset is not `received` has no effect; it may be stored already. Every part except
    /// the last has `UploadLimits.chunkBytes`. When the file is complete, examines it and creates a receipt. If that
    /// fails, an empty part repeats the attempt.
    ///
    /// - Throws: `Refusal.notFound` for an unknown upload, `Refusal.badRequest` for an invalid offset or length,
    ///   `Refusal.tooMany` while the household's queue is full, `Refusal.busy` if another request has just finished the
    ///   upload.
    func store(_ part: [UInt8], at offset: Int64, of id: UploadID, by member: Member) async throws -> State {
        guard var state = try await state(id, member) else { throw Refusal.notFound }
        let chunk = Int64(UploadLimits.chunkBytes)
        if !part.isEmpty {
            guard (0..<state.size).contains(offset), offset % chunk == 0,
                Int64(part.count) == min(chunk, state.size - offset)
            else { throw Refusal.badRequest }
            if offset == state.received, state.outcome == nil {
                try await append(part, offset, id, member.household)
                guard let stored = try await self.state(id, member) else { throw Refusal.notFound }
                state = stored
            }
        }
        guard state.received == state.size, state.outcome == nil, let blob = state.blob else { return state }
        let replaced = try await finish(id, state, blob, member)
        guard var finished = try await self.state(id, member) else { throw Refusal.notFound }
        finished.replaced = replaced
        return finished
    }

    /// Returns nil for an upload that does not exist, was deleted, or belongs to another member.
    func state(_ id: UploadID, _ member: Member) async throws -> State? {
        let rows = try await database.read(
            member.household,
            """
            SELECT size, received, receipt_id, is_duplicate, refusal, name, blob_id, instead_id FROM upload
            WHERE household_id = \(member.household) AND id = \(id) AND person_id = \(member.person)
            """)
        guard
            let (size, received, receipt, isDuplicate, refusal, name, blob, replaced) = try rows.first(
                (Int64, Int64, ReceiptID?, Bool, String?, String, BlobID?, ReceiptID?).self)
        else { return nil }
        return State(
            size: size, received: received, outcome: Self.outcome(receipt, isDuplicate: isDuplicate, refusal: refusal),
            name: name, blob: blob, receiptToReplace: replaced)
    }

    private static func outcome(_ receipt: ReceiptID?, isDuplicate: Bool, refusal: String?) -> UploadOutcome? {
        if let refusal { return .refused(UploadRefusal(rawValue: refusal) ?? .damaged) }
        return receipt.map { isDuplicate ? .duplicate($0) : .arrived($0) }
    }

    /// Appends the part with a single statement, so that only one of two requests with the same part stores it.
    private func append(
        _ part: [UInt8], _ offset: Int64, _ id: UploadID, _ household: HouseholdID
    ) async throws {
        try await database.store(
            household,
            batch: [
                """
                WITH moved AS (
                    UPDATE upload SET received = received + \(Int64(part.count)), touched_at = now()
                    WHERE household_id = \(household) AND id = \(id) AND received = \(offset) AND blob_id IS NOT NULL
                    RETURNING blob_id)
                INSERT INTO blob_chunk (household_id, blob_id, n, bytes)
                SELECT \(household), blob_id, \(Int32(offset / Int64(UploadLimits.chunkBytes))), \(part) FROM moved
                """
            ])
    }

    // MARK: A complete file

    /// - Returns: the receipt that was discarded because the file replaces it.
    private func finish(
        _ id: UploadID, _ state: State, _ blob: BlobID, _ member: Member
    ) async throws -> ReceiptID? {
        let file: Quarantine.ReceivedFile
        do {
            file = try await examine(state, blob, member.household)
        } catch let refusal as UploadRefusal {
            try await refuse(id, refusal, blob, member.household)
            return nil
        }
        let outcome = try await intake.register(file, insteadOf: state.receiptToReplace, of: id, by: member)
        // Keeps the file, because the client tries again later.
        if outcome == .refused(.full) { throw Refusal.tooMany }
        return outcome.replaced
    }

    /// Reads the stored bytes once. Takes the media type from the first bytes, and the hash from all bytes.
    private func examine(
        _ state: State, _ blob: BlobID, _ household: HouseholdID
    ) async throws -> Quarantine.ReceivedFile {
        var digest = SHA256Digest()
        var prefix: [UInt8] = []
        let chunks = (state.size + Int64(UploadLimits.chunkBytes) - 1) / Int64(UploadLimits.chunkBytes)
        for n in 0..<Int32(chunks) {
            let rows = try await database.read(
                household,
                "SELECT bytes FROM blob_chunk WHERE household_id = \(household) AND blob_id = \(blob) AND n = \(n)")
            // Another request has finished the upload and deleted its bytes.
            guard let bytes = try rows.first([UInt8].self) else { throw Refusal.busy }
            digest.update(bytes)
            if prefix.count < UploadInspection.prefixBytes { prefix += bytes }
        }
        let mediaType = try UploadInspection.mediaType(of: Array(prefix.prefix(UploadInspection.prefixBytes)))
        try await database.store(
            household,
            batch: [
                """
                UPDATE blob SET size = \(state.size), media_type = \(mediaType)
                WHERE household_id = \(household) AND id = \(blob)
                """
            ])
        return Quarantine.ReceivedFile(
            blob: blob, name: state.name, mediaType: mediaType, size: Int(state.size), hash: digest.finish())
    }

    /// Stores the refusal as the outcome, and deletes the bytes.
    private func refuse(
        _ id: UploadID, _ refusal: UploadRefusal, _ blob: BlobID, _ household: HouseholdID
    ) async throws {
        try await database.store(
            household,
            batch: [
                """
                UPDATE upload SET refusal = \(refusal.rawValue), blob_id = NULL, touched_at = now()
                WHERE household_id = \(household) AND id = \(id) AND receipt_id IS NULL
                """,
                "DELETE FROM blob WHERE household_id = \(household) AND id = \(blob)",
            ])
    }

    /// The outcome of an upload that was finished before. Locks the upload until the transaction ends.
    static func registeredOutcome(_ id: UploadID, _ changes: HouseholdTransaction) async throws -> UploadOutcome? {
        let rows = try await changes.query(
            """
            SELECT receipt_id, is_duplicate, refusal FROM upload
            WHERE household_id = \(changes.household) AND id = \(id) FOR UPDATE
            """)
        guard let (receipt, isDuplicate, refusal) = try rows.first((ReceiptID?, Bool, String?).self) else {
            throw Refusal.notFound
        }
        return outcome(receipt, isDuplicate: isDuplicate, refusal: refusal)
    }

    /// A statement that stores the outcome, for the transaction that creates the receipt.
    static func register(_ id: UploadID, _ receipt: ReceiptID, isDuplicate: Bool, _ household: HouseholdID) -> SQL {
        """
        UPDATE upload SET receipt_id = \(receipt), is_duplicate = \(isDuplicate), blob_id = NULL, touched_at = now()
        WHERE household_id = \(household) AND id = \(id)
        """
    }

    // MARK: Abandoned uploads

    /// A statement that removes the idle uploads and their bytes, except the `maximumIdle` latest.
    private static func removeIdle(_ household: HouseholdID) -> SQL {
        """
        DELETE FROM blob WHERE household_id = \(household) AND id IN (
            SELECT blob_id FROM upload WHERE household_id = \(household) AND blob_id IS NOT NULL
                AND touched_at < now() - interval '15 minutes'
            ORDER BY touched_at DESC OFFSET \(maximumIdle))
        """
    }

    /// A statement that deletes interrupted uploads, the member's own first, if the household has the maximum number of
    /// unfinished uploads. Complete files, which wait for the reader's queue, stay. The upload script cancels a request
    /// after two minutes without progress, and announces the file again if its upload was deleted.
    private static func removeInterrupted(_ household: HouseholdID, for member: Member) -> SQL {
        let unfinished: SQL = "household_id = \(household) AND blob_id IS NOT NULL"
        return """
            DELETE FROM blob WHERE household_id = \(household) AND id IN (
                SELECT blob_id FROM upload
                WHERE \(unfinished) AND received < size AND touched_at < now() - interval '3 minutes'
                ORDER BY person_id = \(member.person) DESC, touched_at, id
                LIMIT greatest(0, (SELECT count(*) FROM upload WHERE \(unfinished)) - \(maximumUnfinished - 1)))
            """
    }

    /// The number of days for which the outcome of an upload is kept. During this time, a phone that missed the
    /// response can send the file again without creating a second receipt.
    private static let outcomeDays: Int64 = 90

    /// Statements for the sweeper. They remove unfinished uploads one day after the last part, and outcomes after
    /// `outcomeDays`.
    static func sweep(_ household: HouseholdID) -> [SQL] {
        let idle: SQL = """
            household_id = \(household) AND touched_at < now() - interval '1 day' AND blob_id IS NOT NULL
            """
        return [
            """
            DELETE FROM upload WHERE household_id = \(household) AND blob_id IS NULL
                AND touched_at < now() - \(outcomeDays) * interval '1 day'
            """,
            "DELETE FROM blob WHERE household_id = \(household) AND id IN (SELECT blob_id FROM upload WHERE \(idle))",
        ]
    }
}
