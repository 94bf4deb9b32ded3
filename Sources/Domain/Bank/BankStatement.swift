/// The contents of a bank's file.
package struct BankStatement: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        case csv, camt, mt940
    }

    /// An entry that is not imported.
    package struct Skipped: Hashable, Sendable {
        package enum Reason: String, Sendable, CaseIterable {
            /// The bank has not booked the entry yet, or has declined or reverted it.
            case pending
            /// The day, the amount or the currency is missing or malformed.
            case day, amount, currency
            /// The amount is 0. Banks use such entries for information.
            case zero
        }

        /// The line of the file on which the entry begins, from 1.
        package let line: Int
        package let reason: Reason

        package init(line: Int, reason: Reason) {
            self.line = line
            self.reason = reason
        }
    }

    package let format: Format
    /// Bookings with amounts other than 0.
    package let bookings: [BankBooking]
    package let skipped: [Skipped]

    package init(format: Format, bookings: [BankBooking], skipped: [Skipped] = []) {
        self.format = format
        self.bookings = bookings
        self.skipped = skipped
    }

    /// The same contents, without the accounts if there are more than `BankFileLimits.maximumAccounts`.
    func withPlausibleAccounts() -> BankStatement {
        let accounts = Set(bookings.map(\.account)).subtracting([""])
        guard accounts.count > BankFileLimits.maximumAccounts else { return self }
        return BankStatement(format: format, bookings: bookings.map { $0.withoutAccount() }, skipped: skipped)
    }
}
