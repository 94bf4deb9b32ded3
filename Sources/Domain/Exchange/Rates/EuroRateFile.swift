/// Reads the files of reference rates that the European Central Bank publishes: `eurofxref.csv`, `eurofxref-hist.csv`
/// and `eurofxref-daily.xml`, `eurofxref-hist.xml`.
package enum EuroRateFile {
    /// The maximum size of a file in bytes. The history since 1999 has 0.6 MB as CSV and 6 MB as XML.
    package static let maximumBytes = 8_388_608
    /// The maximum number of rates of one file.
    static let maximumRates = 400_000

    package enum Failure: Error, Sendable, Equatable {
        case tooLarge, unknownFormat
    }

    /// Reads the rates from the bytes of a file, which is XML or CSV.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> [EuroRate] {
        guard bytes.count <= maximumBytes else { throw .tooLarge }
        let text = String(decoding: bytes, as: UTF8.self)
        let rates = text.contains("<Cube") ? xml(text) : csv(text)
        guard !rates.isEmpty else { throw .unknownFormat }
        guard rates.count <= maximumRates else { throw .tooLarge }
        return rates
    }

    /// Reads the headings `Date, USD, JPY, …` and a line for each day. `N/A` means that there is no rate.
    private static func csv(_ text: String) -> [EuroRate] {
        var lines = text.split(whereSeparator: \.isNewline).makeIterator()
        guard let headings = lines.next() else { return [] }
        let names = cells(headings)
        guard names.first?.lowercased() == "date" else { return [] }
        let currencies = names.map { $0.count == 3 ? CurrencyCode($0) : nil }
        var rates: [EuroRate] = []
        while let line = lines.next(), rates.count <= maximumRates {
            let cells = cells(line)
            guard let day = cells.first.flatMap({ day(String($0)) }) else { continue }
            for (currency, cell) in zip(currencies, cells) {
                guard let currency, let rate = EuroRate(currency: currency, day: day, rate: cell) else { continue }
                rates.append(rate)
            }
        }
        return rates
    }

    private static func cells(_ line: Substring) -> [String] {
        line.split(separator: ",", omittingEmptySubsequences: false).map { cell in
            String(cell.drop { $0 == " " || $0 == "\u{FEFF}" }.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// Parses `2026-11-24`, or `24 November 2026` as in the file with the rates of one day.
    private static func day(_ text: String) -> LocalDate? {
        if let day = LocalDate(parsing: text) { return day }
        let parts = text.split(separator: " ")
        let months = [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november",
            "december",
        ]
        guard parts.count == 3, let day = Int(parts[0]), let year = Int(parts[2]),
            let month = months.firstIndex(of: parts[1].lowercased())
        else { return nil }
        return LocalDate(year: year, month: month + 1, day: day)
    }

    /// Reads `<Cube time="2026-11-24"><Cube currency="USD" rate="1.0847"/>…`. Everything but these attributes is
    /// ignored, including entities and declarations.
    private static func xml(_ text: String) -> [EuroRate] {
        var rates: [EuroRate] = []
        var day: LocalDate?
        for element in text.split(separator: "<") where element.hasPrefix("Cube") {
            if let time = attribute("time", in: element) { day = LocalDate(parsing: time) }
            guard let day, let code = attribute("currency", in: element), let rate = attribute("rate", in: element),
                let currency = CurrencyCode(code),
                let found = EuroRate(currency: currency, day: day, rate: rate)
            else { continue }
            rates.append(found)
            if rates.count > maximumRates { break }
        }
        return rates
    }

    private static func attribute(_ name: String, in element: Substring) -> Substring? {
        for quote in ["\"", "'"] {
            guard let start = element.firstRange(of: " \(name)=\(quote)")?.upperBound,
                let end = element[start...].firstIndex(of: Character(quote))
            else { continue }
            return element[start..<end]
        }
        return nil
    }
}
