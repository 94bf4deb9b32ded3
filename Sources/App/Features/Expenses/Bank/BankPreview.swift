import Domain
import Postgres

/// The bookings of a bank file, each compared with the expenses and receipts of the household.
struct BankPreview: Sendable {
    struct Row: Sendable {
        let booking: BankBooking
        /// A digest of the booking, by which it is recognised in another file.
        let key: String
        /// Whether the booking was already imported.
        let isKnown: Bool
        let match: BankMatching.Match?

        /// Skips a known booking, links a match with the same payee, and otherwise creates an expense.
        var defaultDecision: Decision {
            if isKnown { return .skip }
            return match.map { $0.isSamePayee ? .join : .make } ?? .make
        }
    }

    enum Decision: String, Sendable, CaseIterable {
        /// Creates an expense.
        case make
        /// Links the booking to the matched expense or receipt.
        case join
        case skip
    }

    /// Nil if a person must first choose the roles of the columns.
    let statement: BankStatement?
    /// Nil unless the file is CSV.
    let table: BankTable?
    let columns: BankColumns?
    let rows: [Row]

    /// The largest number of expenses and receipts that are compared.
    private static let mostCandidates: Int32 = 20_000

    /// - Throws: `BankFileFailure`.
    static func make(_ file: BankImports.Stored, _ member: Member, _ database: Database, _ slowWork: SlowWork)
        async throws
        -> BankPreview
    {
        let read = try await slowWork.run { try ParsedFile(file) }
        guard let statement = read.statement else {
            return BankPreview(statement: nil, table: read.table, columns: read.columns, rows: [])
        }
        let keyed = read.keyed
        let days = statement.bookings.map(\.day)
        var rows: [Rows] = []
        if let first = days.min(), let last = days.max() {
            rows = try await database.read(
                member.household,
                batch: [
                    known(keyed.map(\.key), member.household), candidates(first, last, statement.format, member),
                ])
        }
        let (known, entries) =
            rows.isEmpty ? ([], []) : (Set(try rows[0].decode(String.self)), try rows[1].decode(Entry.self))
        return try await slowWork.run {
            let open = keyed.filter { !known.contains($0.key) }
            let found = BankMatching(entries.map(Self.candidate)).matches(open.map(\.booking))
            let matches = Dictionary(zip(open.map(\.key), found)) { first, _ in first }
            return BankPreview(
                statement: statement, table: read.table, columns: read.columns,
                rows: keyed.map {
                    Row(
                        booking: $0.booking, key: $0.key, isKnown: known.contains($0.key), match: matches[$0.key] ?? nil
                    )
                })
        }
    }

    static func known(_ keys: [String], _ household: HouseholdID) -> SQL {
        "SELECT source_key FROM bank_booking WHERE household_id = \(household) AND source_key = ANY(\(keys))"
    }

    /// Selects expenses and receipts that may match a booking of these days. Excludes those that are linked with a
    /// booking from a file of this format. Those that are linked with a booking from another format may match again.
    private static func candidates(
        _ first: LocalDate, _ last: LocalDate, _ format: BankStatement.Format, _ member: Member
    ) -> SQL {
        let (from, to) = (first.adding(days: -BankMatching.mostDays), last.adding(days: BankMatching.mostDays))
        func isOpen(_ column: SQL) -> SQL {
            """
            NOT EXISTS (SELECT 1 FROM bank_booking b
                JOIN bank_import i ON i.household_id = b.household_id AND i.id = b.import_id
                WHERE b.household_id = \(member.household) AND \(column) AND i.format = \(format.rawValue))
            """
        }
        let source = Entries.source(
            member, expenses: "e.day >= \(from) AND e.day <= \(to) AND \(isOpen("b.expense_id = e.id"))",
            receipts: "r.purchase_day >= \(from) AND r.purchase_day <= \(to) AND \(isOpen("b.receipt_id = r.id"))",
            limit: mostCandidates)
        return "SELECT \(Entry.columns) FROM \(source) n ORDER BY n.day, n.id LIMIT \(mostCandidates)"
    }

    private static func candidate(_ entry: Entry) -> BankMatching.Candidate {
        BankMatching.Candidate(
            id: entry.id, isReceipt: entry.isReceipt, day: entry.day, amount: entry.signedAmount, text: entry.what,
            payee: entry.payee)
    }

    /// A parsed file, before the comparison with the database.
    private struct ParsedFile {
        let statement: BankStatement?
        let table: BankTable?
        let columns: BankColumns?
        let keyed: [(booking: BankBooking, key: String)]

        init(_ file: BankImports.Stored) throws(BankFileFailure) {
            var chosen: BankColumns?
            if BankFile.format(of: file.text) == .csv {
                let table = try BankTable(file.text)
                let mapping = file.mappings[BankImports.digest(table.source)]
                chosen = mapping.flatMap { $0.roles.count == table.columns.roles.count ? $0 : nil }
                self.table = table
                columns = chosen ?? table.columns
                guard chosen?.isComplete ?? table.columns.isComplete else {
                    (statement, keyed) = (nil, [])
                    return
                }
            } else {
                (table, columns) = (nil, nil)
            }
            let statement = try BankFile.read(file.text, home: file.home, columns: chosen)
            self.statement = statement
            keyed = BankBooking.numbered(statement.bookings).map { ($0.booking, BankImports.digest($0.identity)) }
        }
    }
}
