/// Reads a `multipart/form-data` body part by part, with at most one piece of it in memory.
///
/// Used by one task: call `nextPart()`, then `value(limit:)` for a field, or `nextChunk()` until it returns nil for a
/// file.
package final class MultipartReader {
    /// The default maximum number of parts, files and fields together.
    package static let maximumParts = 64

    private let body: RequestBody
    /// The maximum size of the whole body in bytes.
    private let limit: Int
    private var decoder: MultipartDecoder
    private var receivedBytes = 0
    private var isInPart = false

    /// - Parameter limit: the maximum size of the whole body in bytes.
    /// - Throws: `unsupported` for another content type, `malformed` without a valid boundary, `tooLarge` if the
    ///   declared length exceeds `limit`.
    package init(
        _ head: RequestHead, _ body: RequestBody, limit: Int, maximumParts: Int = MultipartReader.maximumParts
    ) throws(FormError) {
        guard let type = head.headers[.contentType].flatMap(MediaType.init), type.essence == "multipart/form-data"
        else { throw .unsupported }
        guard let boundary = type["boundary"], (1...70).contains(boundary.utf8.count),
            boundary.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || "'()+_,-./:=? ".utf8.contains($0) }),
            boundary.last != " "
        else { throw .malformed }
        if let length = body.declaredLength, length > limit { throw .tooLarge }
        self.body = body
        self.limit = limit
        decoder = MultipartDecoder(boundary: boundary, maximumParts: maximumParts)
    }

    /// Returns the next part, or nil after the last. Skips the unread bytes of the current part.
    ///
    /// - Throws: `malformed`, `tooMany`, `tooLarge`, `body`. The body cannot be read further after an error.
    package func nextPart() async throws(FormError) -> MultipartPart? {
        while true {
            switch try await nextEvent() {
            case .part(let part):
                isInPart = true
                return part
            case .data: break
            case .partEnd: isInPart = false
            case .end:
                // Data after the last delimiter counts towards the limit and is discarded.
                while try await fill() { _ = try decoder.next() }
                return nil
            case nil: return nil
            }
        }
    }

    /// Returns the next bytes of the current part, never empty, or nil at its end.
    ///
    /// - Throws: the errors of `nextPart()`.
    package func nextChunk() async throws(FormError) -> [UInt8]? {
        guard isInPart else { return nil }
        if case .data(let bytes) = try await nextEvent() { return bytes }
        isInPart = false
        return nil
    }

    /// Returns the current part as text of at most `limit` bytes.
    ///
    /// - Throws: `tooLarge` beyond `limit`, `malformed` for U+0000 or invalid UTF-8; the errors of `nextPart()`.
    package func value(limit: Int) async throws(FormError) -> String {
        var bytes: [UInt8] = []
        while let chunk = try await nextChunk() {
            guard bytes.count + chunk.count <= limit else { throw .tooLarge }
            bytes += chunk
        }
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
        return text
    }

    /// Returns the next event, reading more of the body if needed; nil only after the last delimiter.
    private func nextEvent() async throws(FormError) -> MultipartDecoder.Event? {
        guard !decoder.isComplete else { return nil }
        while true {
            if let event = try decoder.next() { return event }
            guard try await fill() else { throw .malformed }
        }
    }

    /// Reads more of the body. Returns false at its end.
    private func fill() async throws(FormError) -> Bool {
        let bytes: [UInt8]?
        do {
            bytes = try await body.next()
        } catch {
            throw .body(error)
        }
        guard let bytes else { return false }
        receivedBytes += bytes.count
        guard receivedBytes <= limit else { throw .tooLarge }
        decoder.feed(bytes)
        return true
    }
}
