import JSON
import Testing

@testable import App

/// Filters for replicated documents.
@Suite(.timeLimit(.minutes(5))) struct CouchSelectorTests {
    private static let document: JSONValue = [
        "_id": "store:1", "type": "store", "position": 7, "tags": ["a", "ab"], "place": ["town": "Wien"],
    ]

    @Test(
        arguments: [
            (["type": "store", "place.town": "Wien"], true),
            (["_id": ["$beginsWith": "store:"]], true),
            (["_id": ["$beginsWith": "image:"]], false),
            (["position": ["$beginsWith": "7"]], false),
            (["position": ["$mod": [5, 2]]], true),
            (["position": ["$mod": [5, 1]]], false),
            (["position": ["$mod": [0, 0]]], false),
            (["tags": ["$allMatch": ["$beginsWith": "a"]]], true),
            (["tags": ["$allMatch": ["$eq": "a"]]], false),
            (["position": ["$or": [["$lt": 1], ["$gt": 5]]]], true),
            (["position": ["$and": [["$gt": 1], ["$lt": 5]]]], false),
            (["position": ["$nor": [["$gt": 1], ["$lt": 0]]]], false),
        ] as [(JSONValue, Bool)])
    func `finds documents by their fields`(selector: JSONValue, isFound: Bool) throws {
        #expect(try CouchSelector(selector).matches(Self.document) == isFound)
    }

    @Test func `refuses an unknown operator`() {
        #expect(throws: CouchRefusal.self) { _ = try CouchSelector(["name": ["$regex": "a"]]) }
    }
}
