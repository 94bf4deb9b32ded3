/// Splits a message into frames one at a time, so that a large file is not copied as a whole.
package struct FrameCutter: Sendable {
    private let kind: UInt8
    private let head: [UInt8]
    private let body: [UInt8]
    private var sentBytes = 0
    private var hasEnded = false

    /// - Parameter head: the first bytes of the message; `body` follows.
    package init(kind: UInt8, head: [UInt8], body: [UInt8] = []) {
        self.kind = kind
        self.head = head
        self.body = body
    }

    /// Returns the bytes of the next frame, or nil after the last.
    package mutating func next() -> [UInt8]? {
        if hasEnded { return nil }
        let total = head.count + body.count
        let end = min(total, sentBytes + Frame.maximumPayload)
        var payload: [UInt8] = []
        if sentBytes < head.count { payload += head[sentBytes..<min(end, head.count)] }
        if end > head.count { payload += body[max(0, sentBytes - head.count)..<(end - head.count)] }
        sentBytes = end
        hasEnded = end == total
        return Frame(kind: kind, isLast: hasEnded, payload: payload).bytes
    }

    /// Returns all frames at once, for small messages.
    package consuming func joined() -> [UInt8] {
        var result: [UInt8] = []
        while let frame = next() { result += frame }
        return result
    }
}
