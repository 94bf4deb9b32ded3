import Demo
import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The change log of a household contains every write.
@Suite(.timeLimit(.minutes(5))) struct ChangeLogTests {
    @Test(.database) func `a write to a household that does not exist is refused as not found`() async throws {
        try await AppHarness.run { harness in
            let refusal = await #expect(throws: Refusal.self) {
                try await harness.database.write(HouseholdID.new(), by: nil) { _ in }
            }
            #expect(refusal?.status == .notFound)
        }
    }

    @Test(.database) func `ignoring a name adds one document to the change log`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("TRAGETASCHE", 25)])
            try await harness.confirm(receipt, by: anna)
            let sequenceBefore = try scene.count("SELECT sync_seq FROM household WHERE id = \(anna.household)")
            let line = try scene.keys(receipt)[0]
            #expect(try await anna.post("/matching", ["alias": "\(line)", "product": "ignore"]).status == .seeOther)
            #expect(
                try scene.count("SELECT sync_seq FROM household WHERE id = \(anna.household)") == sequenceBefore + 1)
            let loggedChange = try scene.owner.query(
                "SELECT document_type, body ->> 'alias_key' FROM change_log ORDER BY seq DESC LIMIT 1")
            let row = try #require(try loggedChange.first((String, String).self))
            #expect(row == ("ignored_name", "tragetasche"))
        }
    }

    @Test(.database) func `after two random years the change log has the current version of every document`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            try await harness.database.write(anna.household, by: anna.person) { changes in
                try await DemoFilling(DemoHousehold(endingOn: WallClock.today()), changes).insert()
            }
            _ = try await anna.post("/receipts/confirmations")
            _ = try await anna.post("/matching/new-products")
            for type in DocumentType.allCases where type != .image {
                let tables: [DocumentType: String] = [.alias: "product_alias", .bankFile: "bank_import"]
                let table = tables[type] ?? type.rawValue
                let key = type == .wineCatalogue ? "household_id" : "id"
                let missing = try scene.owner.query(
                    SQL(
                        uncheckedText: """
                            SELECT d.\(key) FROM \(table) d WHERE NOT EXISTS (SELECT 1 FROM change_log c
                                WHERE c.document_id = d.\(key) AND c.document_type = '\(type.rawValue)'
                                    AND c.revision = d.revision AND NOT c.deleted)
                            """))
                #expect(missing.isEmpty, "\(table): \(missing.count)")
            }
            let images = try scene.owner.query(
                """
                SELECT f.id FROM receipt_file f WHERE NOT EXISTS (SELECT 1 FROM sync_document s
                    WHERE s.document_id = f.id AND s.document_type = 'image' AND NOT s.deleted)
                """)
            #expect(images.isEmpty)
            // Each document has the sequence number of its newest entry, and the revision that this entry created.
            let stale = try scene.owner.query(
                """
                SELECT s.document_id FROM sync_document s
                JOIN (SELECT DISTINCT ON (document_id) * FROM change_log ORDER BY document_id, seq DESC) c
                    ON c.document_id = s.document_id
                WHERE s.seq <> c.seq OR s.generation || '-' || s.hash <> c.rev OR s.deleted <> c.deleted
                    OR s.leaves <> ARRAY[c.rev]
                """)
            #expect(stale.isEmpty, "\(stale.count)")
            let numbers = try scene.owner.query(
                "SELECT count(*), min(seq), max(seq), (SELECT sync_seq FROM household) FROM change_log")
            let (count, first, last, sequence) = try #require(
                try numbers.first((Int64, Int64, Int64, Int64).self))
            #expect(first == 1 && last == count && sequence == count)
        }
    }
}
