/// Reads SWIFT MT940 account statements, with the structured `:86:` fields of banks in Germany and Austria.
enum MT940Reader {
    /// A field with its continuation lines.
    private struct Field {
        /// Without the colons: `61`.
        let tag: Substring
        var lines: [Substring]
        /// The line of the file on which the field begins, from 1.
        let line: Int
    }

    /// The maximum number of lines of a field. The standard allows 6 for `:86:`, but banks write more.
    private static let maximumLines = 40
    private static let maximumLineBytes = 2_000

    /// - Throws: `brokenField`, `unknownFormat`, `tooManyBookings`.
    static func read(_ text: String) throws(BankFileFailure) -> BankStatement {
        var bookings: [BankBooking] = []
        var skipped: [BankStatement.Skipped] = []
        var account = ""
        var currency: CurrencyCode?
        var hasBegun = false
        // The last `:61:` field. Its `:86:` field may follow.
        var lastEntry: (entry: Entry, field: Field)?
        func finish(_ details: Field?) {
            guard let found = lastEntry, let currency else { return }
            if found.entry.isExpected {
                skipped.append(BankStatement.Skipped(line: found.field.line, reason: .pending))
            } else if found.entry.minorUnits == 0 {
                skipped.append(BankStatement.Skipped(line: found.field.line, reason: .zero))
            } else {
                bookings.append(found.entry.booking(Details(details?.lines ?? []), currency, account))
            }
            lastEntry = nil
        }
        for field in try fields(text) {
            switch field.tag {
            case "20":
                finish(nil)
                hasBegun = true
            case "25":
                account = String(field.lines[0].prefix(60))
            case "60F", "60M":
                // Balance: `C260131EUR1234,56`.
                let value = field.lines[0]
                guard value.count >= 10, let code = CurrencyCode(value.dropFirst(7).prefix(3)) else {
                    throw .brokenField(line: field.line)
                }
                currency = code
            case "61":
                finish(nil)
                guard hasBegun, let currency, let entry = Entry(field.lines, currency) else {
                    throw .brokenField(line: field.line)
                }
                lastEntry = (entry, field)
                guard bookings.count < BankFileLimits.maximumBookings else { throw .tooManyBookings }
            case "86": finish(field)
            default: finish(nil)
            }
        }
        finish(nil)
        guard hasBegun else { throw .unknownFormat }
        return BankStatement(format: .mt940, bookings: bookings, skipped: skipped)
    }

