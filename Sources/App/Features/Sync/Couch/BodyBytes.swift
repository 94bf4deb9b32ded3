import HTTP
import JSON

/// The bytes of a request body that arrives in pieces. Keeps in memory one piece, and the beginning of a delimiter.
final class BodyBytes {
    // Not thread-safe: only the task that reads the request may use it.
    private let body: RequestBody
    private var bytes: [UInt8]
    private var position = 0

    /// - Parameter prefix: bytes to read before the body.
    init(_ body: RequestBody, after prefix: [UInt8] = []) {
        self.body = body
        bytes = prefix
    }

    /// Returns the bytes that have arrived and are not yet skipped; never empty.
    ///
    /// - Throws: `JSONError` at the end of the body; `FormError` if the body does not arrive.
    func piece() async throws -> ArraySlice<UInt8> {
        if position == bytes.count, try await !fill() { throw JSONError(.unexpectedEnd, offset: position) }
        return bytes[position...]
    }

    func skip(_ count: Int) { position += count }

    /// Adds bytes that have arrived. Returns false at the end of the body.
    private func fill() async throws -> Bool {
        let more: [UInt8]?
        do {
            more = try await body.next()
        } catch {
            throw FormError.body(error)
        }
        guard let more else { return false }
        bytes.removeFirst(position)
        position = 0
        bytes += more
        return true
    }

    // MARK: JSON

    func skipWhiteSpace() async throws {
        while Self.isWhiteSpace(try await piece()[position]) { position += 1 }
    }

    /// Skips white space and then `byte`. Returns false if another byte follows.
    func take(_ byte: UInt8) async throws -> Bool {
        try await skipWhiteSpace()
        guard bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// - Throws: `JSONError` unless `byte` follows, with or without white space before it.
    func expect(_ byte: UInt8) async throws {
        guard try await take(byte) else { throw JSONError(.unexpectedByte, offset: position) }
    }

    /// - Throws: `JSONError` unless the rest of the body is white space.
    func expectEnd() async throws {
        while true {
            guard bytes[position...].allSatisfy(Self.isWhiteSpace) else {
                throw JSONError(.trailingBytes, offset: position)
            }
            position = bytes.count
            guard try await fill() else { return }
        }
    }

    static func isWhiteSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    // MARK: Parts

    /// Returns the next bytes before a delimiter, never empty. If the next bytes are the delimiter, skips them and
    /// returns nil.
    ///
    /// - Throws: `CouchRefusal` if the body has no such delimiter; `FormError` if the body does not arrive.
    func bytes(before delimiter: [UInt8]) async throws -> [UInt8]? {
        while true {
            let rest = bytes[position...]
            var start = rest.startIndex
            while start < rest.endIndex {
                let candidate = rest[start...].prefix(delimiter.count)
                if candidate.elementsEqual(delimiter.prefix(candidate.count)) { break }
                start = rest[(start + 1)...].firstIndex(of: delimiter[0]) ?? rest.endIndex
            }
            if start > rest.startIndex {
                position = start
                return Array(rest[..<start])
            }
            if rest.count >= delimiter.count {
                position += delimiter.count
                return nil
            }
            guard try await fill() else { throw CouchRefusal.badRequest("the last boundary is missing") }
        }
    }
}
