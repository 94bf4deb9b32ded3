/// The limits of a bank's file.
package enum BankFileLimits {
    /// 5 MiB.
    package static let maximumBytes = 5 * 1_048_576
    package static let maximumBookings = 10_000
    /// The maximum number of accounts. A column with more values has the accounts of the other parties.
    package static let maximumAccounts = 100
}
