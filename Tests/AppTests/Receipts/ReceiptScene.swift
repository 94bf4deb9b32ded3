import Crypto
import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Inserts receipts directly, as if the reader had stored them.
struct ReceiptScene {
    let owner: SynchronousConnection
    let household: HouseholdID

    /// Inserts a receipt, by default in review with one picture. A line is its name and its amount in cents.
    func receipt(
        _ lines: [(String, Int64)], pages: Int = 1, stage: String = "review", person: PersonID? = nil,
        head: Head = Head()
    ) throws -> ReceiptID {
        let receipt = ReceiptID.new()
        try owner.query(
            """
            INSERT INTO receipt (household_id, id, stage, verdict, reasons, doubts, printed_store, purchase_day,
                purchase_time, total_minor, evidence, marks, purchase_key, duplicate_of, person_id)
            VALUES (\(household), \(receipt), \(stage), \(stage == "reading" ? nil : head.verdict), \(head.reasons),
                \(head.doubts), \(head.printedStore), \(head.day.flatMap { LocalDate(parsing: $0) }),
                \(head.time)::text::time, \(head.totalMinor(of: lines)), \(head.evidence), \(head.storedMarks),
                \(head.purchaseKey), \(head.duplicateOf), \(person))
            """)
        for (position, line) in lines.enumerated() {
            try owner.query(
                """
                INSERT INTO receipt_line (household_id, id, receipt_id, position, kind, printed_name, alias_key,
                    total_minor, page, box_x, box_y, box_width, box_height)
                VALUES (\(household), \(ReceiptLineID.new()), \(receipt), \(Int32(position)), 'item', \(line.0),
                    \(AliasKey(printed: line.0)?.text ?? ""), \(line.1),
                    \(pages == 0 ? nil : Int32(min(position, pages - 1))), 1, 1, 9, 9)
                """)
        }
        for n in 0..<pages { try page(n, of: receipt) }
        return receipt
    }

    /// Inserts a receipt and adds it to the change log, as a reading does.
    func receiptInChangeLog(
        _ harness: AppHarness, _ lines: [(String, Int64)], person: PersonID? = nil, head: Head = Head()
    ) async throws -> ReceiptID {
        let receipt = try receipt(lines, person: person, head: head)
        try await harness.database.write(household, by: nil) { changes in changes.changed(.receipt, receipt) }
        return receipt
    }

    /// Inserts one picture in three sizes, and its file.
    private func page(_ n: Int, of receipt: ReceiptID) throws {
        let file = FileID.new()
        try owner.query(
            """
            INSERT INTO receipt_file (household_id, id, receipt_id, position, media_type, size, digest)
            VALUES (\(household), \(file), \(receipt), \(Int32(n)), 'image/jpeg', 3, \(Array("\(file)".utf8)))
            """)
        let blobs = try ["reading", "display", "preview"].map { try blob($0) }
        try owner.query(
            """
            INSERT INTO receipt_page
                (household_id, receipt_id, n, file_id, reading_blob_id, display_blob_id, preview_blob_id, width, height)
            VALUES (\(household), \(receipt), \(Int32(n)), \(file), \(blobs[0]), \(blobs[1]), \(blobs[2]), 10, 10)
            """)
    }

    func blob(_ purpose: String, hoursOld: Int64 = 0) throws -> BlobID {
        let blob = BlobID.new()
        try owner.query(
            """
            INSERT INTO blob (household_id, id, purpose, media_type, size, created_at)
            VALUES (\(household), \(blob), \(purpose), 'image/jpeg', 3, now() - \(hoursOld) * interval '1 hour')
            """)
        try owner.query(
            """
            INSERT INTO blob_chunk (household_id, blob_id, n, bytes)
            VALUES (\(household), \(blob), 0, \([1, 2, 3] as [UInt8]))
            """)
        return blob
    }

    // MARK: Stored values

    /// The names of the lines in their order.
    func lines(_ receipt: ReceiptID) throws -> [String] {
        try owner.query("SELECT printed_name FROM receipt_line WHERE receipt_id = \(receipt) ORDER BY position, id")
            .decode(String.self)
    }

    func keys(_ receipt: ReceiptID) throws -> [ReceiptLineID] {
        try owner.query("SELECT id FROM receipt_line WHERE receipt_id = \(receipt) ORDER BY position, id")
            .decode(ReceiptLineID.self)
    }

    func pages(_ receipt: ReceiptID) throws -> [Int32] {
        try owner.query("SELECT n FROM receipt_page WHERE receipt_id = \(receipt) ORDER BY n").decode(Int32.self)
    }

    func count(_ sql: SQL) throws -> Int64 {
        let rows = try owner.query(sql)
        return try #require(try rows.first(Int64.self))
    }

    func text(_ sql: SQL) throws -> String? { try owner.query(sql).decode(String?.self).first ?? nil }

    func revision(_ receipt: ReceiptID) throws -> Int64 {
        try count("SELECT revision FROM receipt WHERE id = \(receipt)")
    }
}

extension AppHarness {
    func scene(_ browser: Browser) throws -> ReceiptScene {
        ReceiptScene(owner: try owner(), household: browser.household)
    }

    /// Adds a second member to the household, in another browser.
    func invite(by owner: Browser, name: String = "Ben Auer") async throws -> Browser {
        let invitation = try await Invitations(database: database).invite(
            into: owner.household, by: owner.person, role: .member)
        let browser = browser()
        let link = "/join/\(invitation.token.secret)"
        let page = try await browser.get(link)
        let answer = try await browser.post(
            link, ["name": name, "email": "ben@example.at", "password": "sechs Birnen am Baum"], on: page)
        try #require(answer.status == .seeOther, "\(answer.text)")
        return browser
    }
}
