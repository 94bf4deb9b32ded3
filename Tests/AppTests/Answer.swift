import Domain
import Foundation
import HTTP
import Testing

@testable import App

/// A response with its whole body, except that the body of a file is empty.
struct Answer: Sendable {
    let status: Status
    let headers: Headers
    let bytes: [UInt8]
    /// The size in bytes of the largest part of a streamed body; 0 for other bodies.
    private(set) var largestPart = 0
    /// The body as text. No-break spaces, as in amounts, are replaced by ordinary spaces, as in the texts of tests.
    var text: String { String(decoding: bytes, as: UTF8.self).replacing("\u{A0}", with: " ") }
    /// The target of a redirect.
    var location: String? { headers["Location"] }

    /// The receipt to whose page the answer redirects.
    func redirectedReceipt() throws -> ReceiptID {
        let location = try #require(self.location)
        return try #require(ReceiptID(String(location.split(separator: "/")[1])))
    }

    init(_ response: Response) async throws {
        status = response.status
        headers = response.headers
        switch response.body {
        case .none: bytes = []
        case .bytes(let body): bytes = body
        case .file: bytes = []
        case .stream(_, let write):
            let collected = CollectedBody()
            do {
                try await write(collected)
            } catch is Disconnected where collected.isDisconnected {}
            bytes = collected.bytes
            largestPart = collected.largestPart
        }
    }

    /// The form token of the page.
    var token: String? { attribute("value", after: "name=\"csrf\"") }

    /// Returns the value of the first attribute `name` after the text `mark`.
    func attribute(_ name: String, after mark: String) -> String? {
        guard let start = text.range(of: mark)?.upperBound,
            let value = text.range(of: "\(name)=\"", range: start..<text.endIndex)?.upperBound,
            let end = text[value...].firstIndex(of: "\"")
        else { return nil }
        return String(text[value..<end])
    }

    private final class CollectedBody: ResponseWriter, @unchecked Sendable {
        // Safe to share: written by one closure, and read after it has returned.
        var bytes: [UInt8] = []
        var largestPart = 0
        /// A stream of changes does not end by itself, so the reader disconnects after the first event.
        var isDisconnected = false

        func send(_ bytes: [UInt8]) async throws(Disconnected) {
            self.bytes += bytes
            largestPart = max(largestPart, bytes.count)
            isDisconnected = String(decoding: bytes, as: UTF8.self).contains("event: hello\n")
            if isDisconnected { throw Disconnected() }
        }
    }
}
