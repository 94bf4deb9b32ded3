import Glibc
import Synchronization

/// Creates identifiers of version 7 (RFC 9562 §5.7): milliseconds since 1970, then 12 bits for the order within a
/// millisecond (§6.2, method 3), then 62 random bits. Each identifier is greater than all earlier ones of this process,
/// on any thread.
package enum UUIDv7 {
    /// The time of the last identifier in units of 1/4096 milliseconds since 1970.
    private static let last = Atomic<UInt64>(0)

    /// Returns a new identifier as two big-endian halves of its 16 bytes.
    package static func next() -> (high: UInt64, low: UInt64) { next(at: now()) }

    /// Bytes in network order.
    package static func bytes(_ identifier: (high: UInt64, low: UInt64)) -> [UInt8] {
        [identifier.high, identifier.low].flatMap { half in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
        }
    }

    /// Creates an identifier for a time. If the clock was set back, the time of the last identifier is increased
    /// instead.
    ///
    /// - Parameter ticks: the time in units of 1/4096 milliseconds since 1970.
    static func next(at ticks: UInt64) -> (high: UInt64, low: UInt64) {
        var previous = last.load(ordering: .relaxed)
        while true {
            let candidate = max(ticks, previous + 1)
            let (exchanged, original) = last.compareExchange(expected: previous, desired: candidate, ordering: .relaxed)
            if exchanged { return assemble(candidate) }
            previous = original
        }
    }

    private static func assemble(_ ticks: UInt64) -> (high: UInt64, low: UInt64) {
        let milliseconds = ticks >> 12
        let fraction = ticks & 0xFFF
        let random = Random.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
        return (milliseconds << 16 | 0x7000 | fraction, 1 << 63 | random >> 2)
    }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let nanoseconds = UInt64(time.tv_nsec)
        let milliseconds = UInt64(time.tv_sec) * 1000 + nanoseconds / 1_000_000
        return milliseconds << 12 | (nanoseconds % 1_000_000) * 4096 / 1_000_000
    }
}
