/// A piece of a message on the wire: length (4 bytes, big-endian, of what follows), kind (1), last piece 0/1 (1), payload.
package struct Frame: Equatable, Sendable {
    /// 64 KiB; longer messages go in several frames.
    package static let maximumPayload = 65_536

    /// Which message it is a piece of; see ``ReaderRequest`` and ``ReaderAnswer``.
    package var kind: UInt8
    /// True for the piece that ends its message.
    package var isLast: Bool
    /// At most ``maximumPayload`` bytes; may be empty.
    package var payload: [UInt8]

    package init(kind: UInt8, isLast: Bool, payload: [UInt8]) {
        self.kind = kind
        self.isLast = isLast
        self.payload = payload
    }

    /// As on the wire, its six bytes of head included.
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

/// The other side broke the protocol: nothing it sends can be trusted any more.
package enum WireError: Error, Equatable {
    /// A payload beyond ``Frame/maximumPayload``.
    case frameTooLong
    /// More bytes than the side that reads has set.
    case messageTooLong
    /// A kind, count, length or text that the protocol doesn't know.
    case malformed
}

/// Bytes in any portions → frames.
package struct FrameDecoder: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0

    package init() {}

    /// Takes what arrived; frames already given out make room.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += bytes
    }

    /// The next whole frame, nil until more bytes arrive.
    ///
    /// - Throws: `frameTooLong`, or `malformed` for a length below 2 or another last mark than 0 and 1.
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

/// Frames → whole messages of at most `limit` bytes.
package struct MessageAssembler: Sendable {
    private let limit: Int
    private var kind: UInt8?
    private var payload: [UInt8] = []

    package init(limit: Int) {
        self.limit = limit
    }

    /// The message that this frame completes. A frame of another kind drops an unfinished message: its sender died.
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

/// A message cut into frames, one at a time, so that a large file isn't copied as a whole.
package struct FrameCutter: Sendable {
    private let kind: UInt8
    private let head: [UInt8]
    private let body: [UInt8]
    private var sent = 0
    private var ended = false

    /// The message is `head` followed by `body`.
    package init(kind: UInt8, head: [UInt8], body: [UInt8] = []) {
        self.kind = kind
        self.head = head
        self.body = body
    }

    /// The bytes of the next frame, nil after the last.
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

    /// All frames at once, for small messages.
    package consuming func joined() -> [UInt8] {
        var result: [UInt8] = []
        while let frame = next() { result += frame }
        return result
    }
}
