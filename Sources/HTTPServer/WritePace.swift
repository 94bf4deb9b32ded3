/// The minimum speed at which a client reads one answer, over all writes of the answer. Only the time in which the server
/// waits for the client counts, so a stream may pause for any time. Bytes in the kernel's buffer count as read.
struct WritePace {
    private static let bytesPerSecond = 8192

    private var sentBytes = 0
    /// Nanoseconds.
    private var waitedTime: Int64 = 0

    mutating func addSentBytes(_ count: Int) { sentBytes += count }
    mutating func addWaitedTime(_ nanoseconds: Int64) { waitedTime += nanoseconds }

    /// The end of the next wait. A client may pause for `pause` nanoseconds, and must then read 8 KiB/s on average.
    func deadline(_ now: Int64, pause: Int64) -> Int64 {
        now + min(pause, pause + Int64(sentBytes / Self.bytesPerSecond) * 1_000_000_000 - waitedTime)
    }
}
