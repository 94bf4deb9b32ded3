/// The table in a bank's CSV file. The first row with column names has the headings; rows before it are skipped.
package struct BankTable: Sendable {
    /// The column names; empty if the table has none.
    package let headings: [String]
    /// The rows below the headings.
    package let rows: [CSVReader.Row]
    /// The recognised columns; incomplete if a person has to assign them.
    package let columns: BankColumns
    /// The IBAN above the headings; empty if there is none or more than one.
    private let account: String

    /// The number of rows that are searched for the headings. Some banks write a dozen lines about the account before
    /// the headings.
    private static let headingSearchLimit = 40

    /// - Throws: `openQuote`, `tooLarge`, `empty`.
    package init(_ text: String) throws(BankFileFailure) {
        let rows: [CSVReader.Row]
        do throws(CSVReader.Failure) {
            rows = try CSVReader.rows(of: text)
        } catch {
            switch error {
            case .badQuote(let line): throw .openQuote(line: line)
            case .tooLarge: throw .tooLarge
            }
        }
        var best = BankTable(rows: rows)
        // The first line, which suggests the separator, may be a title without one.
        var isTitle = rows.first.map { $0.fields.count == 1 } ?? false
        for separator in [";", "\t", ","] as [Character] where best?.columns.isComplete != true {
            guard let rows = try? CSVReader.rows(of: text, separator: separator), let other = BankTable(rows: rows)
            else { continue }
            guard other.columns.isComplete || isTitle && other.columns.roles.count > 2 else { continue }
            (best, isTitle) = (other, false)
        }
        guard let table = best else { throw .empty }
        self = table
    }

    /// Nil if no row has more than one field.
    private init?(rows all: [CSVReader.Row]) {
        guard let widest = all.map(\.fields.count).max(), widest > 1 else { return nil }
        let candidates = all.prefix(Self.headingSearchLimit).enumerated().map {
            ($0.offset, BankColumns(headings: $0.element.fields))
        }
        let before: ArraySlice<CSVReader.Row>
        if let (index, columns) = candidates.first(where: { $0.1.isComplete }) {
            (headings, rows, self.columns) = (all[index].fields, Array(all[(index + 1)...]), columns)
            before = all[..<index]
        } else if let columns = all.first.flatMap({ BankColumns(shape: $0.fields) }) {
            (headings, rows, self.columns) = ([], all, columns)
            before = []
        } else {
            // Otherwise, assumes that the first row with the most fields has the headings.
            let index = all.firstIndex { $0.fields.count == widest } ?? 0
            (headings, rows) = (all[index].fields, Array(all[(index + 1)...]))
            self.columns = BankColumns(headings: all[index].fields)
            before = all[..<index]
        }
        let accounts = Set(before.flatMap(\.fields).compactMap { BankAccount.iban($0) })
        account = accounts.count == 1 ? accounts.first ?? "" : ""
    }

    /// The key under which a person's assignment of columns is stored: the folded column names, or the number of
    /// columns if they have no names.
    package var source: String {
        headings.isEmpty
            ? "columns \(columns.roles.count)"
            : headings.map { FoldedWords.words($0).joined(separator: " ") }.joined(separator: "|")
    }

    /// - Parameters:
    ///   - chosen: the columns as assigned by a person, used instead of the recognised columns.
    ///   - home: the currency of amounts that name none.
    /// - Throws: `unknownFormat` when the column of the day or of the amount is not known; `tooManyBookings`.
    package func statement(_ chosen: BankColumns? = nil, home: CurrencyCode) throws(BankFileFailure) -> BankStatement {
        let columns = chosen.map { $0.currency == nil ? BankColumns($0.roles, headings: headings) : $0 } ?? columns
        guard columns.isComplete else { throw .unknownFormat }
        guard rows.count <= BankFileLimits.maximumBookings else { throw .tooManyBookings }
        let days = columns.indices(.day) + columns.indices(.valueDay)
        let slashes = SlashDates(
            in: rows.flatMap { row in days.compactMap { $0 < row.fields.count ? row.fields[$0] : nil } })
        let reader = BankRowReader(columns: columns, home: home, slashes: slashes ?? .dayFirst)
        var bookings: [BankBooking] = []
        var skipped: [BankStatement.Skipped] = []
        for row in rows {
            switch reader.read(row) {
            case .booking(let booking): bookings.append(booking.completed(account: account))
            case .skipped(let reason): skipped.append(BankStatement.Skipped(line: row.line, reason: reason))
            case .nothing: continue
            }
        }
        return BankStatement(format: .csv, bookings: bookings, skipped: skipped)
    }

    /// Reads a date, perhaps with a time: `02.01.2026`, `2026-01-02 10:22:33`, `01/02/2026`.
    static func day(_ field: String, slashes: SlashDates) -> LocalDate? {
        let text = field.prefix { $0 != " " && $0 != "T" }
        guard text.utf8.count >= 6 else { return nil }
        return slashes.day(text)
    }
}

