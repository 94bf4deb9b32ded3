/// Reads CSV as spreadsheets write it: RFC 4180 with `;`, `,`, tab or, in a `sep=` line, `|` as separator.
package enum CSVReader {
    /// A row of the table with its fields as text.
    package struct Row: Hashable, Sendable {
        /// The line of the file on which the row begins, from 1.
        package let line: Int
        /// The fields without quotes, but with surrounding blanks. Rows may differ in the number of fields.
        package let fields: [String]
        /// Whether text follows a closing quote (`"TK" Pizza`). That field keeps its quotes.
        package var hasStrayQuote = false
    }

    /// The reason why a table cannot be read.
    package enum Failure: Error, Hashable, Sendable {
        /// A quote was opened on this line and never closed.
        case badQuote(line: Int)
        /// More rows or fields than allowed, or a longer field.
        case tooLarge(line: Int)
    }

    /// The maximum number of rows of a table.
    package static let maximumRows = 50_000
    /// The maximum number of fields of a row.
    package static let maximumFields = 64
    /// The maximum length of a field, in UTF-8 bytes.
    package static let maximumFieldBytes = 4_096

    /// Detects the separator from the first line that is not empty. A `sep=` line names it. Otherwise it is the first
    /// of `;`, tab and comma that occurs outside quotes. The comma comes last, because it is the decimal comma if the
    /// file has another separator.
    package static func separator(of text: some StringProtocol) -> Character {
        if let named = SeparatorLine(text.utf8.prefix(16)) { return Character(Unicode.Scalar(named.separator)) }
        var seen: Set<UInt8> = []
        var isQuoted = false
        var isEmpty = true
        for byte in text.utf8.prefix(16_384) {
            if byte == 34 { isQuoted.toggle() }
            let isLineEnd = byte == 10 || byte == 13
            if isLineEnd, !isQuoted, !isEmpty { break }
            if !isLineEnd { isEmpty = false }
            if !isQuoted { seen.insert(byte) }
        }
        return seen.contains(59) ? ";" : seen.contains(9) ? "\t" : ","
    }

    /// A first line such as `sep=;`, which names the separator and is not a row.
    private struct SeparatorLine {
        let separator: UInt8
        /// The length of the line in bytes, including a byte order mark, without its end.
        let length: Int

        init?(_ bytes: some Collection<UInt8>) {
            var rest = bytes[...]
            let markLength = rest.starts(with: CSVReader.byteOrderMark) ? CSVReader.byteOrderMark.count : 0
            rest = rest.dropFirst(markLength)
            guard String(decoding: rest.prefix(4), as: UTF8.self).lowercased() == "sep=",
                let separator = rest.dropFirst(4).first,
                [59, 44, 9, 124].contains(separator), rest.dropFirst(5).first.map({ $0 == 10 || $0 == 13 }) ?? true
            else { return nil }
            self.separator = separator
            length = markLength + 5
        }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The rows of `text`. Skips a byte order mark and empty lines; line ends are LF, CRLF or CR.
    ///
    /// - Complexity: linear in the length of `text`.
    /// - Throws: `badQuote`, `tooLarge`.
    package static func rows(of text: some StringProtocol, separator: Character? = nil) throws(Failure) -> [Row] {
        guard let separator = (separator ?? self.separator(of: text)).asciiValue else { return [] }
        var bytes = Array(text.utf8)[...]
        if let named = SeparatorLine(bytes.prefix(16)) {
            bytes = bytes.dropFirst(named.length)
        } else if bytes.starts(with: byteOrderMark) {
            bytes = bytes.dropFirst(byteOrderMark.count)
        }
        var scanner = Scanner(bytes: bytes, separator: separator)
        return try scanner.rows()
    }

    private struct Scanner {
        let bytes: ArraySlice<UInt8>
        let separator: UInt8
        var position: Int
        var line = 1
        /// Whether the current row has a stray quote.
        private var hasStrayQuote = false

        init(bytes: ArraySlice<UInt8>, separator: UInt8) {
            self.bytes = bytes
            self.separator = separator
            position = bytes.startIndex
        }

        mutating func rows() throws(Failure) -> [Row] {
            var rows: [Row] = []
            while position < bytes.endIndex {
                let start = line
                hasStrayQuote = false
                var fields = [try field()]
                while position < bytes.endIndex, bytes[position] == separator {
                    position += 1
                    fields.append(try field())
                    guard fields.count <= CSVReader.maximumFields else { throw .tooLarge(line: start) }
                }
                skipLineEnd()
                if fields != [""] { rows.append(Row(line: start, fields: fields, hasStrayQuote: hasStrayQuote)) }
                guard rows.count <= CSVReader.maximumRows else { throw .tooLarge(line: start) }
            }
            return rows
        }

        private mutating func field() throws(Failure) -> String {
            guard position < bytes.endIndex, bytes[position] == 34 else { return try plainField(from: position) }
            return try quotedField()
        }

        /// The text from `first` to the next separator or line end at or after `position`.
        private mutating func plainField(from first: Int) throws(Failure) -> String {
            while position < bytes.endIndex, bytes[position] != separator, bytes[position] != 10, bytes[position] != 13
            {
                position += 1
            }
            guard position - first <= CSVReader.maximumFieldBytes else { throw .tooLarge(line: line) }
            return String(decoding: bytes[first..<position], as: UTF8.self)
        }

        private mutating func quotedField() throws(Failure) -> String {
            let start = line
            let first = position
            var content: [UInt8] = []
            position += 1
            while position < bytes.endIndex {
                let byte = bytes[position]
                position += 1
                if byte == 34 {
                    guard position < bytes.endIndex, bytes[position] == 34 else {
                        let isEnd =
                            position == bytes.endIndex || [separator, 10, 13].contains(bytes[position])
                        guard isEnd else {
                            hasStrayQuote = true
                            return try plainField(from: first)
                        }
                        return String(decoding: content, as: UTF8.self)
                    }
                    position += 1
                } else if byte == 10 {
                    line += 1
                }
                content.append(byte)
                guard content.count <= CSVReader.maximumFieldBytes else { throw .tooLarge(line: start) }
            }
            throw .badQuote(line: start)
        }

        private mutating func skipLineEnd() {
            guard position < bytes.endIndex else { return }
            if bytes[position] == 13, position + 1 < bytes.endIndex, bytes[position + 1] == 10 { position += 1 }
            position += 1
            line += 1
        }
    }
}
