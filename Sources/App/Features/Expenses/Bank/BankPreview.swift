import Domain
import Postgres

/// The bookings of a bank file, each compared with the expenses and receipts of the household.
struct BankPreview: Sendable {
    /// A booking with the digests by which it is recognised in another file.
    struct KeyedBooking: Sendable {
        let booking: BankBooking
        /// The digest of day, amount and content.
        let key: String
        /// Other digests that earlier versions can have stored: these versions included the account in the digest, and
        /// decoded some characters of Windows-1252 differently.
        let earlierKeys: [String]

        init(_ numbered: BankBooking.Numbered) {
            booking = numbered.booking
            key = BankImports.digest(numbered.content)
            var earlier = booking.account.isEmpty ? [] : [numbered.identity]
            let decoded = numbered.mapTexts(ImportText.earlierDecoding)
            if decoded.booking != booking { earlier += [decoded.content, decoded.identity] }
            earlierKeys = earlier.map(BankImports.digest)
        }
    }

    struct Row: Sendable {
        let keyed: KeyedBooking
        /// Whether the booking was already imported.
        let isKnown: Bool
        /// Whether the booking is known, but may belong to another account than the stored booking.
        let isDoubtful: Bool
        let match: BankMatching.Match?

        var booking: BankBooking { keyed.booking }

        /// The matched receipt; nil for a row that matches an expense or no entry.
        var matchedReceipt: ReceiptID? {
            match.flatMap { $0.candidate.isReceipt ? $0.candidate.id.relabelled(IdentifierTag.Receipt.self) : nil }
        }

        /// Skips a known booking, links a match with the same payee, and otherwise creates an expense.
        var defaultDecision: Decision {
            if isKnown { return .skip }
            return match.map { $0.isSamePayee ? .link : .create } ?? .create
        }
    }

    enum Decision: String, Sendable, CaseIterable {
        /// Creates an expense.
        case create = "make"
        /// Links the booking to the matched expense or receipt.
        case link = "join"
        case skip
    }

    /// Nil if a person must first choose the roles of the columns.
    let statement: BankStatement?
    /// Nil unless the file is CSV.
    let table: BankTable?
    let columns: BankColumns?
    let rows: [Row]

    /// - Throws: `BankFileFailure`.
    static func make(_ file: BankImports.WaitingFile, _ member: Member, _ database: Database, _ slowWork: SlowWork)
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
                    KnownBookings.query(keyed, member),
                    candidates(first, last, statement.format, keyed, member), accounts(first, last, member),
                    booked(first, last, statement.format, member),
                ])
        }
        let known = try rows.isEmpty ? KnownBookings() : KnownBookings(rows[0])
        let entries = try rows.isEmpty ? [] : rows[1].decode(Entry.self)
        let linked = try rows.isEmpty ? [] : rows[2].decode((ExpenseID, String).self)
        let stored = try rows.isEmpty ? [] : rows[3].decode(StoredBooking.self)
        return try await slowWork.run {
            let accounts = Dictionary(grouping: linked) { $0.0 }.mapValues { $0.map(\.1) }
            let booked = Dictionary(grouping: stored, by: \.expense).mapValues { $0.map(\.booked) }
            let isKnown = keyed.map(known.contains)
            let hasSameAccount = keyed.map(known.hasSameAccount)
            let open = keyed.indices.filter { !isKnown[$0] }
            let candidates = entries.map { Self.candidate($0, accounts[$0.id] ?? [], booked[$0.id] ?? []) }
            let found = BankMatching(candidates).matches(open.map { keyed[$0].booking })
            let matches = Dictionary(uniqueKeysWithValues: zip(open, found))
            return BankPreview(
                statement: statement, table: read.table, columns: read.columns,
                rows: keyed.indices.map {
                    Row(
                        keyed: keyed[$0], isKnown: isKnown[$0], isDoubtful: isKnown[$0] && !hasSameAccount[$0],
                        match: matches[$0] ?? nil)
                })
        }
    }

    private static func candidate(
        _ entry: Entry, _ accounts: [String], _ booked: [BankMatching.Booked]
    ) -> BankMatching.Candidate {
        BankMatching.Candidate(
            id: entry.id, isReceipt: entry.isReceipt, day: entry.day, amount: entry.signedAmount, text: entry.what,
            payee: entry.payee, accounts: accounts, booked: booked)
    }

    /// A parsed file, before the comparison with the database.
    private struct ParsedFile {
        let statement: BankStatement?
        let table: BankTable?
        let columns: BankColumns?
        let keyed: [KeyedBooking]

        init(_ file: BankImports.WaitingFile) throws(BankFileFailure) {
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
            let statement: BankStatement
            do throws(BankFileFailure) {
                statement = try BankFile.read(file.text, home: file.home, columns: chosen)
            } catch {
                // With the chosen columns, the table has no bookings. The page offers to choose other columns.
                guard chosen != nil, error == .empty else { throw error }
                statement = BankStatement(format: .csv, bookings: [])
            }
            self.statement = statement
            keyed = BankBooking.numbered(statement.bookings.map { $0.completed(account: file.account) }).map(
                KeyedBooking.init)
        }
    }
}