    private static func fields(_ text: String) throws(BankFileFailure) -> [Field] {
        var fields: [Field] = []
        var number = 0
        let text = text.first == "\u{FEFF}" ? text.dropFirst() : text[...]
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            guard line.utf8.count <= maximumLineBytes else { throw .brokenField(line: number) }
            if line.first == ":", let end = line.dropFirst().prefix(5).firstIndex(of: ":") {
                fields.append(
                    Field(
                        tag: line[line.index(after: line.startIndex)..<end], lines: [line[line.index(after: end)...]],
                        line: number))
            } else if line.hasPrefix("{") || line.hasPrefix("-") && line.count <= 2 || line.isEmpty || fields.isEmpty {
                // Skips block headers and the end of a message.
                continue
            } else {
                guard fields[fields.count - 1].lines.count < maximumLines else { throw .brokenField(line: number) }
                fields[fields.count - 1].lines.append(line)
            }
        }
        return fields
    }

    /// `:61:`, the statement line.
    private struct Entry {
        let day: LocalDate
        let minorUnits: Int64
        /// Whether the entry is not booked yet.
        let isExpected: Bool
        let isReversal: Bool
        let reference: String
        let text: String

        /// Parses `2601310131DR12,50NTRFNONREF//B6A123`, and a second line with supplementary details.
        init?(_ lines: [Substring], _ currency: CurrencyCode) {
            guard let first = lines.first else { return nil }
            var rest = first
            guard let valueDay = LocalDate(parsing: "20" + rest.prefix(6)), rest.prefix(6).count == 6 else {
                return nil
            }
            rest = rest.dropFirst(6)
            day = Self.entryDay(&rest, near: valueDay) ?? valueDay
            // RD reverses a debit, and RC a credit. ED and EC are expected.
            let signs: [(String, Int64)] = [("RD", 1), ("RC", -1), ("ED", -1), ("EC", 1), ("D", -1), ("C", 1)]
            guard let (mark, sign) = signs.first(where: { rest.hasPrefix($0.0) }) else { return nil }
            (isReversal, isExpected) = (mark.first == "R", mark.first == "E")
            rest = rest.dropFirst(mark.count)
            // Some banks write the third letter of the currency here.
            if let letter = rest.first, letter.isLetter { rest = rest.dropFirst() }
            let figure = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ",") }
            guard let amount = BankNumber.plain(figure, currency, separator: ",") else { return nil }
            minorUnits = sign * amount
            rest = rest.dropFirst(figure.count)
            // The type of the transaction has one letter and three characters. The references follow.
            guard rest.count >= 4, let kind = rest.first, "NFS".contains(kind) else { return nil }
            rest = rest.dropFirst(4)
            let references =
                rest.firstRange(of: "//").map { (rest[..<$0.lowerBound], rest[$0.upperBound...]) } ?? (rest, "")
            reference = references.1.isEmpty || references.1 == "NONREF" ? "" : String(references.1.prefix(60))
            text = lines.dropFirst().joined(separator: " ")
        }

        /// The day of the entry. It is written without a year; the year is chosen so that the day is closest to the
        /// value date.
        private static func entryDay(_ rest: inout Substring, near valueDay: LocalDate) -> LocalDate? {
            let digits = rest.prefix(4)
            guard digits.count == 4, digits.utf8.allSatisfy(\.isDigit),
                let month = Int(digits.prefix(2)),
                let day = Int(digits.suffix(2))
            else { return nil }
            rest = rest.dropFirst(4)
            return [0, -1, 1].compactMap { LocalDate(year: valueDay.year + $0, month: month, day: day) }
                .min { abs($0.days(to: valueDay)) < abs($1.days(to: valueDay)) }
        }

        func booking(_ details: Details, _ currency: CurrencyCode, _ account: String) -> BankBooking {
            BankBooking(
                day: day, amount: Amount(minorUnits: minorUnits, currency: currency), payee: details.name,
                purpose: details.purpose.isEmpty ? text : details.purpose, reference: reference, account: account,
                type: details.type, isReversal: isReversal)
        }
    }

    /// `:86:`, the information for the account owner: payee and remittance text.
    struct Details {
        private(set) var name = ""
        private(set) var purpose = ""
        /// The bank's text for the type of the booking; empty if `purpose` has it.
        private(set) var type = ""

        /// The length of a part. Banks divide longer texts between parts, even within a word.
        private static let partLength = 27

        init(_ lines: [Substring]) {
            let text = lines.joined()
            // `166?00GUTSCHRIFT?20SVWZ+Miete?32Name`: a code, then parts that begin with a separator and two digits.
            guard text.prefix(3).utf8.allSatisfy(\.isDigit), let separator = text.dropFirst(3).first,
                !separator.isLetter, !separator.isNumber, !separator.isWhitespace
            else {
                purpose = lines.joined(separator: " ")
                return
            }
            var parts: [(code: Int, value: String)] = []
            for part in text.dropFirst(4).split(separator: separator, omittingEmptySubsequences: false) {
                let digits = part.prefix(2)
                if digits.utf8.count == 2, digits.utf8.allSatisfy(\.isDigit), let code = Int(digits) {
                    parts.append((code, String(part.dropFirst(2))))
                } else if !parts.isEmpty {
                    // The separator is part of the text.
                    parts[parts.count - 1].value += "\(separator)\(part)"
                }
            }
            let kind = parts.first { $0.code == 0 }?.value ?? ""
            name = Self.joined(parts.filter { [32, 33].contains($0.code) }.map(\.value))
            purpose = Self.remittance(
                Self.joined(parts.filter { (20...29).contains($0.code) || (60...63).contains($0.code) }.map(\.value)))
            if purpose.allSatisfy(\.isWhitespace) { purpose = kind } else { type = kind }
        }

        /// Joins the parts of a text. A part that is not full ends with a word, or with a blank that the bank removed.
        private static func joined(_ parts: [String]) -> String {
            parts.reduce("") { $0 + $1 + ($1.count < partLength ? " " : "") }
        }

        /// The text after `SVWZ+` if the purpose has SEPA tags; else the whole text.
        private static func remittance(_ text: String) -> String {
            guard let start = text.firstRange(of: "SVWZ+")?.upperBound else { return text }
            let tags = [
                "EREF+", "KREF+", "MREF+", "CRED+", "DEBT+", "COAM+", "OAMT+", "ABWA+", "ABWE+", "IBAN+", "BIC+",
            ]
            let rest = text[start...]
            let end = tags.compactMap { rest.firstRange(of: $0)?.lowerBound }.min() ?? rest.endIndex
            return String(rest[..<end])
        }
    }
}
