import Crypto
import Domain

extension Identifier {
    /// The identifier that stands for a digest of at least 16 bytes: version 8 (RFC 9562 §5.8).
    package init?(derivedFrom digest: [UInt8]) {
        guard digest.count >= 16, let plain = Self(bytes: digest.prefix(16)) else { return nil }
        self.init(high: plain.high & ~0xF000 | 0x8000, low: plain.low & (1 << 62 - 1) | 1 << 63)
    }

    /// A new identifier, UUIDv7: greater than all that this process made before.
    package static func new() -> Self {
        let (high, low) = UUIDv7.next()
        return Self(high: high, low: low)
    }
}
