import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Documents, attachments and checkpoints of another household are not found, with and without row-level security.
@Suite(.timeLimit(.minutes(5))) struct SyncTenantTests {
    private static func disableRowLevelSecurity(_ connection: SynchronousConnection) throws {
        for table in try connection.query("SELECT relname::text FROM pg_class WHERE relrowsecurity AND relkind = 'r'")
            .decode(String.self)
        {
            try connection.query(SQL(uncheckedText: "ALTER TABLE \(table) DISABLE ROW LEVEL SECURITY"))
        }
    }

    @Test(.database, arguments: [true, false])
    func `data of another household cannot be read or changed`(hasRowLevelSecurity: Bool) async throws {
        try await AppHarness.run { harness in
            let connection = try harness.owner()
            if !hasRowLevelSecurity { try Self.disableRowLevelSecurity(connection) }
            let (mine, theirs) = (
                try await CouchClient(harness, try await harness.signUp()),
                try await CouchClient(harness, try await harness.signUp("Berta Geheim", household: "Geheim"))
            )
            let (store, image) = (SyncScene.key(.store).description, SyncScene.key(.image).description)
            _ = try await theirs.push([CouchClient.revision(store, ["1-a"], ["type": "store", "name": "Geheimladen"])])
            let picture = HostilePictures.receipt
            _ = try await theirs.caller.send(.put, "\(theirs.base)/\(image)/geheim.png", type: "image/png", picture)
            _ = try await theirs.put("/_local/same", ["secret": "Geheim"])
            let pageBefore = try await theirs.get("/_changes?include_docs=true&style=all_docs").text

            for path in ["", "/_changes", "/_all_docs", "/_local/same", "/\(store)", "/\(image)/geheim.png"] {
                let foreign = try await mine.caller.get(theirs.base + path)
                #expect(foreign.status == .notFound && !foreign.text.contains("Geheim"), "\(path)")
            }
            let rows = "/api/v1/households/\(theirs.base.split(separator: "/").last ?? "")/sync"
            #expect(try await mine.caller.get(rows).status == .notFound)
            #expect(try await mine.caller.post(rows + "?last_pulled_at=0", "{}").status == .notFound)
            for path in [
                "/\(store)", "/\(store)?rev=1-a", "/\(store)?open_revs=all", "/\(image)/geheim.png", "/_local/same",
            ] {
                #expect(try await mine.get(path).status == .notFound, "\(path)")
            }
            #expect(try await mine.post("/_revs_diff", .object([store: ["1-a"]])).json[store]?["missing"] == ["1-a"])
            let bulk = try await mine.post("/_bulk_get", ["docs": [["id": .string(store), "rev": "1-a"]]])
            #expect(!bulk.text.contains("Geheim"))
            for list in ["/_changes?include_docs=true&style=all_docs", "/_all_docs?include_docs=true"] {
                #expect(try await !mine.get(list).text.contains("Geheim"))
            }
            // The same id in the member's own household is another document.
            _ = try await mine.push([CouchClient.revision(store, ["2-b", "1-a"], ["type": "store", "name": "Eigen"])])
            _ = try await mine.delete("/\(store)?rev=\(try await mine.get("/\(store)").json["_rev"]?.string ?? "")")
            #expect(try await theirs.get("/_changes?include_docs=true&style=all_docs").text == pageBefore)
            #expect(try await theirs.get("/\(image)/geheim.png").bytes == picture)
        }
    }

    @Test(.database) func `a former member cannot sync`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let couch = try await CouchClient(harness, ben)
            #expect(try await couch.get("/_changes").status == .ok)
            #expect(try await anna.post("/settings/members/\(ben.person)/removal").status == .seeOther)
            #expect([401, 403].contains(try await couch.get("/_changes").status.code))
            let keptCount = try harness.owner().query(
                "SELECT count(*) FROM preferences WHERE id = \(ben.person)"
            ).first(Int64.self)
            #expect(keptCount == 0)
        }
    }
}
