/// The limits of a bank's file.
package enum BankFileLimits {
    /// 5 MiB.
    package static let mostBytes = 5 * 1_048_576
    package static let mostBookings = 10_000
}
