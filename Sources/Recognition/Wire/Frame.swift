/// A part of a message.
///
/// The format on the wire: the number of the following bytes (4 bytes, big-endian), the kind (1 byte), 1 for the last
/// part of the message or 0 (1 byte), and the payload.
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
