import Foundation
import JSON
import TestSupport
import Testing

@testable import App

/// The published schemas of documents.
@Suite(.timeLimit(.minutes(5))) struct DocumentSchemaTests {
    private static let folder = TestSources.root + "/docs/reference/schemas"

    /// Run with `ALLESTEURER_WRITE_SCHEMAS=1` to publish an intended change.
    @Test(arguments: DocumentSchema.all.map(\.type))
    func `the published schema equals the schema that checks documents`(
        _ type: DocumentType
    ) throws {
        let path = "\(Self.folder)/\(type.rawValue)-\(DocumentSchema.version).json"
        let schema = DocumentSchema[type].jsonSchema
        if ProcessInfo.processInfo.environment["ALLESTEURER_WRITE_SCHEMAS"] == "1" {
            try Data(schema.bytes + [10]).write(to: URL(fileURLWithPath: path))
        }
        let published = try JSONValue(reading: Array(Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(published == schema)
    }

    @Test func `names of documents have a type and a lower-case UUID`() {
        #expect(DocumentKey("store:0192f0c1-2b3c-7d4e-8f50-0123456789ab")?.type == .store)
        for name in [
            "store", "store:1", "shop:0192f0c1-2b3c-7d4e-8f50-0123456789ab",
            "store:0192F0C1-2b3c-7d4e-8f50-0123456789ab",
        ] {
            #expect(DocumentKey(name) == nil, "\(name)")
        }
    }

    @Test func `revisions are ordered by number, then by the bytes of their hashes`() throws {
        let names = ["1-zz", "2-a", "2-b", "10-a"]
        #expect(names.compactMap { RevisionID($0) }.sorted().map(\.description) == names)
        for name in ["", "1", "0-a", "-1-a", "1-", "1-\u{e4}", "x-a"] { #expect(RevisionID(name) == nil, "\(name)") }
    }
}
