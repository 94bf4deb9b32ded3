/// A UUID (RFC 9562) with a tag for the type of object that it identifies, so that a store's identifier cannot be used
/// for a product.
package struct Identifier<Tag>: Hashable, Comparable, Sendable {
    /// The first eight bytes. In version 7 they begin with the milliseconds since 1970.
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads 16 bytes in network order. Nil for another number of bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
            low: bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// A new identifier of version 7: `milliseconds` since 1970 (UTC), then random bits of `generator`.
    package init(milliseconds: UInt64, using generator: inout some RandomNumberGenerator) {
        high = milliseconds << 16 | 0x7000 | generator.next() & 0x0FFF
        low = 1 << 63 | generator.next() >> 2
    }

    /// Reads `8-4-4-4-12` hexadecimal digits in either case. Nil for other forms.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 36 else { return nil }
        var values: (high: UInt64, low: UInt64) = (0, 0)
        var digits = 0
        for (position, byte) in text.utf8.enumerated() {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let nibble = hexadecimalValue(byte) else { return nil }
            if digits < 16 { values.high = values.high << 4 | nibble } else { values.low = values.low << 4 | nibble }
            digits += 1
        }
        self.init(high: values.high, low: values.low)
    }

    /// The 16 bytes in network order.
    package var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) } }
    }

    package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }

    /// The same identifier with another tag. Only where two types of objects share identifiers by design, or to remove
    /// the type (`Void`).
    package func relabelled<Other>(_: Other.Type = Other.self) -> Identifier<Other> {
        Identifier<Other>(high: high, low: low)
    }
}

extension Identifier: CustomStringConvertible {
    /// The lower-case text form, `8-4-4-4-12`.
    package var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for digit in 0..<32 {
                if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                    buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                let half = digit < 16 ? high : low
                let nibble = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (digit % 16))) & 0xF
                buffer[position] = nibble < 10 ? 48 + nibble : 87 + nibble
                position += 1
            }
            return 36
        }
    }
}

extension Identifier: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Identifier(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

private func hexadecimalValue(_ byte: UInt8) -> UInt64? {
    switch byte {
    case 48...57: UInt64(byte - 48)
    case 65...70: UInt64(byte - 55)
    case 97...102: UInt64(byte - 87)
    default: nil
    }
}
