import Crypto
import Domain
import HTTP
import Postgres

/// Uploaded files that the reader has not read yet. They are stored in chunks in the database; a whole file is never in
/// memory. Only sync clients of the uploader can download them.
struct Quarantine: Sendable {
    let database: Database

    /// A file that arrived completely.
    struct ReceivedFile: Sendable {
        let blob: BlobID
        let name: String
        let mediaType: String
        let size: Int
        /// SHA-256 of the bytes. The digest for the search of duplicates is computed from this hash and the household's
        /// key.
        let hash: [UInt8]
    }

    /// Stores the bytes of the current part of the form.
    ///
    /// - Throws: `UploadRefusal`, `FormError`. Bytes of a refused or incomplete file are deleted.
    func receive(_ part: MultipartPart, _ reader: MultipartReader, _ household: HouseholdID) async throws
        -> ReceivedFile
    {
        try await receive(name: part.fileName ?? "", household) { try await reader.nextChunk() }
    }

    /// Stores the bytes that `next` returns until it returns nil.
    ///
    /// - Throws: `UploadRefusal`; the errors of `next`. Bytes of a refused or incomplete file are deleted.
    func receive(
        name: String, _ household: HouseholdID, _ next: () async throws -> [UInt8]?
    ) async throws -> ReceivedFile {
        let blob = BlobID.new()
        do {
            return try await receive(name, household, blob, next)
        } catch {
            database.diskSpace.record(error)
            try? await discard(blob, household)
            throw error
        }
    }

    /// Deletes an upload's bytes.
    func discard(_ blob: BlobID, _ household: HouseholdID) async throws {
        try await database.store(
            household, batch: ["DELETE FROM blob WHERE household_id = \(household) AND id = \(blob)"])
    }

    private func receive(
        _ name: String, _ household: HouseholdID, _ blob: BlobID, _ next: () async throws -> [UInt8]?
    ) async throws -> ReceivedFile {
        var digest = SHA256Digest()
        var pending: [UInt8] = []
        var size = 0
        var number: Int32 = 0
        var mediaType: String?
        while let bytes = try await next() {
            size += bytes.count
            guard size <= UploadLimits.fileBytes else { throw UploadRefusal.tooLarge }
            digest.update(bytes)
            pending += bytes
            if mediaType == nil {
                guard pending.count >= UploadInspection.prefixBytes else { continue }
                mediaType = try await open(blob, household, UploadInspection.mediaType(of: pending))
            }
            try await append(&pending, &number, blob, household)
        }
        guard size > 0 else { throw UploadRefusal.empty }
        if mediaType == nil { mediaType = try await open(blob, household, UploadInspection.mediaType(of: pending)) }
        try await append(&pending, &number, blob, household)
        if !pending.isEmpty { try await append(pending, number, blob, household) }
        try await database.store(
            household,
            batch: ["UPDATE blob SET size = \(Int64(size)) WHERE household_id = \(household) AND id = \(blob)"])
        return ReceivedFile(
            blob: blob, name: name.cut(to: 200), mediaType: mediaType ?? "", size: size,
            hash: digest.finish())
    }

    /// Inserts the row of the file. Returns the media type.
    private func open(_ blob: BlobID, _ household: HouseholdID, _ mediaType: String) async throws -> String {
        try await database.store(
            household,
            batch: [
                """
                INSERT INTO blob (household_id, id, purpose, media_type)
                VALUES (\(household), \(blob), 'original', \(mediaType))
                """
            ])
        return mediaType
    }

    /// Stores the chunks that are complete.
    private func append(
        _ pending: inout [UInt8], _ number: inout Int32, _ blob: BlobID, _ household: HouseholdID
    ) async throws {
        while pending.count >= UploadLimits.chunkBytes {
            try await append(Array(pending.prefix(UploadLimits.chunkBytes)), number, blob, household)
            pending.removeFirst(UploadLimits.chunkBytes)
            number += 1
        }
    }

    private func append(_ bytes: [UInt8], _ n: Int32, _ blob: BlobID, _ household: HouseholdID) async throws {
        try await database.store(
            household,
            batch: [
                """
                INSERT INTO blob_chunk (household_id, blob_id, n, bytes)
                VALUES (\(household), \(blob), \(n), \(bytes))
                """
            ])
    }
}
