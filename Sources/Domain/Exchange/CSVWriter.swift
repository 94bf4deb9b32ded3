/// Writes rows for spreadsheets: `;`, CRLF, quotes where needed. Spreadsheets need the byte order mark to read umlauts.
package struct CSVWriter: Sendable {
    package private(set) var text: String
    private let separator: Character

    /// The default is the semicolon: German spreadsheets read a comma as the decimal separator.
    package init(separator: Character = ";", withByteOrderMark: Bool = true) {
        self.separator = separator
        text = withByteOrderMark ? "\u{FEFF}" : ""
    }

    /// Adds a row. Text that a spreadsheet would run as a formula is escaped.
    package mutating func append(_ fields: [String]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { text.append(separator) }
            text += Self.quoted(Self.harmless(field), separator: separator)
        }
        text += "\r\n"
    }

    /// `field` with a leading apostrophe if a spreadsheet would run it as a formula (CSV injection, OWASP ASVS 1.2.10).
    /// A formula begins with `=`, `+`, `-` or `@`, also in full width, or with a tab or a line break. Numbers such as
    /// `-1,50` are not changed.
    package static func harmless(_ field: String) -> String {
        guard let first = field.unicodeScalars.first,
            "=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(first)
        else { return field }
        if (try? DecimalText.parse(field, decimals: 5, limit: .max / 10)) != nil { return field }
        return "'" + field
    }

    /// Quotes a field that contains the separator, a quote, a tab or a line end, begins with an apostrophe, or begins
    /// or ends with a space.
    private static func quoted(_ field: String, separator: Character) -> String {
        let needsQuotes = field.unicodeScalars.contains {
            $0 == "\"" || $0 == "\n" || $0 == "\r" || $0 == "\t" || Character($0) == separator
        }
        guard needsQuotes || field.hasPrefix("'") || field.hasPrefix(" ") || field.hasSuffix(" ") else { return field }
        var result = "\""
        for scalar in field.unicodeScalars {
            if scalar == "\"" { result.unicodeScalars.append(scalar) }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }
}
