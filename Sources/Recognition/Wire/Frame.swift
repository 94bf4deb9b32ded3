/// A part of a message. On the wire: the length of what follows (4 bytes, big-endian), the kind (1 byte), 1 for the
/// last part of the message and 0 for the others (1 byte), the payload.
package struct Frame: Equatable, Sendable {
    /// The maximum size of a payload: 64 KiB. Longer messages use several frames.
    package static let maximumPayload = 65_536

    /// The kind of its message; see ``ReaderRequest`` and ``ReaderAnswer``.
    package var kind: UInt8
    /// True for the last frame of a message.
    package var isLast: Bool
    /// At most ``maximumPayload`` bytes; may be empty.
    package var payload: [UInt8]

    package init(kind: UInt8, isLast: Bool, payload: [UInt8]) {
        self.kind = kind
        self.isLast = isLast
        self.payload = payload
    }

    /// The frame as sent, including its header of six bytes.
    package var bytes: [UInt8] {
        let length = UInt32(payload.count + 2)
        var result: [UInt8] = []
        result.reserveCapacity(payload.count + 6)
        for shift: UInt32 in [24, 16, 8, 0] { result.append(UInt8(truncatingIfNeeded: length >> shift)) }
        result.append(kind)
        result.append(isLast ? 1 : 0)
        result += payload
        return result
    }
}

/// A violation of the protocol. Nothing that the other side sends afterwards can be trusted.
package enum WireError: Error, Equatable {
    /// A payload beyond ``Frame/maximumPayload``.
    case frameTooLong
    /// More bytes than the receiver's limit.
    case messageTooLong
    /// An invalid kind, count, length or text.
    case malformed
}

/// Splits bytes into frames.
package struct FrameDecoder: Sendable {
    private var buffer: [UInt8] = []
    /// The number of bytes at the beginning of `buffer` that belong to returned frames.
    private var start = 0

    package init() {}

    /// Adds received bytes, and frees those of returned frames.
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

/// Joins frames into messages of at most `limit` bytes.
package struct MessageAssembler: Sendable {
    private let limit: Int
    private var kind: UInt8?
    private var payload: [UInt8] = []

    package init(limit: Int) {
        self.limit = limit
    }

    /// Returns the message that this frame completes. A frame of another kind discards an unfinished message, because
    /// the process that sent it has ended.
    ///
    /// - Throws: `messageTooLong` beyond the limit.
    package mutating func take(_ frame: Frame) throws(WireError) -> (kind: UInt8, payload: [UInt8])? {
        if kind != frame.kind { payload = [] }
        kind = frame.kind
        guard payload.count + frame.payload.count <= limit else { throw .messageTooLong }
        payload += frame.payload
        guard frame.isLast else { return nil }
        defer {
            payload = []
            kind = nil
        }
        return (frame.kind, payload)
    }
}

/// Splits a message into frames one at a time, so that a large file is not copied as a whole.
package struct FrameCutter: Sendable {
    private let kind: UInt8
    private let head: [UInt8]
    private let body: [UInt8]
    private var sent = 0
    private var ended = false

    /// - Parameter head: the first bytes of the message; `body` follows.
    package init(kind: UInt8, head: [UInt8], body: [UInt8] = []) {
        self.kind = kind
        self.head = head
        self.body = body
    }

    /// Returns the bytes of the next frame, or nil after the last.
    package mutating func next() -> [UInt8]? {
        if ended { return nil }
        let total = head.count + body.count
        let end = min(total, sent + Frame.maximumPayload)
        var payload: [UInt8] = []
        if sent < head.count { payload += head[sent..<min(end, head.count)] }
        if end > head.count { payload += body[max(0, sent - head.count)..<(end - head.count)] }
        sent = end
        ended = end == total
        return Frame(kind: kind, isLast: ended, payload: payload).bytes
    }

    /// Returns all frames at once, for small messages.
    package consuming func joined() -> [UInt8] {
        var result: [UInt8] = []
        while let frame = next() { result += frame }
        return result
    }
}
