import Foundation
import HTTP
import TestSupport
import Testing

@testable import App

/// A model as in a native client. Foundation's decoder reads it without custom keys.
private struct Wine: Codable, Equatable {
    enum Color: String, Codable { case red, white, rose, sparkling, sweet, fortified }

    let id: UUID
    let producer: String
    let name: String
    let vintage: Int?
    let region: String
    let country: String
    let color: Color?
    let grapeVarieties: [String]
    let score: Int?
    let tastingNote: String?
    let reviewerInitials: String?
    let drinkWindowStart: Int?
    let drinkWindowEnd: Int?
    let releasePrice: Double?
    let reviewDate: Date?
}

private struct SearchAnswer: Codable {
    struct Result: Codable {
        let wine: Wine
        let confidence: Double
    }

    let results: [Result]
}

private struct MatchAnswer: Codable {
    let matches: [String: Wine?]
}

@Suite(.timeLimit(.minutes(5))) struct WineAPITests {
    private static func decode<Value: Decodable>(_ answer: Answer, as _: Value.Type = Value.self) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(Value.self, from: Data(answer.bytes))
    }

    private static let table = WineCatalogueTests.table.split(separator: "\n").enumerated().map { index, line in
        line + (index == 0 ? ";reviewed on" : index == 1 ? ";2021-05-03" : ";")
    }.joined(separator: "\n")

    @Test(.database) func `a Codable model decodes search results, a wine and matches`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(anna, Self.table)
            let caller = try await harness.caller(anna, scopes: [.read])
            let search = try await caller.get(
                "/v1/wines/search?q=Weingut%20Prager%20Riesling%20Klaus&fuzzy=true&limit=5")
            #expect(search.status == .ok)
            let foundWine = try #require(try Self.decode(search, as: SearchAnswer.self).results.first)
            #expect(
                foundWine.wine.name == "Riesling Klaus" && foundWine.wine.color == .white && foundWine.confidence > 0.9)
            let wine = try Self.decode(try await caller.get("/v1/wines/\(foundWine.wine.id)"), as: Wine.self)
            #expect(wine == foundWine.wine)
            #expect(wine.score == 95 && wine.releasePrice == 42 && wine.reviewerInitials == "AB")
            #expect(wine.drinkWindowStart == 2023 && wine.drinkWindowEnd == 2040 && wine.tastingNote == "Steinobst.")
            #expect(wine.reviewDate == ISO8601DateFormatter().date(from: "2021-05-03T00:00:00Z"))
            let matches = try await caller.post(
                "/v1/wines/batch-match", #"{"queries": ["Moric Blaufränkisch 2020", "Kein solcher Wein"]}"#)
            let decoded = try Self.decode(matches, as: MatchAnswer.self).matches
            #expect(decoded["Moric Blaufränkisch 2020"]??.vintage == 2020)
            #expect(decoded["Kein solcher Wein"] == .some(nil))
        }
    }

    @Test(.database) func `the wine API needs a key, and also accepts it in X-API-Key`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna, scopes: [.read])
            let visitor = harness.browser()
            let answer = try await visitor.send(
                .get, "/v1/wines/search?q=x", type: nil, [], fields: ["X-API-Key": caller.key])
            #expect(answer.status == .ok)
            #expect(try await visitor.get("/v1/wines/search?q=x").status == .unauthorized)
            let refusal = try await visitor.send(
                .get, "/v1/wines/search?q=x", type: nil, [], fields: ["X-API-Key": "at_wrong"])
            #expect(refusal.status == .unauthorized)
        }
    }

    @Test(.database) func `texts that differ only in Unicode composition are both in the answer`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp(), scopes: [.read])
            let texts = ["Ch\u{E2}teau", "Cha\u{302}teau"]
            let queries = (texts + texts).map { "\"\($0)\"" }.joined(separator: ", ")
            let answer = try await caller.post("/v1/wines/batch-match", #"{"queries": [\#(queries)]}"#)
            #expect(answer.status == .ok)
            // Swift compares strings without regard to composition, so the bytes are compared here.
            let members = texts.map { #""\#($0)":null"# }.joined(separator: ",")
            #expect(answer.bytes == Array(#"{"matches":{\#(members)}}"#.utf8), "\(answer.text)")
        }
    }

    @Test(.database) func `invalid parameters are refused`() async throws {
        try await AppHarness.run { harness in
            let caller = try await harness.caller(try await harness.signUp(), scopes: [.read])
            #expect(try await caller.get("/v1/wines/search?q=x&limit=0").status == .badRequest)
            #expect(try await caller.get("/v1/wines/search?q=x&fuzzy=maybe").status == .badRequest)
            #expect(
                try await caller.post("/v1/wines/batch-match", #"{"queries": [1]}"#).status == .unprocessableContent)
            #expect(
                try await caller.send(.post, "/v1/wines/scan", type: "image/png", Array("text".utf8)).status
                    == .unsupportedMediaType)
        }
    }
}
