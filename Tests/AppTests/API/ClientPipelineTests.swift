import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Behaviour that all routes of the API have in common.
@Suite(.timeLimit(.minutes(5))) struct ClientPipelineTests {
    @Test(.database) func `errors are problem documents with stable types`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let unknown = try await caller.get("/api/v1/nothing")
            #expect(unknown.status == .notFound && unknown.problem == "problem-not-found")
            let method = try await caller.send(.delete, "/api/v1/members/me")
            #expect(method.status == .methodNotAllowed && method.problem == "problem-method-not-allowed")
            #expect(method.headers[.allow] == "GET, HEAD, OPTIONS")
            let visitor = try await harness.browser().get("/api/v1/receipts")
            #expect(visitor.status == .unauthorized && visitor.problem == "problem-unauthorized")
            let document = try visitor.json
            #expect(document["status"]?.integer == 401)
            #expect(document["title"]?.string == ProblemType.unauthorized.title)
            let couch = try await caller.get("/api/v1/couch/nothing")
            #expect(couch.status == .notFound && couch.headers[.contentType] == "application/json")
            #expect(try couch.json["error"]?.string == "not_found")
        }
    }

    @Test(.database) func `an answer lists a limited number of errors, with shortened names`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            let long = String(repeating: "<", count: 100_000)
            let unknownMembers = (0..<20_000).map { "\"a\($0)\": 1" }.joined(separator: ", ")
            let many = try await caller.post("/api/v1/goals", "{\"\(long)\": 1, \(unknownMembers)}")
            #expect(many.status == .unprocessableContent && many.bytes.count < 20_000)
            let errors = try #require(try many.json["errors"]?.array)
            #expect(errors.count == APIProblem.maximumFields)
            #expect(try many.json["detail"] == "Only the first 50 errors are listed.")
            let few = try await caller.post("/api/v1/goals", "{\"\(long)\": 1}")
            let name = String(repeating: "<", count: APIProblem.maximumNameCharacters)
            #expect(try few.json["errors"]?.array?.contains { $0["field"]?.string == name } == true)
            #expect(try few.json.object?.names.contains("detail") == false && few.bytes.count < 20_000)
        }
    }

    @Test(.database) func `refuses a key without the required scope, and a viewer without the required role`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let upload = try await harness.caller(anna, scopes: [.upload])
            let refusal = try await upload.get("/api/v1/receipts")
            #expect(refusal.status == .forbidden && refusal.problem == "problem-missing-scope")
            let viewer = try await harness.join(anna, as: .viewer)
            let caller = try await harness.caller(viewer)
            #expect(try await caller.get("/api/v1/receipts").status == .ok)
            let answer = try await caller.send(.post, "/api/v1/receipts", type: "image/png", HostilePictures.receipt)
            #expect(answer.status == .forbidden && answer.problem == "problem-forbidden")
        }
    }

    @Test(.database) func `a session may call the API, and changes also need its CSRF token`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            #expect(try await anna.get("/api/v1/members/me").status == .ok)
            let token = try await anna.get("/settings").token ?? ""
            let withoutToken = try await anna.send(
                .post, "/api/v1/receipts", type: "image/png", HostilePictures.receipt)
            #expect(withoutToken.status == .forbidden && withoutToken.problem == "problem-foreign-form")
            let foreign = try await anna.send(
                .post, "/api/v1/receipts", type: "image/png", HostilePictures.receipt,
                fields: ["X-CSRF-Token": token, "Sec-Fetch-Site": "cross-site"])
            #expect(foreign.status == .forbidden)
            let own = try await anna.send(
                .post, "/api/v1/receipts", type: "image/png", HostilePictures.receipt, fields: ["X-CSRF-Token": token])
            #expect(own.status == .created)
        }
    }

    @Test(.database) func `an upload creates a receipt, and another upload of the same picture does not`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna, scopes: [.upload, .read])
            let firstAnswer = try await caller.send(
                .post, "/api/v1/receipts?name=bon.png", type: "image/png", HostilePictures.receipt)
            #expect(firstAnswer.status == .created)
            let id = try #require(try firstAnswer.json["id"]?.string)
            #expect(firstAnswer.location == "/api/v1/receipts/\(id)")
            let secondAnswer = try await caller.send(
                .post, "/api/v1/receipts", type: "image/png", HostilePictures.receipt)
            #expect(secondAnswer.status == .ok)
            #expect(try secondAnswer.json["is_duplicate"]?.bool == true && secondAnswer.json["id"]?.string == id)
            let currentAnswer = try await caller.get("/api/v1/receipts/\(id)")
            #expect(try currentAnswer.json["state"]?.string == "reading")
            let empty = try await caller.send(.post, "/api/v1/receipts", type: "image/png", [])
            #expect(empty.status == .unprocessableContent && empty.problem == "problem-invalid-fields")
            let text = try await caller.send(.post, "/api/v1/receipts", type: "text/plain", Array("Milch".utf8))
            #expect(text.status == .unsupportedMediaType && text.problem == "problem-unsupported")
        }
    }

    @Test(.database) func `a multipart form with a file is accepted without a CSRF token`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            var body = Array(
                "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"bon.png\"\r\n\r\n".utf8)
            body += HostilePictures.receipt + Array("\r\n--b--\r\n".utf8)
            let answer = try await caller.send(
                .post, "/api/v1/receipts", type: "multipart/form-data; boundary=b", body)
            #expect(answer.status == .created)
        }
    }

    @Test(.database) func `a cursor cannot be changed or used for another list`() async throws {
        try await AppHarness.run { harness in
            let mine = try await Tenant.make(harness, mark: "Eigen")
            let caller = try await harness.caller(mine.owner)
            let all = try await caller.get("/api/v1/receipts").json["receipts"]?.array ?? []
            #expect(all.count == 3)
            var found: [String] = []
            var target: String? = "/api/v1/receipts?limit=1"
            while let page = target {
                let answer = try await caller.get(page)
                found += try answer.json["receipts"]?.array?.compactMap { $0["id"]?.string } ?? []
                let next = try answer.json["next"]?.string
                target = next.map { "/api/v1/receipts?limit=1&cursor=\($0)" }
            }
            #expect(found == all.compactMap { $0["id"]?.string })
            let firstAnswer = try await caller.get("/api/v1/receipts?limit=1")
            let cursor = try #require(try firstAnswer.json["next"]?.string)
            #expect(firstAnswer.headers["Link"] == "</api/v1/receipts?cursor=\(cursor)&limit=1>; rel=\"next\"")
            let other = try await harness.caller(try await harness.join(mine.owner, as: .member))
            let changedCursor = (cursor.hasPrefix("A") ? "B" : "A") + cursor.dropFirst()
            for (client, target) in [
                (caller, "/api/v1/receipts?cursor=\(changedCursor)"), (caller, "/api/v1/receipts?cursor="),
                (caller, "/api/v1/receipts?cursor=\(cursor)&state=review"),
                (other, "/api/v1/receipts?cursor=\(cursor)"),
            ] {
                let refusal = try await client.get(target)
                #expect(refusal.status == .badRequest && refusal.problem == "problem-invalid-cursor", "\(target)")
            }
            #expect(try await caller.get("/api/v1/receipts?limit=0").status == .badRequest)
        }
    }

    @Test(.database)
    func `a product, category or group is never answered with 304, as its answer can change without a new revision`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            try await anna.importTable([("Milch", "1,49", "2026-11-02", "BILLA")])
            let product = try harness.product(named: "Milch")
            let category = try #require(
                try harness.owner().query("SELECT id FROM category LIMIT 1").first(CategoryID.self))
            let group = try await caller.post(
                "/api/v1/groups", #"{"name": "Milch", "unit": "piece", "product_ids": ["\#(product)"]}"#)
            let address = try #require(group.location, "\(group.text)")
            for path in ["/api/v1/products/\(product)", "/api/v1/categories/\(category)", address] {
                let tag = try #require(try await caller.get(path).headers[.etag])
                #expect(try await caller.get(path, ["If-None-Match": tag]).status == .ok, "\(path)")
            }
        }
    }

    @Test(.database) func `an unchanged resource is answered with 304; HEAD and OPTIONS are supported`() async throws {
        try await AppHarness.run { harness in
            let mine = try await Tenant.make(harness, mark: "Eigen")
            let caller = try await harness.caller(mine.owner)
            let rule = try await caller.post(
                "/api/v1/expense-rules", #"{"contains": "zither", "labels": ["musik"]}"#)
            let address = try #require(rule.location, "\(rule.text)")
            for path in ["/api/v1/receipts", address, "/api/v1/members/me"] {
                let answer = try await caller.get(path)
                let tag = try #require(answer.headers[.etag])
                let secondAnswer = try await caller.get(path, ["If-None-Match": tag])
                #expect(
                    secondAnswer.status == .notModified && secondAnswer.bytes.isEmpty
                        && secondAnswer.headers[.etag] == tag)
                let weak = try await caller.get(path, ["If-None-Match": "W/\(tag)"])
                #expect(weak.status == .notModified)
                #expect(try await caller.send(.head, path).status == .ok)
                let options = try await harness.browser().send(.options, path, type: nil, [])
                #expect(options.status == .noContent && options.headers[.allow]?.contains("GET") == true)
                #expect(options.headers["Access-Control-Allow-Origin"] == nil)
            }
        }
    }

    @Test(.database) func `an answer states the limit of requests and the number of remaining requests`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let answer = try await caller.get("/api/v1/members/me")
            #expect(answer.headers["RateLimit-Policy"] == "\"minute\";q=1000000;w=60")
            #expect(answer.headers["RateLimit"]?.hasPrefix("\"minute\";r=9999") == true)
        }
    }

    @Test(.database) func `a compressed body is decoded within the limit of its route`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let path = "/api/v1/couch/\(anna.household)/_revs_diff"
            func send(_ body: [UInt8]) async throws -> Answer {
                try await caller.send(
                    .post, path, type: "application/json", body, fields: ["Content-Encoding": "gzip"])
            }
            let good = try #require(Gzip.compress(Array(#"{"store:x": ["1-a"]}"#.utf8), level: 6))
            #expect(try await send(good).json["store:x"]?["missing"] == ["1-a"])
            #expect(try await send(Array(good.dropLast(9))).status == .badRequest)
            #expect(try await send(good + good).status == .badRequest)
            #expect(try await send(Array(#"{}"#.utf8)).status == .badRequest)
            let bomb = try #require(Gzip.compress([UInt8](repeating: 32, count: 64 << 20), level: 9))
            #expect(bomb.count < 100_000)
            #expect(try await send(bomb).status == .contentTooLarge)
            let form = try await anna.send(
                .post, "/settings/language", type: "application/x-www-form-urlencoded", good,
                fields: ["Content-Encoding": "gzip"])
            #expect(form.status == .unsupportedMediaType)
        }
    }

    @Test func `requests are counted for each client and minute`() {
        let limits = RateLimits(limit: 2)
        let (one, other) = (OperationID.new(), OperationID.new())
        #expect(limits.count(one, at: 60) == .init(remaining: 1, reset: 60, limit: 2))
        #expect(limits.count(one, at: 90) == .init(remaining: 0, reset: 30, limit: 2))
        #expect(limits.count(one, at: 119) == .init(remaining: -1, reset: 1, limit: 2))
        #expect(limits.count(one, at: 119).remaining == -1)
        #expect(limits.count(other, at: 119).remaining == 1)
        #expect(limits.count(one, at: 120) == .init(remaining: 1, reset: 60, limit: 2))
    }

    @Test func `only listed sites may read answers from a browser`() {
        func answer(_ origin: String, _ method: HTTP.Method = .get, isPreflight: Bool = false) -> Response {
            let cors = CrossOrigin(origins: ["https://notes.example.at"])
            var headers: Headers = ["Origin": origin]
            if isPreflight { headers.append("Access-Control-Request-Method", "POST") }
            let head = RequestHead(method: method, headers: headers)
            var response = method == .options ? cors.options([.get, .post]) : Response()
            cors.apply(to: &response, head)
            return response
        }
        let listed = answer("https://notes.example.at")
        #expect(listed.headers["Access-Control-Allow-Origin"] == "https://notes.example.at")
        #expect(listed.headers["Access-Control-Allow-Credentials"] == "true" && listed.headers[.vary] == "Origin")
        #expect(answer("https://evil.example").headers["Access-Control-Allow-Origin"] == nil)
        let preflight = answer("https://notes.example.at", .options, isPreflight: true)
        #expect(preflight.status == .noContent)
        #expect(preflight.headers["Access-Control-Allow-Methods"] == "GET, POST")
        let allowed = preflight.headers["Access-Control-Allow-Headers"]?.split(separator: ", ") ?? []
        #expect(allowed.contains("Authorization") && allowed.contains("X-API-Key"))
    }
}
