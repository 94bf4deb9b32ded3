import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct SweeperTests {
    @Test(.database) func `deletes only expired data, in every household`() async throws {
        try await AppHarness.run { harness in
            for name in ["Anna Berger", "Carla Neu"] {
                let browser = try await harness.signUp(name)
                let scene = try harness.scene(browser)
                let due = try scene.receipt([("SEIFE", 199)])
                let keptReceipt = try scene.receipt([("MILCH", 179)], head: .init(duplicateOf: due))
                let fresh = try scene.receipt([("BROT", 329)])
                try scene.owner.query(
                    "UPDATE receipt SET discarded_at = now() - interval '29 days' WHERE id = \(fresh)")
                try scene.owner.query(
                    "UPDATE receipt SET discarded_at = now() - interval '31 days' WHERE id = \(due)")
                try scene.owner.query("UPDATE blob SET created_at = now() - interval '3 hours'")
                let old = try scene.blob("original", hoursOld: 3)
                let young = try scene.blob("original", hoursOld: 1)
                for receipt in [keptReceipt, due] {
                    try scene.owner.query(
                        """
                        INSERT INTO change_log (household_id, seq, document_type, document_id, revision, body)
                        SELECT household_id, 1000 + total_minor, 'receipt', id, 1, '{"lines": []}' FROM receipt
                        WHERE id = \(receipt)
                        """)
                }
                try await Sweeper.run(harness.database)
                #expect(
                    try scene.count("SELECT count(*) FROM change_log WHERE document_id = \(due) AND body IS NOT NULL")
                        == 0)
                #expect(
                    try scene.count(
                        "SELECT count(*) FROM change_log WHERE document_id = \(keptReceipt) AND body IS NULL") == 0
                )
                #expect(try scene.lines(keptReceipt) == ["MILCH"])
                #expect(try scene.lines(fresh) == ["BROT"])
                #expect(try scene.count("SELECT count(*) FROM receipt WHERE id = \(due)") == 0)
                #expect(
                    try scene.count("SELECT count(*) FROM change_log WHERE document_id = \(due) AND deleted") == 1)
                #expect(try scene.count("SELECT count(*) FROM blob WHERE id = \(old)") == 0)
                #expect(try scene.count("SELECT count(*) FROM blob WHERE id = \(young)") == 1)
                // Two receipts with three pictures each, and the recent upload.
                #expect(try scene.count("SELECT count(*) FROM blob WHERE household_id = \(scene.household)") == 7)
                #expect(try await browser.get("/receipts/\(keptReceipt)/pages/1/display").status == .ok)
            }
        }
    }

    @Test(.database) func `erases the contents of old revisions except leaves, and deletes very old revisions`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (sync, scene) = (SyncScene(harness, anna), try harness.scene(anna))
            let store = SyncScene.key(.store)
            func body(_ name: String) -> JSONObject { ["type": "store", "name": .string(name)] }
            let revisions: SQL = "FROM document_revision WHERE document_id = \(store.id)"
            func contentCount() throws -> Int64 { try scene.count("SELECT count(*) \(revisions) AND body IS NOT NULL") }
            let first = try await sync.edit(store) { $0 = body("Eins") }
            try await sync.edit(store) { $0["name"] = "Zwei" }
            let all = try contentCount()
            try await Sweeper.run(harness.database)
            #expect(try contentCount() == all && all > 2)
            // The parent of a recent revision keeps its content, because clients may still have this parent.
            try scene.owner.query(
                """
                UPDATE document_revision SET created_at = now() - interval '401 days'
                WHERE document_id = \(store.id)
                    AND generation < (SELECT generation FROM sync_document WHERE document_id = \(store.id))
                """)
            try await Sweeper.run(harness.database)
            #expect(try contentCount() == 2)
            try scene.owner.query("UPDATE document_revision SET created_at = now() - interval '401 days'")
            try await Sweeper.run(harness.database)
            #expect(try contentCount() == 1)
            #expect(try await sync.body(store)?["name"] == "Zwei")
            // The identifiers of the revisions are still known, so a repeated push changes nothing.
            let leaves = try await sync.leaves(store)
            try await sync.replicate(store, first.description, body("Eins"))
            #expect(try await sync.leaves(store) == leaves)
            let newest = try #require(leaves.first)
            let unseen = try #require(RevisionID("1002-c"))
            try await sync.replicate(store, "1003-d", after: [unseen, newest], body("Drei"))
            try await Sweeper.run(harness.database)
            #expect(try scene.count("SELECT min(generation) \(revisions)") == 1_002)
            #expect(try await sync.body(store)?["name"] == "Drei")
        }
    }

    @Test(.database) func `deletes the expense of an expired receipt from all revisions`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let sync = SyncScene(harness, anna)
            let (receipt, expense) = (SyncScene.key(.receipt), SyncScene.key(.expense))
            try await sync.edit(receipt) { $0 = SyncScene.receipt([SyncScene.line("RING", 9900)], stage: "confirmed") }
            try await sync.edit(expense) {
                $0 = ["type": "expense", "receipt": .string(receipt.description), "note": "für Oma"]
            }
            let scene = try harness.scene(anna)
            func bodies() throws -> [Int64] {
                try ["change_log", "document_revision"].map { table in
                    try scene.count(
                        SQL(uncheckedText: "SELECT count(*) FROM \(table) WHERE body IS NOT NULL AND document_id = ")
                            + "\(expense.id)")
                }
            }
            #expect(try bodies().allSatisfy { $0 > 0 })
            try scene.owner.query(
                "UPDATE receipt SET discarded_at = now() - interval '31 days' WHERE id = \(receipt.id)")
            try await Sweeper.run(harness.database)
            #expect(try bodies() == [0, 0])
            #expect(try await sync.body(expense) == nil)
        }
    }

    @Test(.database) func `deletes expenses a month after they were discarded`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            for what in ["Kino", "Miete", "Friseur"] {
                #expect(try await anna.post("/expenses", ["amount": "12,50", "what": what]).status == .seeOther)
            }
            func discard(_ what: String, daysAgo: Int32) throws {
                try owner.query(
                    """
                    UPDATE expense SET discarded_at = now() - \(daysAgo) * interval '1 day'
                    WHERE household_id = \(anna.household) AND what = \(what)
                    """)
            }
            try discard("Miete", daysAgo: 29)
            try discard("Friseur", daysAgo: 31)
            let due = try #require(
                try owner.query("SELECT id FROM expense WHERE what = 'Friseur'").first(ExpenseID.self))
            try await Sweeper.run(harness.database)
            let remainingExpenses = try owner.query("SELECT what FROM expense ORDER BY what").decode(String.self)
            #expect(remainingExpenses == ["Kino", "Miete"])
            let log = try owner.query(
                """
                SELECT count(*) FILTER (WHERE body IS NOT NULL), count(*) FILTER (WHERE deleted) FROM change_log
                WHERE document_id = \(due)
                """
            ).first((Int64, Int64).self)
            #expect(log?.0 == 0)
            #expect(log?.1 == 1)
        }
    }

    @Test(.database) func `an error in one household is reported and does not stop the others`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let carla = try await harness.signUp("Carla Neu")
            let owner = try harness.owner()
            // A row of this table makes it impossible to delete the household's wine table.
            try owner.query(
                """
                CREATE TABLE keeper (
                    household_id uuid, id uuid, FOREIGN KEY (household_id, id) REFERENCES wine_table (household_id, id))
                """)
            // The order of the households is not defined.
            for (broken, whole) in [(anna, carla), (carla, anna)] {
                for browser in [broken, whole] {
                    try owner.query(
                        """
                        INSERT INTO wine_table (household_id, id, person_id, name, created_at)
                        VALUES (\(browser.household), gen_random_uuid(), \(browser.person), '',
                            now() - interval '2 days')
                        """)
                }
                try owner.query(
                    """
                    INSERT INTO keeper SELECT household_id, id FROM wine_table WHERE household_id = \(broken.household)
                    """)
                var failure: (any Error)?
                do {
                    try await Sweeper.run(harness.database)
                } catch {
                    failure = error
                }
                #expect(failure is PostgresError)
                let remainingHouseholds = try owner.query("SELECT household_id FROM wine_table").decode(
                    HouseholdID.self)
                #expect(remainingHouseholds == [broken.household])
                try owner.query("DELETE FROM keeper")
                try owner.query("DELETE FROM wine_table")
            }
        }
    }

    @Test(.database) func `erases the contents of a receipt and an expense that a sync client deleted 30 days ago`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (sync, scene) = (SyncScene(harness, anna), try harness.scene(anna))
            let (receipt, expense) = (SyncScene.key(.receipt), SyncScene.key(.expense))
            try await sync.edit(receipt) { $0 = SyncScene.receipt([SyncScene.line("MILCH", 129)]) }
            try await sync.edit(expense) {
                $0 = ["type": "expense", "what": "Kino", "amount_minor": 900, "currency": "EUR", "day": "2026-03-05"]
            }
            for key in [receipt, expense] {
                try await sync.delete(key)
            }
            func contents() throws -> Int64 {
                let filter: SQL = "document_id = ANY(\([receipt.id, expense.id])) AND body IS NOT NULL"
                let loggedCount = try scene.count("SELECT count(*) FROM change_log WHERE \(filter)")
                return loggedCount + (try scene.count("SELECT count(*) FROM document_revision WHERE \(filter)"))
            }
            // A client that edited a document without a connection may still push its edit.
            try await Sweeper.run(harness.database)
            #expect(try contents() > 0)
            try scene.owner.query(
                "UPDATE document_revision SET created_at = now() - interval '31 days' WHERE hash = 'dddd'")
            try await Sweeper.run(harness.database)
            #expect(try contents() == 0)
        }
    }

    @Test(.database) func `erases a deleted document, but no document of another type with the same id`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (sync, scene) = (SyncScene(harness, anna), try harness.scene(anna))
            let expense = SyncScene.key(.expense)
            let receipt = DocumentKey(.receipt, expense.id)
            try await sync.edit(receipt) { $0 = SyncScene.receipt([SyncScene.line("MILCH", 129)]) }
            try await sync.edit(expense) {
                $0 = ["type": "expense", "what": "Kino", "amount_minor": 900, "currency": "EUR", "day": "2026-03-05"]
            }
            try await sync.delete(expense)
            try scene.owner.query(
                "UPDATE document_revision SET created_at = now() - interval '31 days' WHERE hash = 'dddd'")
            try await Sweeper.run(harness.database)
            #expect(try await sync.body(receipt)?["store"] == "Testladen")
            #expect(try Self.contentCount(expense, scene) == 0)
        }
    }

    @Test(.database, arguments: [true, false])
    func `erases a discarded document, but no document of another type with the same id`(isReceiptDiscarded: Bool)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (sync, scene) = (SyncScene(harness, anna), try harness.scene(anna))
            let expense = SyncScene.key(.expense)
            let receipt = DocumentKey(.receipt, expense.id)
            try await sync.edit(receipt) { $0 = SyncScene.receipt([SyncScene.line("MILCH", 129)]) }
            try await sync.edit(expense) {
                $0 = ["type": "expense", "what": "Kino", "amount_minor": 900, "currency": "EUR", "day": "2026-03-05"]
            }
            let table: SQL = isReceiptDiscarded ? "receipt" : "expense"
            try scene.owner.query(
                "UPDATE \(table) SET discarded_at = now() - interval '31 days' WHERE id = \(expense.id)")
            try await Sweeper.run(harness.database)
            if isReceiptDiscarded {
                #expect(try await sync.body(receipt) == nil)
                #expect(try await sync.body(expense)?["what"] == "Kino")
            } else {
                #expect(try await sync.body(expense) == nil)
                #expect(try await sync.body(receipt)?["store"] == "Testladen")
            }
            #expect(try Self.contentCount(isReceiptDiscarded ? receipt : expense, scene) == 0)
        }
    }

    /// The number of entries and revisions of a document that have contents.
    private static func contentCount(_ key: DocumentKey, _ scene: ReceiptScene) throws -> Int64 {
        let filter: SQL = "document_type = \(key.type.rawValue) AND document_id = \(key.id) AND body IS NOT NULL"
        let loggedCount = try scene.count("SELECT count(*) FROM change_log WHERE \(filter)")
        return loggedCount + (try scene.count("SELECT count(*) FROM document_revision WHERE \(filter)"))
    }

    @Test(.database) func `deletes expired sessions, sign-in failures and operations`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let other = try await harness.invite(by: anna)
            let scene = try harness.scene(anna)
            try scene.owner.query(
                "UPDATE session SET expires_at = now() - interval '1 second' WHERE person_id = \(anna.person)")
            try scene.owner.query(
                """
                INSERT INTO sign_in_failure (subject, failures, blocked_until, last_at)
                VALUES ('a', 1, now(), now() - interval '2 days'), ('b', 1, now(), now())
                """)
            try scene.owner.query("UPDATE operation SET done_at = now() - interval '31 days'")
            try await Sweeper.run(harness.database)
            #expect(try scene.count("SELECT count(*) FROM session") == 1)
            #expect(try scene.count("SELECT count(*) FROM sign_in_failure") == 1)
            #expect(try scene.count("SELECT count(*) FROM operation") == 0)
            #expect(try await other.get("/receipts").status == .ok)
        }
    }
}
