/// The minimum speed of a body: an average rate, and a limit for the total time.
package struct BodyPace: Equatable, Sendable {
    /// Minimum average rate after the grace period.
    package let bytesPerSecond: Int
    /// Limit of the total time spent waiting for bytes.
    package let totalSeconds: Int
    /// Seconds before the average rate is checked.
    package let graceSeconds: Int

    package init(bytesPerSecond: Int, totalSeconds: Int, graceSeconds: Int = 10) {
        self.bytesPerSecond = bytesPerSecond
        self.totalSeconds = totalSeconds
        self.graceSeconds = graceSeconds
    }

    /// Forms and JSON: 1 KiB/s, 2 minutes.
    package static let form = BodyPace(bytesPerSecond: 1024, totalSeconds: 120)
    /// Pictures and documents: 16 KiB/s, 30 minutes.
    package static let upload = BodyPace(bytesPerSecond: 16 * 1024, totalSeconds: 1800)
}
