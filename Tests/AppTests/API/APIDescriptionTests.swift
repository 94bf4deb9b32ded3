import Foundation
import HTTP
import JSON
import TestSupport
import Testing

@testable import App

/// The OpenAPI document describes all routes of the API, and their answers match the document.
@Suite(.timeLimit(.minutes(5))) struct APIDescriptionTests {
    static func document() throws -> JSONValue {
        let description = try APIDescription(folder: TestSources.root + "/Views")
        return try JSONValue(reading: description.bytes, limits: JSONLimits(size: 1 << 20, depth: 64))
    }

    @Test(.database)
    func `the OpenAPI document describes exactly the API's routes without the sync protocols`() async throws {
        let document = try Self.document()
        var entries: Set<String> = []
        for path in document["paths"]?.object?.members ?? [] {
            for operation in path.value.object?.members ?? [] {
                let value = operation.value
                entries.insert(
                    "\(operation.name.uppercased()) \(path.name) \(value["x-access"]?.string ?? "") "
                        + (value["operationId"]?.string ?? ""))
            }
        }
        let described = entries
        try await AppHarness.run { harness in
            // The OpenAPI document excludes the routes of both sync protocols.
            let routes = harness.app.routes.routes.filter {
                $0.pattern.hasPrefix("/api/v1/") && !$0.pattern.hasPrefix("/api/v1/couch")
                    && !$0.pattern.hasPrefix("/api/v1/households")
            }
            let table = Set(routes.map { "\($0.method.name) \($0.pattern) \($0.handler.access) \($0.handler.name)" })
            #expect(table.subtracting(described).sorted() == [], "routes without an entry")
            #expect(described.subtracting(table).sorted() == [], "entries without a route")
        }
    }

    @Test func `every example is valid against its schema`() throws {
        let document = try Self.document()
        let schema = JSONSchema(document: document)
        let schemas = document["components"]?["schemas"]?.object?.members ?? []
        #expect(schemas.count > 30)
        for member in schemas {
            let example = try #require(member.value["example"], "\(member.name) has no example")
            #expect(schema.violations(of: example, member.value) == [], "\(member.name)")
        }
    }

    @Test func `each operation lists exactly the parameters in its path`() throws {
        let document = try Self.document()
        for path in document["paths"]?.object?.members ?? [] {
            let names = Set(path.name.matches(of: #/\{(\w+)\}/#).map { String($0.output.1) })
            for operation in path.value.object?.members ?? [] {
                let parameters = (operation.value["parameters"]?.array ?? []).map { $0.resolved(in: document) }
                let inPath = parameters.filter { $0["in"]?.string == "path" }.compactMap { $0["name"]?.string }
                #expect(Set(inPath) == names, "\(operation.name) \(path.name)")
            }
        }
    }

    @Test(.database) func `answers GET requests for JSON as documented`() async throws {
        let document = try Self.document()
        let schema = JSONSchema(document: document)
        try await AppHarness.run { harness in
            let mine = try await Tenant.make(harness, mark: "Eigen")
            let caller = try await harness.caller(mine.owner)
            var count = 0
            for path in document["paths"]?.object?.members ?? [] {
                guard let operation = path.value["get"], path.name != "/api/v1/openapi.json",
                    let content = operation["responses"]?["200"]?["content"]?["application/json"]
                else { continue }
                let target = path.name.replacing(#/\{(\w+)\}/#) { mine.first(String($0.output.1)) }
                let answer = try await caller.get(target)
                #expect(answer.status == .ok, "\(path.name)")
                #expect(
                    schema.violations(of: try answer.json, content["schema"] ?? .null) == [], "\(path.name)")
                count += 1
            }
            #expect(count >= 18)
        }
    }

    @Test func `describes 304 only for resources whose answer depends on their revision alone`() throws {
        let document = try Self.document()
        func describes304(_ path: String) -> Bool {
            document["paths"]?[path]?["get"]?["responses"]?["304"] != nil
        }
        let resources: [any EditedResource.Type] = [
            BalanceAPI.self, BankAPI.self, BudgetAPI.self, ExpenseAPI.self, GoalAPI.self, GroupAPI.self,
            ProductAPI.self, RateAPI.self, RecurringAPI.self, RuleAPI.self,
        ]
        for resource in resources {
            #expect(describes304(resource.one) == resource.mayAnswerNotModified, "\(resource.one)")
        }
        for path in ["receipts/{receipt}", "receipts/{receipt}/lines", "stores/{store}", "categories/{category}"] {
            #expect(!describes304("/api/v1/\(path)"), "\(path)")
        }
    }

    @Test(.database) func `answers POST requests that create a resource as documented`() async throws {
        let document = try Self.document()
        let schema = JSONSchema(document: document)
        let bodies: KeyValuePairs<String, String> = [
            "receipts/drafts": "{}",
            "receipts/{receipt}/lines": #"{"printed_name": "MILCH", "total_minor": 149}"#,
            "categories": #"{"name": "Zithern"}"#,
            "expenses": #"{"what": "Kino", "amount_minor": 900}"#,
            "budgets": #"{"name": "Essen", "limit_minor": 9000}"#,
            "goals": #"{"name": "Urlaub", "target_minor": 9000, "until": "2099-01-01"}"#,
            "recurring-expenses": #"{"name": "Miete", "amount_minor": 9000}"#,
            "expense-rules": #"{"contains": "wirt", "labels": ["Wort"]}"#,
            "invitations": "{}",
            "keys": #"{"name": "Uhr", "scopes": ["read"]}"#,
            "webhooks": #"{"url": "http://127.0.0.1:1/", "events": ["receipt.read"]}"#,
        ]
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            let draft = try await caller.post("/api/v1/receipts/drafts", "{}").json["id"]?.string ?? ""
            for (path, body) in bodies {
                let answer = try await caller.post(
                    "/api/v1/\(path.replacing("{receipt}", with: draft))", body, ["If-Match": "*"])
                #expect(answer.status == .created, "\(path): \(answer.text)")
                let described = document["paths"]?["/api/v1/\(path)"]?["post"]?["responses"]?["201"]
                let content = described?["content"]?["application/json"]?["schema"]
                #expect(schema.violations(of: try answer.json, content ?? .null) == [], "\(path)")
                #expect((answer.location != nil) == (described?["headers"]?["Location"] != nil), "\(path)")
                #expect((answer.headers[.etag] != nil) == (described?["headers"]?["ETag"] != nil), "\(path)")
            }
        }
    }

    @Test(.database) func `accepts a key in each header field that the document lists, and in no other field`()
        async throws
    {
        let document = try Self.document()
        let schemes = try #require(document["components"]?["securitySchemes"]?.object)
        #expect(document["security"]?.array?.compactMap { $0.object?.names.first } == schemes.names)
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp())
            for name in schemes.names + ["X-Key"] {
                let scheme = schemes[name]
                let field: (String, String) =
                    switch (scheme?["type"]?.string, scheme?["scheme"]?.string) {
                    case ("http", "bearer"): ("Authorization", "Bearer \(caller.key)")
                    case ("http", "basic"):
                        ("Authorization", "Basic \(Data("any:\(caller.key)".utf8).base64EncodedString())")
                    default: (scheme?["name"]?.string ?? name, caller.key)
                    }
                let answer = try await harness.browser().send(
                    .get, "/api/v1/members/me", type: nil, [], pairs: [field])
                #expect(answer.status == (scheme == nil ? .unauthorized : .ok), "\(name)")
            }
        }
    }

    @Test(.database) func `serves the document and its page without a key`() async throws {
        try await AppHarness.run { harness in
            let visitor = harness.browser()
            let document = try await visitor.get("/api/v1/openapi.json")
            #expect(document.status == .ok)
            #expect(try document.json["openapi"]?.string == "3.1.0")
            let tag = try #require(document.headers[.etag])
            let secondAnswer = try await visitor.send(
                .get, "/api/v1/openapi.json", type: nil, [], fields: ["If-None-Match": tag])
            #expect(secondAnswer.status == .notModified)
            for schema in DocumentSchema.all {
                let published = try await visitor.get(schema.address)
                #expect(published.headers[.contentType] == "application/schema+json")
                #expect(try published.json["$id"]?.string == schema.address)
            }
            let page = try await visitor.get("/help/api").text
            #expect(page.contains("POST /api/v1/receipts") && !page.contains("data-try"))
            for type in ProblemType.allCases { #expect(page.contains("id=\"problem-\(type.rawValue)\"")) }
            let anna = try await harness.signUp()
            #expect(try await anna.get("/help/api").text.contains("data-try"))
        }
    }
}
