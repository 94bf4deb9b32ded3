import HTTP
import JSON

/// Reads the body of a bulk request: a JSON object with the list `docs`. Reads one element of the list at a time, so
/// that a request with pictures is never completely in memory.
///
/// Searches only for the ends of JSON values. The caller parses each element; `BulkBody` parses the other members of
/// the object.
final class BulkBody {
    // Not thread-safe: only the task that reads the request may use it.
    private let input: BodyBytes
    private var state = State.start
    /// The members other than `docs`; complete after the last element.
    private(set) var others = JSONObject()
    /// The maximum number of other members. Clients send one or two.
    static let maximumOthers = 20

    private enum State {
        case start, members, elements, end
    }

    init(_ body: RequestBody) { input = BodyBytes(body) }

    /// Calls `read` for the next element. The input is then at the first byte of the element. Returns nil after the
    /// last element.
    ///
    /// - Throws: `JSONError`; `FormError` if the body does not arrive; the errors of `read`.
    func next<Element>(_ read: (BodyBytes) async throws -> Element) async throws -> Element? {
        if state == .start {
            try await input.expect(UInt8(ascii: "{"))
            state = .members
        }
        while true {
            switch state {
            case .start: return nil
            case .members:
                guard try await beginMember() else {
                    state = .end
                    return nil
                }
            case .elements:
                if try await input.take(UInt8(ascii: "]")) {
                    state = .members
                    continue
                }
                _ = try await input.take(UInt8(ascii: ","))
                return try await read(input)
            case .end: return nil
            }
        }
    }

    /// Reads one member, or the beginning of the `docs` list.
    ///
    /// - Returns: false at the end of the object.
    private func beginMember() async throws -> Bool {
        if try await input.take(UInt8(ascii: "}")) { return false }
        _ = try await input.take(UInt8(ascii: ","))
        guard let name = try await value().string else { throw JSONError(.unexpectedByte, offset: 0) }
        try await input.expect(UInt8(ascii: ":"))
        if name == "docs" {
            try await input.expect(UInt8(ascii: "["))
            state = .elements
        } else {
            guard others.members.count < Self.maximumOthers else { throw JSONError(.tooLarge, offset: 0) }
            others[name] = try await value()
        }
        return true
    }

    private func value() async throws -> JSONValue {
        try await input.skipWhiteSpace()
        var text: [UInt8] = []
        var scan = ValueScan()
        while !scan.isComplete {
            let piece = try await input.piece()
            let length = scan.length(of: piece)
            guard text.count + length <= SyncLimits.documentBytes else {
                throw JSONError(.tooLarge, offset: SyncLimits.documentBytes)
            }
            text += piece.prefix(length)
            input.skip(length)
        }
        return try JSONValue(reading: text, limits: SyncLimits.document)
    }
}
