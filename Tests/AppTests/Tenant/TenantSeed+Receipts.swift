import Domain
import Postgres

@testable import App

extension TenantSeed {
    /// Inserts four receipts: in review, being read, confirmed, and discarded.
    mutating func receipts() throws {
        for stage in ["review", "reading", "confirmed", "discarded"] {
            let receipt = ReceiptID.new()
            try connection.query(
                """
                INSERT INTO receipt (household_id, id, stage, verdict, store_id, purchase_day, total_minor, person_id, note,
                    discarded_at, printed_store)
                VALUES (\(household), \(receipt), \(stage == "discarded" ? "review" : stage), 'review', \(store),
                    '2026-03-04', 199, \(person), \("\(mark)notiz"), CASE WHEN \(stage == "discarded") THEN now() END,
                    jsonb_build_object('name', \("\(mark)markt")::text))
                """)
            record(receipt, as: "receipt")
            let line = ReceiptLineID.new()
            let isBound = stage == "confirmed"
            try connection.query(
                """
                INSERT INTO receipt_line (household_id, id, receipt_id, position, kind, printed_name, alias_key, total_minor,
                    product_id)
                VALUES (\(household), \(line), \(receipt), 0, 'item', \("\(mark) NEU \(stage)"),
                    \("\(mark.lowercased()) neu \(stage)"), 199, \(isBound ? products[0] : nil))
                """)
            if !isBound { record(line, as: "line") }
            try pictures(of: receipt, isWaiting: stage == "reading")
        }
        try connection.query(
            """
            INSERT INTO price (household_id, id, product_id, store_id, day, regular_thousandths, paid_thousandths,
                quantity_thousandths, unit, receipt_id)
            SELECT household_id, \(PriceID.new()), \(products[0]), \(store), '2026-03-04', 199000, 199000, 1000, 'piece', id
            FROM receipt WHERE household_id = \(household) AND stage = 'confirmed' AND note = \("\(mark)notiz")
            """)
    }

    /// Inserts two changes of the first receipt, and a value that a merge did not keep.
    mutating func history() throws {
        guard let receipt = ids["receipt"]?.first.flatMap({ ReceiptID($0) }) else { return }
        // The sequence numbers of changes must differ between households.
        let first = try connection.query(
            """
            UPDATE household SET sync_seq = sync_seq + \(Int64(mark.utf8.count) * 1_000) WHERE id = \(household)
            RETURNING sync_seq - 1
            """
        ).first(Int64.self)
        guard let first else { return }
        for (seq, total) in [(first, 100), (first + 1, 199)] as [(Int64, Int64)] {
            try connection.query(
                """
                INSERT INTO change_log (household_id, seq, document_type, document_id, revision, body, person_id)
                SELECT \(household), \(seq), 'receipt', id, 1,
                    to_jsonb(r) || jsonb_build_object('total_minor', \(total), 'lines', '[]'::jsonb), \(person)
                FROM receipt r WHERE household_id = \(household) AND id = \(receipt)
                """)
        }
        ids["change"] = [String(first + 1)]
        let value = Identifier<Void>.new()
        try connection.query(
            """
            INSERT INTO lost_value (household_id, id, document_type, document_id, field, kept, lost, person_id, rev)
            VALUES (\(household), \(value), 'receipt', \(receipt), 'deleted', 'false', 'true', \(person), '1-a')
            """)
        ids["value"] = [value.description]
    }

    private mutating func pictures(of receipt: ReceiptID, isWaiting: Bool) throws {
        let blob = BlobID.new()
        try connection.query(
            """
            INSERT INTO blob (household_id, id, purpose, media_type, size)
            VALUES (\(household), \(blob), \(isWaiting ? "original" : "display"), 'image/jpeg', 4)
            """)
        try connection.query(
            """
            INSERT INTO blob_chunk (household_id, blob_id, n, bytes)
            VALUES (\(household), \(blob), 0, \([0xff, 0xd8, 0xff, 0xe0] as [UInt8]))
            """)
        let file = FileID.new()
        try connection.query(
            """
            INSERT INTO receipt_file (household_id, id, receipt_id, position, name, media_type, size, digest, blob_id)
            VALUES (\(household), \(file), \(receipt), 0, \("\(mark).jpg"), 'image/jpeg', 4, \(Array(file.description.utf8)),
                \(isWaiting ? blob : nil))
            """)
        record(file, as: "receipt-file")
        guard !isWaiting else { return }
        for n in 0..<2 as Range<Int32> {
            try connection.query(
                """
                INSERT INTO receipt_page (household_id, receipt_id, n, file_id, reading_blob_id, display_blob_id,
                    preview_blob_id, width, height)
                VALUES (\(household), \(receipt), \(n), \(file), \(blob), \(blob), \(blob), 100, 200)
                """)
        }
    }
}
