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

    /// The JSON of the document. The contents of an attachment are replaced by a key of `contents`.
    private(set) var text: [UInt8] = []
    private(set) var contents: [String: Contents] = [:]
    /// The first part of the keys of `contents`, which a client cannot guess.
    private let secret = Hexadecimal.encode(Random.bytes(16))

    /// The maximum size of the text in bytes. Greater than the limit of a document (`SyncLimits.documentBytes`), which
    /// does not count white space and escapes.
    static let maximumText = 4 * SyncLimits.documentBytes
    /// The maximum number of bytes of refused contents that are skipped.
    private static let maximumSkipped = UploadLimits.requestBytes

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
    /// completely in memory. If this fails, the caller deletes the stored contents.
    ///
    /// - Throws: `JSONError`; `CouchRefusal` if the attachments of the request are too large; `FormError` if the body does
    ///   not arrive; `PostgresError`.
    mutating func read(_ input: BodyBytes, _ parser: CouchDocumentParser) async throws {
        try await input.skipWhiteSpace()
        var scan = ValueScan(isDocument: true)
        while !scan.isComplete {
            let piece = try await input.piece()
            let length = scan.length(of: piece)
            guard text.count + length <= Self.maximumText else { throw JSONError(.tooLarge, offset: Self.maximumText) }
            text += piece.prefix(length)
            input.skip(length)
            guard scan.beginsContents else { continue }
            if contents.count < CouchDocumentParser.maximumAttachments {
                let key = add(try await Self.receive(input, parser))
                text += key.utf8
            } else {
                var decoder = Base64Contents()
                try await Self.skip(&decoder, input, parser.total)
            }
            text.append(UInt8(ascii: "\""))
            scan.skipContents()
        }
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
