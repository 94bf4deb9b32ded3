import Domain
import HTTP
import JSON
import TestSupport
import Testing

@testable import App

/// Values that a merge of two edits did not keep, in the API. Documents of any type can have such values.
@Suite(.timeLimit(.minutes(5))) struct LostValueAPITests {
    private static let path = "/api/v1/lost-values"

    private func values(_ caller: Caller, _ query: String = "") async throws -> [JSONValue] {
        try #require(try await caller.get(Self.path + query).json["lost_values"]?.array)
    }

    /// Stores a product to which two members gave different names at the same time. The name "Vollmilch" wins.
    private func product(
        _ scene: SyncScene, _ other: SyncScene, chain: String = "spar"
    ) async throws -> DocumentKey {
        try await LostValueTests.merge(
            .product, ["type": "product", "chain": .string(chain), "name": "Milch"], ["name": "Vollmilch"],
            ["name": "Heumilch"], scene, other)
    }

    @Test(.database, arguments: [true, false])
    func `a client takes or dismisses the other name of a product`(isTaken: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member, name: "Ben Maier")
            let (scene, other) = (SyncScene(harness, anna), SyncScene(harness, ben, role: .member))
            let caller = try await harness.caller(anna)
            let key = try await product(scene, other)
            let listed = try #require(try await values(caller).first)
            #expect(listed["document"]?.string == key.description)
            #expect(listed["field"] == "name" && listed["value"] == "Heumilch" && listed["by"] == "Ben Maier")
            let address = "\(Self.path)/\(listed["id"]?.string ?? "")"
            let shown = try await caller.get(address)
            let tag = try #require(shown.headers[.etag])
            #expect(try shown.json == listed)
            let method: HTTP.Method = isTaken ? .post : .delete
            func choose(_ fields: KeyValuePairs<String, String>) async throws -> Answer {
                guard isTaken else { return try await caller.send(method, address, fields: fields) }
                return try await caller.post(address, "{}", fields)
            }
            #expect(try await choose([:]).status == .preconditionRequired)
            #expect(try await choose(["If-Match": "\"1\""]).status == .preconditionFailed)
            #expect(try await choose(["If-Match": tag]).status == .noContent)
            #expect(try await scene.body(key)?["name"]?.string == (isTaken ? "Heumilch" : "Vollmilch"))
            #expect(try await values(caller).isEmpty)
            #expect(try await caller.get(address).status == .notFound)
            #expect(try await choose(["If-Match": "*"]).status == .notFound)
        }
    }

    @Test(.database) func `a client also takes a value of a receipt at the address of lost values`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let caller = try await harness.caller(anna)
            let (sync, key) = try await HistoryTests.mergedReceipt(harness, anna, ben)
            let listed = try #require(try await values(caller).first)
            #expect(listed["document"]?.string == key.description && listed["field"] == "total_minor")
            let address = "\(Self.path)/\(listed["id"]?.string ?? "")"
            let tag = try #require(try await caller.get(address).headers[.etag])
            let receipt = try await caller.get("/api/v1/receipts/\(key.id)")
            #expect(receipt.headers[.etag] == tag)
            #expect(try await caller.post(address, "{}", ["If-Match": tag]).status == .noContent)
            #expect(try await sync.body(key)?["total_minor"] == 149)
        }
    }

    @Test(.database)
    func `splits many values into pages, and shows values of a personal expense only to the person who entered it`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let (scene, other) = (SyncScene(harness, anna), SyncScene(harness, ben, role: .member))
            for chain in ["spar", "billa", "hofer"] { _ = try await product(scene, other, chain: chain) }
            let expense = try await LostValueTests.merge(
                .expense,
                [
                    "type": "expense", "what": "Geschenk", "amount_minor": 1_200, "currency": "EUR",
                    "day": "2026-03-05", "is_personal": true,
                ],
                ["note": "rot"], ["note": "blau"], scene, scene)
            let caller = try await harness.caller(anna)
            let first = try await caller.get("\(Self.path)?limit=3").json
            let next = try #require(first["next"]?.string)
            let second = try await caller.get("\(Self.path)?limit=3&cursor=\(next)").json
            #expect(second["next"] == .null)
            let pages = [first, second].map { $0["lost_values"]?.array ?? [] }
            #expect(pages.map(\.count) == [3, 1])
            #expect(Set(pages.joined().compactMap { $0["id"]?.string }).count == 4)
            let hidden = try #require(pages.joined().first { $0["document"]?.string == expense.description })
            let reader = try await harness.caller(ben)
            #expect(try await values(reader).count == 3)
            let address = "\(Self.path)/\(hidden["id"]?.string ?? "")"
            #expect(try await reader.get(address).status == .notFound)
            #expect(try await reader.post(address, "{}", ["If-Match": "*"]).status == .notFound)
        }
    }
}
