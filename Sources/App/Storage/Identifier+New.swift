import Crypto
import Domain

extension Identifier {
    /// An identifier derived from the first 16 bytes of a digest: version 8 (RFC 9562 §5.8).
    package init?(derivedFrom digest: [UInt8]) {
        guard digest.count >= 16, let plain = Self(bytes: digest.prefix(16)) else { return nil }
        self.init(high: plain.high & ~0xF000 | 0x8000, low: plain.low & (1 << 62 - 1) | 1 << 63)
    }

    /// A new UUIDv7, greater than all earlier ones of this process.
    package static func new() -> Self {
        let (high, low) = UUIDv7.next()
        return Self(high: high, low: low)
    }
}
