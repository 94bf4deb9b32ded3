import Archive
import Crypto
import Domain
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// A household with rows in most tables, and archives of it.
struct ArchivedScene {
    let harness: AppHarness
    let anna: Browser
    let folder: String

    static let passphrase = Password(entered: "fünf Birnen im Korb")!
    static let otherPassphrase = Password(entered: "sechs Äpfel im Korb")!

    static func run(_ body: @escaping @Sendable (ArchivedScene) async throws -> Void) async throws {
        try await AppHarness.run { harness in
            let folder = FileManager.default.temporaryDirectory.appending(path: "archives-\(UUID())").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let scene = ArchivedScene(harness: harness, anna: try await harness.signUp(), folder: folder)
            try await scene.fill()
            try await body(scene)
        }
    }

    var household: HouseholdID { anna.household }
    var pool: Pool { harness.database.pool }

    private func fill() async throws {
        _ = try await harness.join(anna, as: .viewer)
        try await anna.importTable([
            ("Milch", "1,49", "2026-11-02", "BILLA"), ("Brot", "3,20", "2026-11-03", "SPAR"),
            ("Milch", "1,59", "2026-11-09", "BILLA"),
        ])
        try await addPictures()
        let owner = try harness.owner()
        // Insert rows that the app creates only in many steps, such as a repeated receipt, a draft and a job.
        try owner.query(
            """
            UPDATE receipt r SET duplicate_of = (SELECT min(o.id::text)::uuid FROM receipt o WHERE o.household_id = r.household_id),
                joined = jsonb_build_object('parts', jsonb_build_array(jsonb_build_object('files', jsonb_build_array(r.id))))
            WHERE household_id = \(household) AND id = (SELECT max(o.id::text)::uuid FROM receipt o WHERE o.household_id = \(household))
            """)
        try owner.query(
            """
            INSERT INTO review_draft (household_id, receipt_id, person_id, form)
            SELECT \(household), id, \(anna.person), 'note=a%0Ab' FROM receipt WHERE household_id = \(household) ORDER BY id LIMIT 1
            """)
        try owner.query(
            """
            INSERT INTO job (id, household_id, kind, subject_id, attempts, lease_until)
            SELECT \(JobID.new()), \(household), 'read', id, 1, now() + interval '1 minute'
            FROM receipt WHERE household_id = \(household) ORDER BY id LIMIT 1
            """)
        try owner.query(
            "INSERT INTO ignored_name (household_id, chain, alias_key, id) VALUES (\(household), 'billa', 'sackerl', \(ReceiptID.new()))"
        )
        try owner.query(
            "INSERT INTO comparison_group (household_id, id, name, base_unit) VALUES (\(household), \(ReceiptID.new()), 'H-Milch', 'l')"
        )
        try owner.query(
            """
            INSERT INTO product_package (household_id, product_id, valid_from, amount_thousandths, unit)
            SELECT \(household), id, '2026-01-01', 1000, 'l' FROM product WHERE household_id = \(household) ORDER BY id LIMIT 1
            """)
        try owner.query("INSERT INTO matching_batch (household_id, id) VALUES (\(household), \(ReceiptID.new()))")
    }

