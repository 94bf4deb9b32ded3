import Domain
import Postgres

/// An expense that an import created for a line of a bank file, and a receipt or another expense that was entered later
/// and may be the same payment. No booking of a bank file is linked with the other entry.
struct BankPair: Sendable {
    /// The expense that the import created.
    let expense: ExpenseID
    let what: String
    let day: LocalDate
    /// Whether the expense has a category that a person chose, a label or a split. They are lost if the pair is joined.
    let hasOwnValues: Bool
    /// The line of the bank file. For a line of another member, it has the texts of the expense.
    let booking: BankBooking
    /// The receipt or the other expense.
    let other: BankMatching.Candidate
    /// Whether the payees match too. If not, only amount and day match.
    var isSamePayee = false

    /// The maximum age in days of the lines that the pages of expenses count.
    static let countedDays = 100

    /// Decodes the rows of `query` and selects the probable pairs, in the order of the rows.
    static func probable(_ rows: Rows) throws -> [BankPair] {
        let possible = try rows.decode(BankPair.self)
        let selected = BankMatching.probable(
            possible.map {
                BankMatching.PossiblePair(expense: $0.expense, booking: $0.booking, candidate: $0.other)
            })
        return selected.sorted { $0.key < $1.key }.map { position, isSamePayee in
            var pair = possible[position]
            pair.isSamePayee = isSamePayee
            return pair
        }
    }
}

extension BankPair: RowDecodable {
    init(from row: inout RowReader) throws(PostgresError) {
        expense = try row.next()
        what = try row.next()
        day = try row.next()
        hasOwnValues = try row.next()
        booking = BankBooking(
            day: try row.next(), amount: try Self.amount(&row), payee: try row.next(), purpose: try row.next())
        other = BankMatching.Candidate(
            id: try row.next(), isReceipt: try row.next(), day: try row.next(), amount: try Self.amount(&row),
            text: try row.next(), payee: try row.next())
    }

    private static func amount(_ row: inout RowReader) throws(PostgresError) -> Amount {
        let minorUnits: Int64 = try row.next()
        let code: String = try row.next()
        return Amount(minorUnits: minorUnits, currency: CurrencyCode(code) ?? .eur)
    }
}
