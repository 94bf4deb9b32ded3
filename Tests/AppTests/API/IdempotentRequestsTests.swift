import Domain
import EventLoop
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct IdempotentRequestsTests {
    @Test(.database) func `a repeated POST gets the first answer; another body with the same key is refused`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            func send(_ body: [UInt8], _ key: String) async throws -> Answer {
                try await caller.send(
                    .post, "/api/v1/receipts", type: "image/png", body, fields: ["Idempotency-Key": key])
            }
            let first = try await send(HostilePictures.receipt, "eins")
            #expect(first.status == .created && first.headers["Idempotency-Replayed"] == nil)
            let second = try await send(HostilePictures.receipt, "eins")
            #expect(second.status == .created && second.bytes == first.bytes && second.location == first.location)
            #expect(second.headers["Idempotency-Replayed"] == "true")
            let other = try await send(HostilePictures.receipt + [0], "eins")
            #expect(other.status == .unprocessableContent && other.problem == "problem-idempotency-key-reused")
            // Clients do not share idempotency keys.
            let secondCaller = try await harness.caller(anna)
            let secondAnswer = try await secondCaller.send(
                .post, "/api/v1/receipts", type: "image/png", HostilePictures.receipt,
                fields: ["Idempotency-Key": "eins"])
            #expect(secondAnswer.headers["Idempotency-Replayed"] == nil)
            // A refused request has changed nothing, so the client may correct it and use the key again.
            #expect(try await send(Array("Milch".utf8), "zwei").status == .unsupportedMediaType)
            #expect(try await send(HostilePictures.receipt, "zwei").status == .ok)
            #expect(try await send(HostilePictures.receipt, "ä").status == .badRequest)
        }
    }

    @Test(.database)
    func `a repeated POST is refused while the first runs, and is executed after the lease of the first has ended`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            func send() async throws -> Answer {
                try await caller.send(
                    .post, "/api/v1/receipts", type: "image/png", HostilePictures.receipt,
                    fields: ["Idempotency-Key": "eins"])
            }
            _ = try await send()
            // The state after a process was killed before it stored the answer.
            let owner = try harness.owner()
            try owner.query("UPDATE idempotent_request SET status = NULL, leased_until = now() + interval '50 seconds'")
            let running = try await send()
            #expect(running.status == .conflict && running.problem == "problem-request-in-progress")
            #expect(running.headers[.retryAfter] == "2")
            try owner.query("UPDATE idempotent_request SET leased_until = now() - interval '1 second'")
            #expect(try await send().status == .ok)
            try owner.query("UPDATE idempotent_request SET started_at = now() - interval '25 hours'")
            #expect(try await send().headers["Idempotency-Replayed"] == nil)
            try owner.query("UPDATE idempotent_request SET started_at = now() - interval '25 hours'")
            try await Sweeper.run(harness.database)
            #expect(try owner.query("SELECT count(*) FROM idempotent_request").first(Int64.self) == 0)
        }
    }

    @Test(.database) func `a repeated POST never runs again, even if its first answer was too large to store`()
        async throws
    {
        try await AppHarness.run { harness in
            let member = SyncScene(harness, try await harness.signUp()).member
            let client = APIClient(member: member, scopes: [.write], key: nil)
            let head = RequestHead(method: .post, target: "/api/v1/large")
            let large = Response(body: .bytes([UInt8](repeating: 32, count: (1 << 20) + 1)))
            var runs = 0
            for _ in 0..<2 {
                do {
                    let answer = try await IdempotentRequests(database: harness.database).run(
                        "eins", head, client, RequestBody()
                    ) { _ in
                        runs += 1
                        return large
                    }
                    #expect(answer.status == .ok)
                } catch let problem as APIProblem {
                    #expect(problem.status == .conflict && problem.detail?.contains("too large to keep") == true)
                }
            }
            #expect(runs == 1)
        }
    }

    @Test(.database) func `a request that takes longer than its lease does not run a second time`() async throws {
        try await AppHarness.run { harness in
            let scene = SyncScene(harness, try await harness.signUp())
            let owner = try harness.owner()
            let requests = IdempotentRequests(database: harness.database, renewalInterval: .milliseconds(20))
            let client = APIClient(member: scene.member, scopes: [.write], key: nil)
            let head = RequestHead(method: .post, target: "/api/v1/receipts")
            let loop = try #require(EventLoop.current)
            let first = try await requests.run("eins", head, client, RequestBody([])) { _ in
                try owner.query("UPDATE idempotent_request SET leased_until = now() - interval '1 second'")
                var isRenewed = false
                for _ in 0..<6_000 where !isRenewed {
                    await loop.sleep(for: .milliseconds(10))
                    let rows = try owner.query("SELECT leased_until > now() FROM idempotent_request")
                    isRenewed = try rows.first(Bool.self) ?? false
                }
                #expect(isRenewed)
                let problem = await #expect(throws: APIProblem.self) {
                    try await requests.run("eins", head, client, RequestBody([])) { _ in .text("zwei") }
                }
                #expect(problem?.type == .requestInProgress)
                return .text("eins")
            }
            #expect(first.status == .ok)
            let secondAnswer = try await requests.run("eins", head, client, RequestBody([])) { _ in .text("drei") }
            #expect(secondAnswer.headers["Idempotency-Replayed"] == "true")
        }
    }

    @Test(.database, arguments: [(Int64(2), Int64(1_000)), (100, 20)])
    func `the oldest answers of a household are deleted if the answers are too many or too large`(
        maximumResponses: Int64, maximumBytes: Int64
    ) async throws {
        try await AppHarness.run { harness in
            let scene = SyncScene(harness, try await harness.signUp())
            let requests = IdempotentRequests(
                database: harness.database, maximumResponses: maximumResponses, maximumBytes: maximumBytes)
            let client = APIClient(member: scene.member, scopes: [.write], key: nil)
            let head = RequestHead(method: .post, target: "/api/v1/expenses")
            func send(_ key: String) async throws -> Response {
                try await requests.run(key, head, client, RequestBody([])) { _ in .text("10 letters") }
            }
            for key in ["eins", "zwei", "drei"] {
                #expect(try await send(key).headers["Idempotency-Replayed"] == nil)
            }
            for key in ["zwei", "drei"] {
                #expect(try await send(key).headers["Idempotency-Replayed"] == "true", "\(key)")
            }
            // The first answer was deleted, but its request is not executed again.
            let problem = await #expect(throws: APIProblem.self) { _ = try await send("eins") }
            #expect(problem?.type == .conflict)
        }
    }

    @Test(
        .database,
        arguments: [
            ("expenses", "expense", #"{"what": "Kino", "amount_minor": 900, "day": "2026-03-05"}"#),
            ("expense-rules", "expense_rule", #"{"contains": "wirt", "labels": ["Wort"]}"#),
            ("receipts/drafts", "receipt", "{}"),
            ("webhooks", "webhook", #"{"url": "http://127.0.0.1:1/", "events": ["receipt.read"]}"#),
            ("keys", "api_key WHERE name = 'eins'", #"{"name": "eins", "scopes": ["read"]}"#),
            ("invitations", "invitation WHERE household_id IS NOT NULL", "{}"),
        ])
    func `a request whose answer was lost is not executed again for a day`(
        _ path: String, _ rows: String, _ body: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (caller, owner) = (try await harness.caller(anna), try harness.owner())
            func post() async throws -> Answer {
                try await caller.post("/api/v1/\(path)", body, ["Idempotency-Key": "eins"])
            }
            func count() throws -> Int64? {
                try owner.query(SQL(uncheckedText: "SELECT count(*) FROM \(rows)")).first(Int64.self)
            }
            #expect(try await post().status == .created)
            // The state after a server was killed after the transaction, before it stored the answer.
            try owner.query("UPDATE idempotent_request SET status = NULL, leased_until = now() - interval '1 second'")
            for _ in 0..<2 {
                let secondAnswer = try await post()
                #expect(
                    secondAnswer.status == .conflict && secondAnswer.problem == "problem-conflict",
                    "\(secondAnswer.text)")
            }
            #expect(try count() == 1)
            // After a day, the same key starts a new request.
            try owner.query("UPDATE operation SET done_at = now() - interval '25 hours'")
            #expect(try await post().status == .created)
            #expect(try count() == 2)
        }
    }

    @Test(.database) func `a response that must not be stored is not kept, and its request may run again`()
        async throws
    {
        try await AppHarness.run { harness in
            let scene = SyncScene(harness, try await harness.signUp())
            let requests = IdempotentRequests(database: harness.database)
            let client = APIClient(member: scene.member, scopes: [.read], key: nil)
            let head = RequestHead(method: .post, target: "/api/v1/wines/scan")
            for text in ["eins", "zwei"] {
                let answer = try await requests.run("eins", head, client, RequestBody([])) { _ in
                    var response = Response.text(text)
                    response.headers[IdempotentRequests.notStored] = "1"
                    return response
                }
                #expect(answer.headers["Idempotency-Replayed"] == nil)
                #expect(!answer.headers.contains(IdempotentRequests.notStored))
                let storedCount = try harness.owner().query("SELECT count(*) FROM idempotent_request").first(Int64.self)
                #expect(storedCount == 0)
            }
        }
    }

    @Test(.database) func `the answers of requests that change nothing are not kept`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            for _ in 0..<2 {
                let answer = try await caller.post(
                    "/api/v1/wines/batch-match", #"{"queries": ["Riesling"]}"#, ["Idempotency-Key": "eins"])
                #expect(answer.status == .ok && answer.headers["Idempotency-Replayed"] == nil)
                #expect(!answer.headers.contains(IdempotentRequests.notStored))
            }
            #expect(try harness.owner().query("SELECT 1 FROM idempotent_request").isEmpty)
        }
    }

    @Test(.database) func `a rule is moved once if the answer to the first request was lost`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            var path = ""
            for text in ["eins", "zwei", "drei"] {
                let creationAnswer = try await caller.post(
                    "/api/v1/expense-rules", #"{"contains": "\#(text)", "labels": ["Wort"]}"#)
                path = try #require(creationAnswer.location)
            }
            let (rule, owner) = (path, try harness.owner())
            func move() async throws -> Answer {
                try await caller.post(
                    "\(rule)/move", #"{"up": true}"#, ["If-Match": "*", "Idempotency-Key": "eins"])
            }
            #expect(try await move().status == .ok)
            try owner.query("UPDATE idempotent_request SET status = NULL, leased_until = now() - interval '1 second'")
            #expect(try await move().status == .conflict)
            let rules = try await caller.get("/api/v1/expense-rules").json["expense_rules"]?.array ?? []
            #expect(rules.compactMap { $0["contains"]?.string } == ["eins", "drei", "zwei"])
        }
    }
}
