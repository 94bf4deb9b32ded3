import Postgres

/// A table whose rows are archived as documents.
struct ArchivedTable: Sendable {
    let name: String
    /// The columns after household_id that identify a row; rows are archived in this order.
    private let key: String
    /// An SQL condition on the rows to archive, in which `t` is the table; empty for all rows of the household.
    private let condition: String
    /// Values that are archived instead of the values of the row, as a JSON object.
    private let fixed: String
    /// A column that refers to a row of the same table. A restore sets it after it has inserted all rows.
    let reference: String?
    /// The number of rows per FETCH. Small for tables with large documents, to limit memory.
    let batch: Int

    init(
        _ name: String, key: String, where condition: String = "", fixed: String = "", reference: String? = nil,
        batch: Int = 500
    ) {
        self.name = name
        self.key = key
        self.condition = condition
        self.fixed = fixed
        self.reference = reference
        self.batch = batch
    }

    /// All archived tables, each after the tables to which its foreign keys refer. A test compares this list with the
    /// schema.
    static let all: [ArchivedTable] = [
        ArchivedTable("household", key: "id"),
        ArchivedTable("membership", key: "person_id"),
        ArchivedTable("store", key: "id"),
        ArchivedTable("category", key: "id", reference: "parent_id"),
        ArchivedTable("category_share", key: "category_id, person_id"),
        ArchivedTable("comparison_group", key: "id"),
        ArchivedTable("product", key: "id"),
        ArchivedTable("product_package", key: "product_id, valid_from"),
        ArchivedTable("matching_batch", key: "id"),
        ArchivedTable("product_alias", key: "id"),
        ArchivedTable("ignored_name", key: "id"),
        ArchivedTable("blob", key: "id", where: isReferenced),
        ArchivedTable("receipt", key: "id", reference: "duplicate_of", batch: 20),
        ArchivedTable("receipt_file", key: "id"),
        // The recognised words of a page can have 8 MiB as hexadecimal digits.
        ArchivedTable("receipt_page", key: "receipt_id, n", batch: 3),
        ArchivedTable("receipt_line", key: "id"),
        ArchivedTable("price", key: "id"),
        ArchivedTable("store_price", key: "product_id, store_id"),
        ArchivedTable("product_price", key: "product_id"),
        ArchivedTable("spending_month", key: "month, category_id"),
        ArchivedTable("spending_day", key: "day, category_id"),
        ArchivedTable("review_draft", key: "receipt_id, person_id", batch: 5),
        // A restored reading job starts from the beginning.
        ArchivedTable(
            "job", key: "id", where: "t.kind = 'read'",
            fixed:
                #"{"lease_until": null, "attempts": 0, "overloads": 0, "step": "words", "pages": 0, "page_count": 0}"#),
        ArchivedTable("preferences", key: "id"),
        ArchivedTable("expense", key: "id"),
        ArchivedTable("expense_share", key: "expense_id, person_id"),
        ArchivedTable("expense_line", key: "expense_id, line_id"),
        ArchivedTable("exchange_rate", key: "currency, day"),
        ArchivedTable("expense_day", key: "day, seen_by, flow, category_id, paid_by, payee_key"),
        ArchivedTable("expense_month", key: "flow, category_id, month, seen_by, paid_by"),
        ArchivedTable("settlement", key: "id"),
        ArchivedTable("balance_month", key: "month, person_id, currency"),
        ArchivedTable("budget", key: "id"),
        ArchivedTable("budget_limit", key: "budget_id, valid_from"),
        // A file that waits to be read can have 5 MiB.
        ArchivedTable("bank_import", key: "id", batch: 3),
        ArchivedTable("bank_booking", key: "id"),
        ArchivedTable("bank_pair", key: "id"),
        ArchivedTable("bank_columns", key: "source_key"),
        ArchivedTable("wine", key: "id"),
        ArchivedTable("wine_score", key: "wine_id, critic"),
        ArchivedTable("wine_catalogue", key: "household_id"),
        ArchivedTable("wine_alias", key: "id"),
        ArchivedTable("wine_mark", key: "wine_id, person_id"),
        ArchivedTable("wine_bottle", key: "id"),
        ArchivedTable("wine_scan", key: "id", batch: 20),
        ArchivedTable("wine_sighting", key: "scan_id, n"),
        ArchivedTable("wine_counter", key: "day, name"),
        ArchivedTable("expense_rule", key: "id"),
        ArchivedTable("expense_rule_run", key: "id"),
        ArchivedTable("expense_rule_change", key: "run_id, expense_id"),
        ArchivedTable("recurring_expense", key: "id"),
        ArchivedTable("savings_goal", key: "id"),
        ArchivedTable("savings_deposit", key: "id"),
        ArchivedTable("change_log", key: "seq", batch: 20),
        ArchivedTable("document_revision", key: "document_type, document_id, generation, hash", batch: 20),
        ArchivedTable("sync_document", key: "document_type, document_id"),
        ArchivedTable("lost_value", key: "id"),
    ]

    /// The tables that are not archived, with the reason.
    static let notArchived: [String: String] = [
        "person": "archived as people, once for all households",
        "blob_chunk": "archived as pictures",
        "session": "a restored session could have been ended since",
        "known_device": "recognises a browser by a secret; sign-in works without it",
        "api_key": "a restored key could have been revoked since",
        "webhook": "a restored household would send each message twice; archives must not contain secrets",
        "webhook_delivery": "messages to webhooks, which are not archived",
        "idempotent_request": "responses that are kept for a day, for repeated requests",
        "sync_checkpoint": "sync clients of a restored installation start from the beginning",
        "invitation": "a restored link could have been used or revoked since",
        "password_reset": "a restored link could have been used or revoked since",
        "sign_in_failure": "only the last hours matter",
        "operation": "detects that a request is repeated within 30 days",
        "import_file": "a file to import, which is deleted after a day",
        "wine_table": "a file to import, which is deleted after a day",
        "wine_table_chunk": "part of a file to import, which is deleted after a day",
        "wine_merge": "needed only to undo a merge of wines",
        "wine_plan": "limits that the operator of the installation sets",
        "shared_wine": "the operator's catalogue, which the operator imports",
        "shared_wine_catalogue": "the version of the operator's catalogue",
        "upload": "an incomplete upload, which the browser repeats",
        "watched_file": "files in a folder of this installation",
        "job_turn": "only the last minutes matter",
        "household_deletion": "households that are being erased, which have no members and are not archived",
        "chain": "the server fills it at start",
        "installation": "a restored installation gets a new UUID, so that sync clients start from the beginning",
        "schema_migration": "written by the migrations; the archive's head holds the number",
    ]

    /// A condition that skips the blobs of interrupted uploads and readings, which the sweeper deletes.
    private static let isReferenced = """
        (EXISTS (SELECT 1 FROM receipt_file f WHERE f.household_id = t.household_id AND f.blob_id = t.id)
            OR EXISTS (SELECT 1 FROM receipt_page g WHERE g.household_id = t.household_id AND g.reading_blob_id = t.id)
            OR EXISTS (SELECT 1 FROM receipt_page g WHERE g.household_id = t.household_id AND g.display_blob_id = t.id)
            OR EXISTS (SELECT 1 FROM receipt_page g WHERE g.household_id = t.household_id AND g.preview_blob_id = t.id))
        """

    /// The column with the identifier of the household.
    var householdColumn: String { name == "household" ? "id" : "household_id" }

    // All names below are constants of this file, so building SQL from them is safe.

    private static let household = "NULLIF(current_setting('app.household', true), '')::uuid"

    /// Opens the cursor `archived` over the rows of the transaction's household. Its one column is a row as JSON text.
    var cursor: SQL {
        let row = fixed.isEmpty ? "to_jsonb(t)" : "(to_jsonb(t) || '\(fixed)'::jsonb)"
        let filter = condition.isEmpty ? "" : " AND \(condition)"
        return SQL(
            uncheckedText: """
                DECLARE archived NO SCROLL CURSOR FOR SELECT \(row)::text FROM \(name) t
                WHERE t.\(householdColumn) = \(Self.household)\(filter) ORDER BY \(key)
                """)
    }

    /// Opens the cursor `archived` over the chunks of all referenced pictures: blob, media type, size, bytes. A chunk
    /// has at most 512 KiB.
    static let pictures = SQL(
        uncheckedText: """
            DECLARE archived NO SCROLL CURSOR FOR SELECT t.id, t.media_type, t.size, c.bytes FROM blob t
            LEFT JOIN blob_chunk c ON c.household_id = t.household_id AND c.blob_id = t.id
            WHERE t.household_id = \(household) AND \(isReferenced) ORDER BY t.id, c.n
            """)

    static func fetch(_ count: Int) -> SQL { SQL(uncheckedText: "FETCH \(count) FROM archived") }

    static let close: SQL = "CLOSE archived"

    /// Inserts the rows in a JSON array.
    func insertion(_ rows: [UInt8]) -> SQL {
        SQL(uncheckedText: "INSERT INTO \(name) SELECT * FROM jsonb_populate_recordset(NULL::\(name), ")
            + "\(PostgresJSON(rows)))"
    }

    /// Sets the column `column`, which refers to rows of the same table.
    func settingReferences(_ ids: [PostgresUUID], _ targets: [PostgresUUID], column: String) -> SQL {
        SQL(uncheckedText: "UPDATE \(name) t SET \(column) = n.target FROM unnest(")
            + "\(ids), \(targets)) AS n (id, target) WHERE t.household_id = \(sqlHousehold) AND t.id = n.id"
    }

    private var sqlHousehold: SQL { SQL(uncheckedText: Self.household) }
}
