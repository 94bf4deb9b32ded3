import Crypto
import Domain
import HTTP
import JSON

/// A document from a request, without the contents of its attachments, which are in the quarantine.
struct ArrivingDocument: Sendable {
    /// The contents of an attachment, or the reason why they are refused.
    enum Contents: Sendable {
        case stored(Quarantine.ReceivedFile)
        case refused(any Error)
    }

    /// The JSON of the document; incomplete if it is too large. The contents of an attachment are replaced by a key of
    /// `contents`.
    private(set) var text: [UInt8] = []
    /// The number of bytes of the JSON.
    private var size = 0
    private(set) var contents: [String: Contents] = [:]
    /// The field `_id`; nil if there is none. Also found if the JSON is too large or cannot be parsed.
    private(set) var statedID: String?
    /// The first part of the keys of `contents`. It is random, so that a client cannot guess it.
    private let secret = Hexadecimal.encode(Random.bytes(16))

    /// The maximum size of the text in bytes. Greater than `SyncLimits.documentBytes`, the limit of a document, because
    /// that limit does not count white space and escapes.
    static let maximumText = 4 * SyncLimits.documentBytes
    /// The maximum number of bytes of refused contents, or of a document that is too large, that are skipped.
    private static let maximumSkipped = UploadLimits.requestBytes

    var isTooLarge: Bool { size > Self.maximumText }

    var stored: [Quarantine.ReceivedFile] {
        contents.values.compactMap { if case .stored(let file) = $0 { file } else { nil } }
    }

    /// Adds the contents of an attachment. Returns the key.
    mutating func add(_ contents: Contents) -> String {
        let key = "\(secret):\(self.contents.count)"
        self.contents[key] = contents
        return key
    }

    /// Reads a document, and stores the contents of its attachments while they arrive, so that they are never
    /// completely in memory. If reading fails, the caller deletes the stored contents.
    ///
    /// - Throws: `JSONError` if the document does not end; `CouchRefusal` if the attachments of the request are too large;
    ///   `FormError` if the body does not arrive; `PostgresError`.
    mutating func read(_ input: BodyBytes, _ parser: CouchDocumentParser) async throws {
        try await input.skipWhiteSpace()
        var scan = ValueScan(isDocument: true)
        while !scan.isComplete {
            let piece = try await input.piece()
            let length = scan.length(of: piece)
            try append(piece.prefix(length))
            input.skip(length)
            guard scan.beginsContents else { continue }
            if contents.count < CouchDocumentParser.maximumAttachments {
                let key = add(try await Self.receive(input, parser))
                try append(key.utf8)
            } else {
                var decoder = Base64Contents()
                try await Self.skip(&decoder, input, parser.total)
            }
            try append([UInt8(ascii: "\"")])
            scan.skipContents()
        }
        statedID = scan.identifier.flatMap { bytes in
            (try? JSONValue(reading: [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]))?.string
        }
    }

    /// Adds JSON. If the document is too large, only counts the further bytes, so that the next document can be read.
    private mutating func append(_ bytes: some Collection<UInt8>) throws {
        size += bytes.count
        guard size <= Self.maximumSkipped else { throw FormError.tooLarge }
        if !isTooLarge { text += bytes }
    }

    /// Stores the contents of one attachment. Refused contents are skipped, so that the rest of the request can be
    /// read.
    private static func receive(
        _ input: BodyBytes, _ parser: CouchDocumentParser
    ) async throws -> Contents {
        var decoder = Base64Contents()
        func next() async throws -> [UInt8]? {
            while !decoder.isComplete {
                let (length, bytes) = decoder.decode(try await input.piece())
                input.skip(length)
                guard decoder.isValid else { break }
                try parser.total.add(bytes.count)
                if !bytes.isEmpty { return bytes }
            }
            guard decoder.isValid else { throw CouchRefusal.forbidden("Invalid attachment data") }
            return nil
        }
        let refusal: any Error
        do {
            return .stored(try await parser.quarantine.receive(name: "", parser.household, next))
        } catch let error as UploadRefusal {
            refusal = error
        } catch let error as CouchRefusal where error.status == .forbidden {
            refusal = error
        }
        try await skip(&decoder, input, parser.total)
        return .refused(refusal)
    }

    /// Skips the rest of the contents of an attachment.
    private static func skip(
        _ decoder: inout Base64Contents, _ input: BodyBytes, _ total: AttachmentTotal
    ) async throws {
        var skipped = 0
        while !decoder.isComplete {
            let length = decoder.decode(try await input.piece()).length
            input.skip(length)
            skipped += length
            try total.add(length)
            guard skipped <= maximumSkipped else { throw FormError.tooLarge }
        }
    }
}
