/// Splits bytes into frames.
package struct FrameDecoder: Sendable {
    private var buffer: [UInt8] = []
    /// The number of bytes at the beginning of `buffer` that belong to returned frames.
    private var start = 0

    package init() {}

    /// Adds received bytes, and removes the bytes of returned frames.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += bytes
    }

    /// Returns the next complete frame, or nil if more bytes are needed.
    ///
    /// - Throws: `frameTooLong`, or `malformed` for a length below 2 or an invalid last-part mark.
    package mutating func next() throws(WireError) -> Frame? {
        guard buffer.count - start >= 4 else { return nil }
        let length = buffer[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length >= 2 else { throw .malformed }
        guard length <= Frame.maximumPayload + 2 else { throw .frameTooLong }
        guard buffer.count - start >= 4 + length else { return nil }
        let last = buffer[start + 5]
        guard last <= 1 else { throw .malformed }
        let frame = Frame(
            kind: buffer[start + 4], isLast: last == 1, payload: Array(buffer[(start + 6)..<(start + 4 + length)]))
        start += 4 + length
        return frame
    }
}
