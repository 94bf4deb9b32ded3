/// The limits of a bank's file.
package enum BankFileLimits {
    /// 5 MiB.
    package static let maximumBytes = 5 * 1_048_576
    package static let maximumBookings = 10_000
}
