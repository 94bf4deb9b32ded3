import Postgres

/// A table whose rows are archived as documents.
struct ArchivedTable: Sendable {
    let name: String
    /// The columns after household_id that identify a row; rows are archived in this order.
    private let key: String
    /// A condition on `t` for the rows to archive; empty for all rows of the household.
    private let condition: String
    /// Values to archive instead of those in the row, as a JSON object.
    private let fixed: String
    /// A column that refers to a row of the same table. It is set after all rows have been inserted.
    let reference: String?
    /// The number of rows that one FETCH reads. It limits memory, because some documents have megabytes.
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

    /// All archived tables, each after the tables that its foreign keys refer to. A test compares this list with the
    /// schema.
    static let all: [ArchivedTable] = [
        ArchivedTable("household", key: "id"),
        ArchivedTable("membership", key: "person_id"),
        ArchivedTable("store", key: "id"),
        ArchivedTable("category", key: "id", reference: "parent_id"),
        ArchivedTable("comparison_group", key: "id"),
        ArchivedTable("product", key: "id"),
        ArchivedTable("product_package", key: "product_id, valid_from"),
        ArchivedTable("matching_batch", key: "id"),
        ArchivedTable("product_alias", key: "id"),
        ArchivedTable("ignored_name", key: "id"),
        ArchivedTable("blob", key: "id", where: isReferenced),
        ArchivedTable("receipt", key: "id", reference: "duplicate_of", batch: 20),
        ArchivedTable("receipt_file", key: "id"),
        // The words of a page can have 8 MiB of hexadecimal digits.
        ArchivedTable("receipt_page", key: "receipt_id, n", batch: 3),
        ArchivedTable("receipt_line", key: "id"),
        ArchivedTable("price", key: "id"),
        ArchivedTable("store_price", key: "product_id, store_id"),
        ArchivedTable("product_price", key: "product_id"),
        ArchivedTable("spending_month", key: "month, category_id"),
        ArchivedTable("spending_day", key: "day, category_id"),
        ArchivedTable("review_draft", key: "receipt_id, person_id", batch: 5),
        // A restored job starts from the beginning.
        ArchivedTable(
            "job", key: "id", where: "t.kind = 'read'",
            fixed: #"{"lease_until": null, "attempts": 0, "step": "words", "pages": 0, "page_count": 0}"#),
        ArchivedTable("preferences", key: "id"),
        ArchivedTable("expense", key: "id"),
        ArchivedTable("expense_share", key: "expense_id, person_id"),
        ArchivedTable("exchange_rate", key: "currency, day"),
        ArchivedTable("expense_day", key: "day, seen_by, flow, category_id, paid_by, payee_key"),
        ArchivedTable("expense_month", key: "flow, category_id, month, seen_by, paid_by"),
        ArchivedTable("settlement", key: "id"),
        ArchivedTable("balance_month", key: "month, person_id, currency"),
        ArchivedTable("budget", key: "id"),
        ArchivedTable("budget_limit", key: "budget_id, valid_from"),
        // A waiting file can have 5 MiB.
        ArchivedTable("bank_import", key: "id", batch: 3),
        ArchivedTable("bank_booking", key: "id"),
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

    /// The tables that are not archived, and why.
    static let leftOut: [String: String] = [
        "person": "archived as people, once for all households",
        "blob_chunk": "archived as pictures",
        "session": "a restored session would accept a cookie whose session has ended since",
        "known_device": "recognises a browser by a secret; sign-in works without it",
        "api_key": "a restored key could have been revoked since",
        "webhook": "a restored household would send everything twice; archives must not contain its secret",
        "webhook_delivery": "messages to a webhook, which is not archived",
        "idempotent_request": "responses to repeated requests of one day",
        "sync_checkpoint": "clients of a new installation compare everything again",
        "invitation": "a restored link could have been used or revoked since",
        "password_reset": "a restored link could have been used or revoked since",
        "sign_in_failure": "counts the last hours only",
        "operation": "detects repeated requests after lost commits",
        "import_file": "waits at most a day to be imported",
        "wine_table": "waits at most a day to be imported",
        "wine_table_chunk": "belongs to a table that waits to be imported",
        "wine_merge": "lets a merge be undone, as long as the deleted wine exists",
        "wine_plan": "the operator's limits for the household; another operator sets other ones",
        "shared_wine": "the operator's catalogue, which the operator imports",
        "shared_wine_catalogue": "the version of the operator's catalogue",
        "upload": "a file that has not arrived completely; the browser sends it again",
        "job_turn": "orders the jobs of the last minutes",
        "chain": "filled from the program at start",
        "installation": "a restored installation gets a new uuid, so that sync clients compare everything again",
        "schema_migration": "written by the migrations; the head of the archive has the number",
    ]

    /// Skip the blobs of interrupted uploads and readings, which the sweeper deletes.
    private static let isReferenced = """
        (EXISTS (SELECT 1 FROM receipt_file f WHERE f.household_id = t.household_id AND f.blob_id = t.id)
            OR EXISTS (SELECT 1 FROM receipt_page g WHERE g.household_id = t.household_id AND g.reading_blob_id = t.id)
            OR EXISTS (SELECT 1 FROM receipt_page g WHERE g.household_id = t.household_id AND g.display_blob_id = t.id)
            OR EXISTS (SELECT 1 FROM receipt_page g WHERE g.household_id = t.household_id AND g.preview_blob_id = t.id))
        """

    /// The column that contains the household.
    var householdColumn: String { name == "household" ? "id" : "household_id" }

    // All names below are constants of this file, so building SQL from them is safe.

    private static let household = "NULLIF(current_setting('app.household', true), '')::uuid"

    /// Opens the cursor `archived` with one text column, over the rows of the transaction's household.
    var cursor: SQL {
        let row = fixed.isEmpty ? "to_jsonb(t)" : "(to_jsonb(t) || '\(fixed)'::jsonb)"
        let filter = condition.isEmpty ? "" : " AND \(condition)"
        return SQL(
            uncheckedText: """
                DECLARE archived NO SCROLL CURSOR FOR SELECT \(row)::text FROM \(name) t
                WHERE t.\(householdColumn) = \(Self.household)\(filter) ORDER BY \(key)
                """)
    }

    /// Opens the cursor `archived` over the chunks of all pictures: blob, media type, size, bytes. A chunk has at most
    /// 512 KiB.
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

    /// Sets the column that refers to rows of the same table.
    func referring(_ ids: [PostgresUUID], _ targets: [PostgresUUID], column: String) -> SQL {
        SQL(uncheckedText: "UPDATE \(name) t SET \(column) = n.target FROM unnest(")
            + "\(ids), \(targets)) AS n (id, target) WHERE t.household_id = \(sqlHousehold) AND t.id = n.id"
    }

    private var sqlHousehold: SQL { SQL(uncheckedText: Self.household) }
}
