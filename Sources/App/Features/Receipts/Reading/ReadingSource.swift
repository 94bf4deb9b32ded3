import Domain
import Postgres

/// A file from which a receipt is read: an original in quarantine, or the reading picture when the receipt is read
/// again.
struct ReadingSource: Sendable {
    let file: FileID?
    let blob: BlobID
    let size: Int

    /// The pictures of pages that were read before, then the originals that were not read. Both are in their stored
    /// order.
    static func files(
        of receipt: ReceiptID, _ household: HouseholdID, _ database: Database
    ) async throws -> [ReadingSource] {
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT f.id, b.id, b.size FROM receipt_file f
                JOIN blob b ON b.household_id = f.household_id AND b.id = f.blob_id
                WHERE f.household_id = \(household) AND f.receipt_id = \(receipt) ORDER BY f.position, f.id
                """,
                """
                SELECT g.file_id, b.id, b.size FROM receipt_page g
                JOIN blob b ON b.household_id = g.household_id AND b.id = g.reading_blob_id
                WHERE g.household_id = \(household) AND g.receipt_id = \(receipt)
                    AND NOT EXISTS (SELECT 1 FROM receipt_file f
                        WHERE f.household_id = g.household_id AND f.id = g.file_id AND f.blob_id IS NOT NULL)
                ORDER BY g.n
                """,
            ])
        // Pages that were read before come first. Photos that were added later continue the receipt.
        return try (rows[1].decode((FileID?, BlobID, Int64).self) + rows[0].decode((FileID?, BlobID, Int64).self)).map {
            file, blob, size in
            ReadingSource(file: file, blob: blob, size: Int(size))
        }
    }

    /// Loads the bytes of the file.
    func bytes(_ household: HouseholdID, _ database: Database) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        var n: Int32 = 0
        while bytes.count < size {
            let rows = try await database.read(
                household,
                "SELECT bytes FROM blob_chunk WHERE household_id = \(household) AND blob_id = \(blob) AND n = \(n)")
            guard let row = rows.first else { throw MissingChunk() }
            bytes += try row[0, as: [UInt8].self]
            n += 1
        }
        return bytes
    }

    /// A chunk of the file is missing, because the file was deleted during the reading.
    struct MissingChunk: Error {}
}
