import Domain
import Postgres
import TestSupport
import Testing

@testable import App

/// Rules that the whole database schema and its sessions have to follow.
@Suite(.timeLimit(.minutes(5))) struct SchemaGuardTests {
    @Test(.database) func `every foreign key has an index, with listed exceptions`() throws {
        let owner = try TestDatabase.current.owner()
        let exceptions = [
            // An index on these keys would only speed up deleting single people, stores and categories.
            "category_parent_fkey", "change_log_person_id_fkey", "import_file_person_id_fkey",
            "invitation_created_by_fkey", "price_store_fkey", "product_category_fkey",
            "receipt_person_id_fkey", "receipt_store_fkey", "expense_person_id_fkey", "expense_paid_by_fkey",
            "expense_share_person_id_fkey", "expense_line_person_id_fkey", "category_share_person_id_fkey",
            "settlement_from_person_fkey",
            "settlement_to_person_fkey",
            "balance_month_person_id_fkey", "budget_person_id_fkey", "bank_import_person_id_fkey",
            "wine_mark_person_id_fkey", "wine_scan_person_id_fkey", "wine_table_person_id_fkey",
            "recurring_expense_person_id_fkey", "savings_deposit_person_id_fkey", "webhook_added_by_fkey",
            "webhook_confirmed_by_fkey",
            // Sessions are searched by person, and there is an index for that.
            "session_membership_fkey",
        ]
        let unindexed = try owner.query(
            """
            SELECT c.conname FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
            WHERE c.contype = 'f' AND t.relnamespace = 'public'::regnamespace
                AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid
                    AND (SELECT array_agg(k ORDER BY k) FROM unnest((i.indkey::int2[])[0:cardinality(c.conkey) - 1]) k)
                        = (SELECT array_agg(k ORDER BY k) FROM unnest(c.conkey) k))
            ORDER BY 1
            """
        ).decode(String.self).filter { !exceptions.contains($0) }
        #expect(unindexed == [])
    }

    @Test(.database, arguments: [(10, "90s"), (600, "630s")])
    func `PostgreSQL ends long statements and idle transactions`(timeout: Int, shown: String) throws {
        var settings = try TestDatabase.current.settings
        settings.statementTimeout = .seconds(timeout)
        let connection = try SynchronousConnection(settings.withSessionOptions())
        #expect(try connection.query("SHOW statement_timeout").first(String.self) == shown)
        #expect(try connection.query("SHOW idle_in_transaction_session_timeout").first(String.self) == "1min")
    }

    @Test func `session options in the URL take precedence`() throws {
        let settings = try PostgresSettings(
            url: "postgresql:///x?options=-c%20statement_timeout%3D5s"
        ).withSessionOptions()
        #expect(settings["options"]?.hasSuffix("-c statement_timeout=5s") == true)
    }
}
