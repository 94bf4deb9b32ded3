import Domain
import Postgres

/// The bookings of a file that were already imported, as far as the member may know.
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

    /// Selects the stored bookings that equal bookings of a member's file. Excludes bookings of other members whose
    /// expense or receipt the member may not see. Otherwise a member could find out with an invented file what another
    /// member has paid. The member's own import then creates an expense, and the other member is asked whether both are
    /// the same payment (`BankPair`).
    static func query(_ bookings: [BankPreview.KeyedBooking], _ member: Member) -> SQL {
        let household = member.household
        let keys = Set(bookings.flatMap { [$0.key] + $0.earlierKeys }).sorted()
        return """
            SELECT b.source_key, CASE WHEN \(isNamed) THEN b.account ELSE '' END FROM bank_booking b
            JOIN bank_import i ON i.household_id = \(household) AND i.id = b.import_id
            LEFT JOIN expense e ON e.household_id = \(household) AND e.id = b.expense_id
            LEFT JOIN receipt r ON r.household_id = \(household) AND r.id = b.receipt_id
            WHERE b.household_id = \(household) AND b.source_key = ANY(\(keys))
                AND (i.person_id = \(member.person) OR CASE WHEN e.id IS NOT NULL THEN \(ExpenseVisibility.condition(member))
                    WHEN r.id IS NOT NULL THEN \(Visibility.condition(member)) ELSE NOT i.is_personal END)
            """
    }

    /// A condition on the stored booking `b`: it has an account. Earlier versions stored `UNKNOWN:` and an identifier
    /// for some bookings without an account.
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