/// Reads a row of a bank's table.
struct BankRowReader {
    let columns: BankColumns
    let home: CurrencyCode
    let slashes: SlashDates

    /// The result of reading a row.
    enum Verdict {
        case booking(BankBooking)
        case skipped(BankStatement.Skipped.Reason)
        /// The row is not an entry of the table, for example a closing balance below the table.
        case nothing
    }

    /// Reads the booking in a row below the column headings.
    func read(_ row: CSVReader.Row) -> Verdict {
        func text(_ role: BankColumns.Role) -> String {
            columns.indices(role).compactMap { $0 < row.fields.count ? Self.trimmed(row.fields[$0]) : nil }
                .filter { !$0.isEmpty }.joined(separator: " ")
        }
        guard row.fields.count > 1, row.fields.count * 2 > columns.roles.count else { return .nothing }
        let (stated, valueDay) = (text(.day), text(.valueDay))
        if Self.isPending(text(.state)) || Self.isPending(stated) { return .skipped(.pending) }
        // The value date does not replace a word, because the bank has not booked such an entry.
        let isWord = stated.contains(where: \.isLetter)
        let found =
            BankTable.day(stated, slashes: slashes) ?? (isWord ? nil : BankTable.day(valueDay, slashes: slashes))
        guard let day = found else { return stated.isEmpty && valueDay.isEmpty ? .nothing : .skipped(.day) }
        let code = text(.currency)
        let figures = [BankColumns.Role.amount, .debit, .credit].compactMap { BankFigure(text($0)) }
        // A column or a heading decides which currency a shared sign such as `$` means.
        let sign = figures.lazy.compactMap(\.sharedSign).first
        let ofRow: CurrencyCode? = code.isEmpty ? columns.currency ?? sign ?? home : CurrencyCode(code)
        guard let currency = figures.lazy.compactMap(\.currency).first ?? ofRow else { return .skipped(.currency) }
        guard let minorUnits = amount(currency, text), abs(minorUnits) <= Amount.limit else { return .skipped(.amount) }
        if minorUnits == 0 { return .skipped(.zero) }
        let payer = text(.payer)
        let abroad = BankFigure(text(.originalAmount))
        let abroadCurrency = CurrencyCode(text(.originalCurrency)) ?? abroad?.currency ?? abroad?.sharedSign
        let original = abroadCurrency.flatMap { code in
            abroad?.minorUnits(code).map { Amount(minorUnits: abs($0), currency: code) }
        }
        return .booking(
            BankBooking(
                day: day, amount: Amount(minorUnits: minorUnits, currency: currency),
                original: original.flatMap { $0.currency == currency || $0.minorUnits == 0 ? nil : $0 },
                payee: minorUnits > 0 && !payer.isEmpty ? payer : text(.payee), purpose: text(.purpose),
                reference: text(.reference), account: text(.account)))
    }

    private static func trimmed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The signed amount in minor units; nil if the field is not a number.
    private func amount(_ currency: CurrencyCode, _ text: (BankColumns.Role) -> String) -> Int64? {
        let fee = text(.fee).isEmpty ? 0 : figure(text(.fee), currency)
        guard let fee else { return nil }
        if columns.index(.amount) != nil {
            guard let value = figure(text(.amount), currency) else { return nil }
            return (BankFigure.isDebit(text(.sign)) ? -abs(value) : value) - abs(fee)
        }
        let (debit, credit) = (text(.debit), text(.credit))
        guard !debit.isEmpty || !credit.isEmpty, let out = debit.isEmpty ? 0 : figure(debit, currency),
            let into = credit.isEmpty ? 0 : figure(credit, currency)
        else { return nil }
        return abs(into) - abs(out) - abs(fee)
    }

    private func figure(_ text: String, _ currency: CurrencyCode) -> Int64? {
        BankFigure(text)?.minorUnits(currency)
    }

    private static func isPending(_ state: String) -> Bool {
        [
            "pending", "vorgemerkt", "umsatz vorgemerkt", "ausstehend", "reverted", "declined", "failed", "abgelehnt",
            "zurueckgewiesen", "rueckgaengig gemacht", "rueckgaengig", "offen", "noch nicht gebucht", "storniert",
            "cancelled", "canceled",
        ]
        .contains(FoldedWords.words(state).joined(separator: " "))
    }
}
