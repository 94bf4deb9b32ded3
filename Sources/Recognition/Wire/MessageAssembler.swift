/// Joins frames into messages.
package struct MessageAssembler: Sendable {
    /// The maximum size of a message in bytes.
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
