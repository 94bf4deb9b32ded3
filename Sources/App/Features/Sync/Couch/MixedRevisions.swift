import Crypto
import Domain
import HTTP
import JSON
import Postgres

/// Revisions of a document as `multipart/mixed`, which CouchDB's replicator requires for `open_revs` (RFC 2046 §5.1.3).
///
/// A revision without attachments is a part with JSON. A revision with attachments is a part of type
/// `multipart/related` (RFC 2387): first the JSON, in which each attachment has `"follows": true`, then the contents in
/// the same order. Attachments are read and sent in chunks.
struct MixedRevisions: Sendable {
    let database: Database
    let household: HouseholdID
    let document: DocumentRevisions
    let options: CouchDocumentWriter.Options
    /// The requested revisions in the requested order. `stored` is nil for revisions that are not available.
    let revisions: [(text: String, stored: StoredRevision?)]
    /// The boundary of `multipart/mixed`.
    private let outer: String
    /// The boundary of `multipart/related`.
    private let inner: String

    /// Whether the client prefers `multipart/mixed` to JSON. Clients that accept anything get JSON.
    static func isWanted(by head: RequestHead) -> Bool {
        Negotiation.mediaType(head.headers.list(.accept), available: ["application/json", "multipart/mixed"])
            == "multipart/mixed"
    }

    init(
        _ revisions: [(text: String, stored: StoredRevision?)], of document: DocumentRevisions,
        _ options: CouchDocumentWriter.Options, _ household: HouseholdID, _ database: Database
    ) {
        self.revisions = revisions
        self.document = document
        self.options = options
        self.household = household
        self.database = database
        outer = Hexadecimal.encode(Random.bytes(16))
        inner = Hexadecimal.encode(Random.bytes(16))
    }

    var response: Response {
        Response(
            headers: ["Content-Type": "multipart/mixed; boundary=\"\(outer)\"", "Cache-Control": "no-store"],
            body: .stream(length: nil) { writer in try await write(to: writer) }, isCompressible: false)
    }

    private func write(to writer: any ResponseWriter) async throws {
        try await send("--\(outer)", to: writer)
        for (text, stored) in revisions {
            if let stored {
                try await write(stored, to: writer)
            } else {
                var json = JSONWriter()
                json.object { $0.member("missing", text) }
                try await send("\r\nContent-Type: application/json; error=\"true\"\r\n\r\n", json.bytes, to: writer)
            }
            try await send("\r\n--\(outer)", to: writer)
        }
        try await send("--", to: writer)
    }

    private func write(_ stored: StoredRevision, to writer: any ResponseWriter) async throws {
        let files = try await files(of: stored)
        var json = JSONWriter(capacity: 4096)
        CouchDocumentWriter.write(stored, of: document, options, following: Set(files.map(\.name)), into: &json)
        guard !files.isEmpty else {
            return try await send("\r\nContent-Type: application/json\r\n\r\n", json.bytes, to: writer)
        }
        try await send(
            "\r\nContent-Type: multipart/related; boundary=\"\(inner)\"\r\n\r\n"
                + "--\(inner)\r\nContent-Type: application/json\r\n\r\n", json.bytes, to: writer)
        for file in files {
            let type = CouchController.safeMediaType(file.type)
            try await send(
                "\r\n--\(inner)\r\nContent-Disposition: attachment; filename=\"\(Self.quotable(file.name))\"\r\n"
                    + "Content-Type: \(type)\r\nContent-Length: \(file.size)\r\n\r\n", to: writer)
            try await PictureController.send(file.blob, household, database, to: writer)
        }
        try await send("\r\n--\(inner)--", to: writer)
    }

    private struct File {
        let name: String
        let type: String?
        let blob: BlobID
        let size: Int64
    }

    /// The attachments in the order of the document, without those whose contents were deleted.
    private func files(of stored: StoredRevision) async throws -> [File] {
        let attachments = (stored.attachments ?? JSONObject()).compactMap { member in
            member.value["blob"]?.string.flatMap { BlobID($0) }.map {
                (name: member.name, type: member.value["content_type"]?.string, blob: $0)
            }
        }
        guard !attachments.isEmpty else { return [] }
        let sizes = Dictionary(
            try await database.read(
                household,
                "SELECT id, size FROM blob WHERE household_id = \(household) AND id = ANY(\(attachments.map(\.blob)))"
            ).decode((BlobID, Int64).self).map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
        return attachments.compactMap { file in
            sizes[file.blob].map { File(name: file.name, type: file.type, blob: file.blob, size: $0) }
        }
    }

    /// Replaces characters that may not be in a quoted string.
    private static func quotable(_ name: String) -> String {
        let bytes = name.utf8.map { byte -> UInt8 in
            let isAllowed = byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            return isAllowed ? byte : UInt8(ascii: "_")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func send(_ text: String, _ bytes: [UInt8] = [], to writer: any ResponseWriter) async throws {
        try await writer.send(Array(text.utf8) + bytes)
    }
}