    /// Adds a picture of three chunks to the first receipt, an uploaded file, and a blob to which no row refers.
    private func addPictures() async throws {
        let owner = try harness.owner()
        let receipt = try #require(
            try owner.query("SELECT id FROM receipt WHERE household_id = \(household) ORDER BY id LIMIT 1").first(
                ReceiptID.self))
        func blob(_ purpose: String, _ type: String, _ sizes: [Int]) throws -> BlobID {
            let id = BlobID.new()
            try owner.query(
                """
                INSERT INTO blob (household_id, id, purpose, media_type, size, width, height)
                VALUES (\(household), \(id), \(purpose), \(type), \(Int64(sizes.reduce(0, +))), 10, 20)
                """)
            for (n, size) in sizes.enumerated() {
                try owner.query(
                    "INSERT INTO blob_chunk (household_id, blob_id, n, bytes) VALUES (\(household), \(id), \(Int32(n)), \(Random.bytes(size)))"
                )
            }
            return id
        }
        let (reading, file) = (try blob("reading", "image/jpeg", [524_288, 524_288, 777]), FileID.new())
        let original = try blob("original", "application/pdf", [4_321])
        _ = try blob("preview", "image/jpeg", [99])
        try owner.query(
            """
            INSERT INTO receipt_file (household_id, id, receipt_id, position, name, media_type, size, digest, blob_id)
            VALUES (\(household), \(file), \(receipt), 0, 'Bon ÄÖ.pdf', 'application/pdf', 4321, \(Random.bytes(32)), \(original))
            """)
        try owner.query(
            """
            INSERT INTO receipt_page (household_id, receipt_id, n, file_id, reading_blob_id, display_blob_id,
                preview_blob_id, width, height, words)
            VALUES (\(household), \(receipt), 7, \(file), \(reading), \(reading), \(reading), 10, 20, \(Random.bytes(2000)))
            """)
    }

    // MARK: Archives

    /// Writes an archive and returns its path.
    func backUp(_ scope: ArchiveExport.Scope, name: String = "archive.tar") async throws -> String {
        let path = "\(folder)/\(name)"
        let file = try BackupFile(path)
        _ = try await ArchiveExport(pool: pool, scope: scope).write(Self.passphrase, madeAt: 1_795_000_000) { file }
        _ = try file.finish()
        return path
    }

    func check(_ path: String) throws -> ArchiveCheck { try ArchiveCheck.run(path, Self.passphrase) }

    func restoration(_ path: String) throws -> Restoration {
        try Restoration(path, try check(path), try Migration.read(directory: TestSources.root + "/Migrations"))
    }

    /// Returns an empty database on the test server, for a restore.
    func scratch() throws -> ScratchDatabase {
        ScratchDatabase(try TestServer.settings(), application: try TestDatabase.current.settings)
    }

    /// Returns the lines of an archive, each with its part, and the bytes of its pictures in their order.
    static func documents(_ path: String) throws -> (lines: [(part: String, line: String)], pictures: [[UInt8]]) {
        let reader = try ArchiveReader(try ArchiveFile(path)) { head in
            try ArchiveKey(passphrase: passphrase, salt: head.salt)
        }
        var lines: [(String, String)] = []
        var pictures: [[UInt8]] = []
        while let file = try reader.next() {
            switch file {
            case .documents(let part, let documents):
                lines += documents.map { (part.name, String(decoding: $0, as: UTF8.self)) }
            case .picture:
                var bytes: [UInt8] = []
                while let piece = try reader.pictureBytes(100_000) { bytes += piece }
                pictures.append(bytes)
            }
        }
        return (lines, pictures)
    }

    /// Writes a copy of the archive with changed content, authenticated with the passphrase.
    ///
    /// - Parameter edit: returns the lines that replace a line. It is also called for each picture, with an empty
    ///   line; a picture is left out if the result is empty.
    func forge(
        _ path: String, head change: (inout ArchiveHead) -> Void = { _ in },
        _ edit: (ArchivePart, [UInt8]) -> [[UInt8]]
    ) throws -> String {
        let result = "\(folder)/forged-\(UUID()).tar"
        let file = try BackupFile(result)
        var salt: [UInt8] = []
        let reader = try ArchiveReader(try ArchiveFile(path)) { head in
            salt = head.salt
            return try ArchiveKey(passphrase: Self.passphrase, salt: head.salt)
        }
        var head = reader.head
        change(&head)
        let writer = try ArchiveWriter(file, head)
        while let entry = try reader.next() {
            switch entry {
            case .documents(let part, let lines):
                for line in lines {
                    for replacement in edit(part, Array(line)) { try writer.append(replacement, to: part) }
                }
            case .picture(let part, let blob, let size):
                guard let household = part.household, !edit(part, []).isEmpty else {
                    while try reader.pictureBytes(1 << 20) != nil {}
                    continue
                }
                try writer.beginPicture(blob, of: household, mediaType: "image/jpeg", size: size)
                while let bytes = try reader.pictureBytes(1 << 20) { try writer.append(picture: bytes) }
            }
        }
        _ = try writer.finish(try ArchiveKey(passphrase: Self.passphrase, salt: salt))
        _ = try file.finish()
        return result
    }

    /// Returns the number of rows of each table, to check that a refused archive changes nothing.
    func counts() throws -> [String] {
        let owner = try harness.owner()
        let tables = (ArchivedTable.all.map(\.name) + ["person", "blob_chunk"]).sorted()
        return try tables.map { table in
            let count = try owner.query(SQL(uncheckedText: "SELECT count(*) FROM \(table)")).first(Int64.self) ?? -1
            return "\(table) \(count)"
        }
    }
}
