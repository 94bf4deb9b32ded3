import Domain
import Postgres

/// The bookings of a file that were already imported.
///
/// A booking is known if a stored one has the same day, amount and content, and can be of the same account. Bookings
/// from earlier versions have no account, because their key includes the account.
struct KnownBookings: Sendable {
    /// The accounts of the stored bookings, by key; an empty text for a booking without one.
    private var accounts: [String: [String]] = [:]

    init() {}

    /// Decodes the rows of `query`.
    init(_ rows: Rows) throws {
        for (key, account) in try rows.decode((String, String).self) { accounts[key, default: []].append(account) }
    }

    static func query(_ bookings: [BankPreview.KeyedBooking], _ household: HouseholdID) -> SQL {
        let keys = Set(bookings.flatMap { [$0.key] + $0.earlierKeys }).sorted()
        return """
            SELECT b.source_key, CASE WHEN \(isNamed) THEN b.account ELSE '' END FROM bank_booking b
            WHERE b.household_id = \(household) AND b.source_key = ANY(\(keys))
            """
    }

    /// The account to store for a booking without an account, if an equal booking is stored already. Stored bookings
    /// with the same content must have different accounts.
    static func unnamedAccount(in file: BankImportID) -> String { "UNKNOWN:\(file)" }

    /// A condition on the stored booking `b`: it has an account, other than an `unnamedAccount`.
    static let isNamed: SQL = "(b.account <> '' AND b.account NOT LIKE 'UNKNOWN:%')"

    /// Whether the same booking is stored and certainly of the same account. If this is false, a known booking may be
    /// an equal payment from another account.
    func hasSameAccount(_ booking: BankPreview.KeyedBooking) -> Bool {
        booking.earlierKeys.contains { accounts[$0]?.contains("") == true }
            || accounts[booking.key]?.contains { BankAccount.isSame($0, booking.booking.account) } == true
    }

    /// Whether the same booking is stored and may be of the same account.
    func contains(_ booking: BankPreview.KeyedBooking) -> Bool {
        booking.earlierKeys.contains { accounts[$0]?.contains("") == true }
            || accounts[booking.key]?.contains { BankAccount.canBeSame($0, booking.booking.account) } == true
    }
}
