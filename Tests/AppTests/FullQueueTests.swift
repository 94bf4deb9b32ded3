import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Uploads while the queue of the reader is full.
@Suite(.timeLimit(.minutes(5))) struct FullQueueTests {
    /// Fills the queue of the household so that `free` places are left. A negative number exceeds the limit.
    private func fillQueue(
        of household: HouseholdID, with kind: JobQueue.Kind = .read, free: Int64, _ connection: SynchronousConnection
    ) throws {
        try connection.query(
            """
            INSERT INTO job (id, household_id, kind, subject_id)
            SELECT gen_random_uuid(), \(household), \(kind), gen_random_uuid()
            FROM generate_series(1, \(UploadLimits.waiting - free))
            """)
    }

    @Test(.database) func `a full queue refuses uploads and says when to retry`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let connection = try harness.owner()
            try fillQueue(of: anna.household, free: 0, connection)
            let countBefore = try HostileUploadTests.storedRowCount(connection)
            let answer = try await anna.upload(
                "/receipts", field: "files", fileName: "a", type: "image/png",
                HostilePictures.png(width: 100, height: 200))
            #expect(answer.status == .tooManyRequests)
            #expect(answer.headers[.retryAfter] != nil)
            #expect(try HostileUploadTests.storedRowCount(connection) == countBefore)
            // Another household's queue has room.
            let other = try await harness.signUp("Paul Huber", household: "Anderswo")
            let accepted = try await other.upload(
                "/receipts", field: "files", fileName: "a", type: "image/png",
                HostilePictures.png(width: 100, height: 200))
            #expect(accepted.status == .seeOther)
        }
    }

    @Test(.database) func `messages to webhooks take no place in the queue of uploads`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try fillQueue(
                of: anna.household, with: .deliver, free: -3 * UploadLimits.waiting, try harness.owner())
            let picture = HostilePictures.png(width: 100, height: 200)
            let answer = try await anna.upload("/receipts", field: "files", fileName: "a", type: "image/png", picture)
            #expect(answer.status == .seeOther)
            let couch = try await CouchClient(harness, anna)
            let data = JSONValue.string(Base64Bytes.encode(HostilePictures.png(width: 100, height: 300)))
            let image: JSONValue = [
                "type": "image", "receipt": .string(SyncScene.key(.receipt).description),
                "_attachments": ["bon.png": ["content_type": "image/png", "data": data]],
            ]
            let id = SyncScene.key(.image).description
            #expect(try await couch.push([CouchClient.revision(id, ["1-a"], image)]).isEmpty)
        }
    }

    @Test(.database) func `simultaneous uploads cannot exceed the limit of the queue`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let connection = try harness.owner()
            try fillQueue(of: anna.household, free: 1, connection)
            // The queue has room for one more receipt, and one request has two files.
            let token = try #require(try await anna.get("/settings").token)
            var body = Array("--b\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n\(token)\r\n".utf8)
            for (name, height) in [("a.png", UInt32(200)), ("b.png", 201)] {
                body += Array(
                    "--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"\(name)\"\r\n\r\n".utf8)
                body += HostilePictures.png(width: 100, height: height) + Array("\r\n".utf8)
            }
            body += Array("--b--\r\n".utf8)
            let answer = try await anna.send(.post, "/receipts", type: "multipart/form-data; boundary=b", body)
            #expect(answer.text.contains("Es warten schon zu viele Belege"))
            let waiting: SQL = "SELECT count(*) FROM job WHERE household_id = \(anna.household)"
            #expect(try connection.query(waiting).first(Int64.self) == UploadLimits.waiting)
            #expect(try connection.query("SELECT count(*) FROM receipt").first(Int64.self) == 1)
            // The second file is not stored.
            #expect(try connection.query("SELECT count(*) FROM blob").first(Int64.self) == 1)
        }
    }
}
