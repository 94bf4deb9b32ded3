import Domain
import Postgres

extension BankPreview {
    /// The maximum number of expenses and receipts that are compared.
    private static let maximumCandidates: Int32 = 20_000

    /// Selects expenses and receipts that may match a booking of these days. Excludes those that are linked with a
    /// booking of this file, or with a booking of another day from a file of this format. Those that are linked with a
    /// booking from another format may match again. Those that are linked with another booking from a file of this
    /// format may match too, because banks change the texts of their files.
    ///
    /// The keys are a subquery because PostgreSQL hashes it once. In a cached plan, it compares each booking with all
    /// elements of an array.
    static func candidates(
        _ first: LocalDate, _ last: LocalDate, _ format: BankStatement.Format, _ keyed: [KeyedBooking],
        _ member: Member
    ) -> SQL {
        let (from, to) = (first.adding(days: -BankMatching.maximumDays), last.adding(days: BankMatching.maximumDays))
        let keys = Set(keyed.flatMap { [$0.key] + $0.earlierKeys }).sorted()
        func isOpen(_ column: SQL) -> SQL {
            """
            NOT EXISTS (SELECT 1 FROM bank_booking b
                JOIN bank_import i ON i.household_id = b.household_id AND i.id = b.import_id
                WHERE b.household_id = \(member.household) AND \(column) AND i.format = \(format.rawValue)
                    AND (b.day < \(first) OR b.day > \(last) OR b.source_key IN (SELECT unnest(\(keys)::text[]))))
            """
        }
        let source = Entries.source(
            member, expenses: "e.day >= \(from) AND e.day <= \(to) AND \(isOpen("b.expense_id = e.id"))",
            receipts: "r.purchase_day >= \(from) AND r.purchase_day <= \(to) AND \(isOpen("b.receipt_id = r.id"))",
            limit: maximumCandidates)
        return "SELECT \(Entry.columns) FROM \(source) n ORDER BY n.day, n.id LIMIT \(maximumCandidates)"
    }

    /// Selects the known accounts of the bookings that are linked with the candidates.
    static func accounts(_ first: LocalDate, _ last: LocalDate, _ member: Member) -> SQL {
        let (from, to) = (first.adding(days: -BankMatching.maximumDays), last.adding(days: BankMatching.maximumDays))
        return """
            SELECT DISTINCT e.id, b.account FROM expense e
            JOIN bank_booking b ON b.household_id = \(member.household) AND b.expense_id = e.id AND \(KnownBookings.isNamed)
            WHERE e.household_id = \(member.household) AND e.day >= \(from) AND e.day <= \(to)
            UNION
            SELECT DISTINCT r.id, b.account FROM receipt r
            JOIN bank_booking b ON b.household_id = \(member.household) AND b.receipt_id = r.id AND \(KnownBookings.isNamed)
            WHERE r.household_id = \(member.household) AND r.purchase_day >= \(from) AND r.purchase_day <= \(to)
            ORDER BY 1, 2
            """
    }

    /// Selects the stored bookings of these days from files of this format. The texts of other members' bookings are
    /// empty, because only the member who imported a file may know them.
    static func booked(
        _ first: LocalDate, _ last: LocalDate, _ format: BankStatement.Format, _ member: Member
    ) -> SQL {
        """
        SELECT coalesce(b.expense_id, b.receipt_id), b.day, b.amount_minor, b.currency,
            CASE WHEN i.person_id = \(member.person) THEN b.payee ELSE '' END,
            CASE WHEN i.person_id = \(member.person) THEN b.purpose ELSE '' END
        FROM bank_booking b JOIN bank_import i ON i.household_id = b.household_id AND i.id = b.import_id
        WHERE b.household_id = \(member.household) AND i.format = \(format.rawValue)
            AND b.day >= \(first) AND b.day <= \(last)
        ORDER BY b.day, b.id LIMIT \(maximumCandidates)
        """
    }

    /// A stored booking with its expense or receipt.
    struct StoredBooking: RowDecodable, Sendable {
        let expense: ExpenseID
        let booked: BankMatching.Booked

        init(from row: inout RowReader) throws(PostgresError) {
            expense = try row.next()
            let day: LocalDate = try row.next()
            let minorUnits: Int64 = try row.next()
            let code: String = try row.next()
            let payee: String = try row.next()
            let purpose: String = try row.next()
            booked = BankMatching.Booked(
                day: day, amount: Amount(minorUnits: minorUnits, currency: CurrencyCode(code) ?? .eur),
                text: "\(payee) \(purpose)")
        }
    }
}
