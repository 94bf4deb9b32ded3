import Crypto
import Domain
import HTTP

/// The contents of attachments inside a document (`attachments=true`). The document is written with a mark in place of
/// the contents. The contents are read and sent in chunks, so that they are never completely in memory.
enum InlineContents {
    /// The first part of a mark. It is random, so that no client can write it into a document.
    private static let secret = Array("\(Hexadecimal.encode(Random.bytes(16))):".utf8)
    /// The length of an identifier as text.
    private static let identifierLength = 36

    /// The text to write in place of the contents.
    static func mark(_ blob: BlobID) -> String { String(decoding: secret, as: UTF8.self) + blob.description }

    /// Sends JSON text, with the contents of attachments as Base64 in place of the marks.
    static func send(
        _ text: [UInt8], _ household: HouseholdID, _ database: Database, to writer: any ResponseWriter
    ) async throws {
        var rest = text[...]
        while let mark = rest.firstRange(of: secret) {
            try await writer.send(Array(rest[..<mark.lowerBound]))
            let identifier = rest[mark.upperBound...].prefix(identifierLength)
            if let blob = BlobID(String(decoding: identifier, as: UTF8.self)) {
                let encoder = Base64Writer(writer)
                try await PictureController.send(blob, household, database, to: encoder)
                try await encoder.finish()
            }
            rest = rest[identifier.endIndex...]
        }
        if !rest.isEmpty { try await writer.send(Array(rest)) }
    }
}
