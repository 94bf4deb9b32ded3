import HTTP
import JSON

/// Reads the body of a bulk request: a JSON object with the list `docs`. Returns one element of the list at a time, so
/// that a batch with pictures is never completely in memory.
///
/// Searches only for the ends of JSON values. The caller parses each element; `BulkBody` parses the other members of
/// the object.
final class BulkBody {
    // Not thread-safe: only the task that reads the request may use it.
    private let body: RequestBody
    private let maximumElement: Int
    private var bytes: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var state = State.start
    /// The members other than `docs`; complete after the last element.
    private(set) var others = JSONObject()
    /// The largest number of other members. Clients send one or two.
    static let mostOthers = 20

    private enum State {
        case start, members, elements, end
    }

    init(_ body: RequestBody, maximumElement: Int) {
        self.body = body
        self.maximumElement = maximumElement
    }

    /// Returns the text of the next element; nil after the last one.
    ///
    /// - Throws: `JSONError`; `FormError` if the body does not arrive.
    func next() async throws -> [UInt8]? {
        if state == .start {
            try await expect(UInt8(ascii: "{"))
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
                if try await skip(to: UInt8(ascii: "]")) {
                    state = .members
                    continue
                }
                _ = try await skip(to: UInt8(ascii: ","))
                return try await value()
            case .end: return nil
            }
        }
    }

    /// Reads one member, or the beginning of the `docs` list.
    ///
    /// - Returns: false at the end of the object.
    private func beginMember() async throws -> Bool {
        if try await skip(to: UInt8(ascii: "}")) { return false }
        _ = try await skip(to: UInt8(ascii: ","))
        let name = try JSONValue(reading: try await value(), limits: SyncLimits.document).string
        guard let name else { throw JSONError(.unexpectedByte, offset: position) }
        try await expect(UInt8(ascii: ":"))
        if name == "docs" {
            try await expect(UInt8(ascii: "["))
            state = .elements
        } else {
            guard others.members.count < Self.mostOthers else { throw JSONError(.tooLarge, offset: position) }
            others[name] = try JSONValue(reading: try await value(), limits: SyncLimits.document)
        }
        return true
    }

    // MARK: Bytes

    private func peek() async throws -> UInt8 {
        while position == bytes.count {
            guard !isAtEnd else { throw JSONError(.unexpectedEnd, offset: position) }
            let more: [UInt8]?
            do {
                more = try await body.next()
            } catch {
                throw FormError.body(error)
            }
            if let more {
                bytes.removeFirst(position)
                position = 0
                bytes += more
            } else {
                isAtEnd = true
            }
        }
        return bytes[position]
    }

    private func skipWhiteSpace() async throws {
        while [0x20, 0x09, 0x0A, 0x0D].contains(try await peek()) { position += 1 }
    }

    private func expect(_ byte: UInt8) async throws {
        guard try await skip(to: byte) else { throw JSONError(.unexpectedByte, offset: position) }
    }

    /// Skips white space and then `byte`. Returns false if another byte follows.
    private func skip(to byte: UInt8) async throws -> Bool {
        try await skipWhiteSpace()
        guard bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Returns the bytes of the next value: up to its closing bracket, or to the end of a string, number or literal.
    private func value() async throws -> [UInt8] {
        try await skipWhiteSpace()
        var text: [UInt8] = []
        var scan = ValueScan()
        while true {
            _ = try await peek()
            let length = scan.length(of: bytes[position...])
            guard text.count + length <= maximumElement else { throw JSONError(.tooLarge, offset: maximumElement) }
            text += bytes[position..<(position + length)]
            position += length
            if scan.isComplete { return text }
        }
    }
}

/// Finds the end of a JSON value that arrives in chunks.
private struct ValueScan {
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    /// Whether the value is a number, `true`, `false` or `null`.
    private var isWord = false
    private(set) var isComplete = false

    /// Returns the number of bytes of `piece` that belong to the value.
    mutating func length(of piece: ArraySlice<UInt8>) -> Int {
        var count = 0
        for byte in piece {
            if isInText {
                count += 1
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                    isComplete = depth == 0
                }
            } else {
                let isDelimiter = [0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x3A, 0x5D, 0x7D].contains(byte)
                if depth == 0, isWord, isDelimiter {
                    isComplete = true
                    return count
                }
                count += 1
                switch byte {
                case UInt8(ascii: "\""): isInText = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    // A closing bracket without an opening one. End the value here; the parser reports the error.
                    isComplete = depth <= 0
                default: if depth == 0 { isWord = true }
                }
            }
            if isComplete { return count }
        }
        return count
    }
}
