/// A table in comma-separated form as spreadsheets write it: RFC 4180 with `;`, `,` or tab as separator.
package enum CSVReader {
    package struct Row: Hashable, Sendable {
        /// The line of the file on which the row begins, from 1.
        package let line: Int
        package let fields: [String]
    }

    package enum Failure: Error, Hashable, Sendable {
        /// A quote was opened on this line and never closed, or text follows a closing quote.
        case badQuote(line: Int)
        /// More rows, fields or characters than allowed.
        case tooLarge(line: Int)
    }

    package static let mostRows = 50_000
    package static let mostFields = 64
    /// Longest field in UTF-8 bytes.
    package static let longestField = 4_096

    /// The separator of the first line that is not empty: `;` where one stands outside quotes (the comma is then a
    /// decimal one), else tab, else comma.
    package static func separator(of text: some StringProtocol) -> Character {
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

    /// The rows of `text`; a byte order mark and empty lines are skipped, line ends may be LF, CRLF or CR.
    ///
    /// - Complexity: linear in the length of `text`.
    package static func rows(of text: some StringProtocol, separator: Character? = nil) throws(Failure) -> [Row] {
        let mark = separator ?? self.separator(of: text)
        guard let separator = mark.asciiValue else { return [] }
        var bytes = Array(text.utf8)[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        var scanner = Scanner(bytes: bytes, separator: separator)
        return try scanner.rows()
    }

    private struct Scanner {
        let bytes: ArraySlice<UInt8>
        let separator: UInt8
        var position: Int
        var line = 1

        init(bytes: ArraySlice<UInt8>, separator: UInt8) {
            self.bytes = bytes
            self.separator = separator
            position = bytes.startIndex
        }

        mutating func rows() throws(Failure) -> [Row] {
            var rows: [Row] = []
            while position < bytes.endIndex {
                let start = line
                var fields = [try field()]
                while position < bytes.endIndex, bytes[position] == separator {
                    position += 1
                    fields.append(try field())
                    guard fields.count <= CSVReader.mostFields else { throw .tooLarge(line: start) }
                }
                skipLineEnd()
                if fields != [""] { rows.append(Row(line: start, fields: fields)) }
                guard rows.count <= CSVReader.mostRows else { throw .tooLarge(line: start) }
            }
            return rows
        }

        private mutating func field() throws(Failure) -> String {
            guard position < bytes.endIndex, bytes[position] == 34 else {
                let start = position
                while position < bytes.endIndex, bytes[position] != separator, bytes[position] != 10,
                    bytes[position] != 13
                {
                    position += 1
                }
                guard position - start <= CSVReader.longestField else { throw .tooLarge(line: line) }
                return String(decoding: bytes[start..<position], as: UTF8.self)
            }
            return try quotedField()
        }

        private mutating func quotedField() throws(Failure) -> String {
            let start = line
            var content: [UInt8] = []
            position += 1
            while position < bytes.endIndex {
                let byte = bytes[position]
                position += 1
                if byte == 34 {
                    guard position < bytes.endIndex, bytes[position] == 34 else {
                        let isEnd =
                            position == bytes.endIndex || [separator, 10, 13].contains(bytes[position])
                        guard isEnd else { throw .badQuote(line: start) }
                        return String(decoding: content, as: UTF8.self)
                    }
                    position += 1
                } else if byte == 10 {
                    line += 1
                }
                content.append(byte)
                guard content.count <= CSVReader.longestField else { throw .tooLarge(line: start) }
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
