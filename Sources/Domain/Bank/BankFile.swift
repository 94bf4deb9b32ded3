/// Reads a bank's file in any of the formats, recognised by its content.
package enum BankFile {
    /// - Parameters:
    ///   - home: the currency of amounts in a CSV file that names none.
    ///   - columns: the roles of the columns of a CSV file; nil to recognise them.
    package static func read(
        _ text: String, home: CurrencyCode, columns: BankColumns? = nil
    ) throws(BankFileFailure) -> BankStatement {
        guard text.utf8.count <= BankFileLimits.maximumBytes else { throw .tooLarge }
        let statement: BankStatement
        switch format(of: text) {
        case .camt: statement = try CAMTReader.read(text)
        case .mt940: statement = try MT940Reader.read(text)
        case .csv: statement = try BankTable(text).statement(columns, home: home)
        }
        guard statement.bookings.count <= BankFileLimits.maximumBookings else { throw .tooManyBookings }
        guard !statement.bookings.isEmpty || !statement.skipped.isEmpty else { throw .empty }
        return statement.withPlausibleAccounts()
    }

    package static func format(of text: String) -> BankStatement.Format {
        let start = text.unicodeScalars.prefix(1_024).drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
        if start.first == "<" { return .camt }
        let head = String(String.UnicodeScalarView(start))
        let isSwift =
            head.hasPrefix("{1:") || head.hasPrefix(":20:") || head.hasPrefix("-\n:20:")
            || head.split(whereSeparator: \.isNewline).prefix(8).contains { $0.hasPrefix(":20:") }
        return isSwift ? .mt940 : .csv
    }
}
