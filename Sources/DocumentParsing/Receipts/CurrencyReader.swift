import Domain

/// Finds the currency in which a receipt is printed.
///
/// The currencies of total and payment lines count more than signs beside single amounts, because engines confuse `€`
/// with `£` and names of items contain words such as `Ron`. If no currency is printed, words typical of a country
/// decide.
struct CurrencyReader {
    let currency: Currency
    /// True if neither a currency nor words of a country were found; `currency` is then a guess.
    let isGuessed: Bool

    /// Whether receipts in this currency are understood well enough to be proven.
    var isKnown: Bool { !isGuessed && Currency.ofHouseholds.contains(currency) }

    init(_ lines: [ReadLine]) {
        let rows = lines.map(Row.init)
        let (francs, euros) = rows.reduce((0, 0)) { ($0.0 + $1.francs, $0.1 + $1.euros) }
        let foreign = Self.foreignCurrency(rows, home: francs + euros)
        if let foreign {
            (currency, isGuessed) = (Self.crownCurrency(foreign, rows), false)
        } else if francs + euros == 0 {
            let isSwiss = lines.contains(where: Self.isSwiss)
            currency = isSwiss ? .chf : .eur
            isGuessed = !isSwiss && !rows.contains(where: \.isGerman)
        } else if francs == euros {
            // The first total is in the currency of the receipt; its conversion is printed below it.
            currency = zip(lines, rows).first { $0.begins(with: .total) && $1.home != nil }?.1.home ?? .eur
            isGuessed = false
        } else {
            (currency, isGuessed) = (francs > euros ? .chf : .eur, false)
        }
    }

    /// Returns the currency of a line that names exactly one.
    static func printed(on line: ReadLine) -> Currency? {
        let row = Row(line)
        if row.foreign.isEmpty { return row.home }
        return row.home == nil && row.foreign.count == 1 ? row.foreign.keys.first : nil
    }

    private static func foreignCurrency(_ rows: [Row], home: Int) -> Currency? {
        let isGerman = rows.contains(where: \.isGerman)
        var deciding: [Currency: Int] = [:]
        var mentions: [Currency: Int] = [:]
        for row in rows {
            for (currency, count) in row.foreign where !isGerman || row.hasCode {
                mentions[currency, default: 0] += count
                if row.decides, row.home == nil { deciding[currency, default: 0] += 1 }
            }
        }
        let homeDecides = rows.count { $0.decides && $0.home != nil }
        if let best = deciding.max(by: { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }) {
            if best.value > homeDecides { return best.key }
            if best.value == homeDecides, mentions[best.key, default: 0] > home { return best.key }
        }
        let most = mentions.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }
        if homeDecides == 0, let most, most.value >= 2, most.value > home { return most.key }
        guard home == 0, !isGerman else { return nil }
        return CurrencyWords.countries.first { trait in rows.contains { $0.has(trait.phrase) } }?.currency
            ?? rows.lazy.compactMap(\.header).first
    }

    /// Decides between the three crown currencies, which all print `kr`.
    private static func crownCurrency(_ currency: Currency, _ rows: [Row]) -> Currency {
        guard currency == .sek, !rows.contains(where: { $0.has(["SEK"]) }) else { return currency }
        return CurrencyWords.countries.first { trait in
            [.dkk, .nok].contains(trait.currency) && rows.contains { $0.has(trait.phrase) }
        }?.currency ?? .sek
    }

    /// Whether the line holds a Swiss tax rate in a tax row, or a Swiss VAT number.
    private static func isSwiss(_ line: ReadLine) -> Bool {
        if line.has(.vatHeader) || (line.amounts.count >= 2 && line.line.letterCount <= 3) {
            let rates = line.figures.filter(\.isPercent).map {
                $0.unscaledValue * [100, 10, 1, 0][min($0.decimals, 3)]
            }
            if rates.contains(810) || rates.contains(260) { return true }
        }
        let packed = PrintedLine.string(line.line.text.filter { $0.isLatinLetter || $0.isDigit }[...]).uppercased()
        guard let start = packed.firstRange(of: "CHE")?.upperBound else { return false }
        return packed[start...].prefix { $0.isNumber }.count >= 9
    }
}

extension CurrencyReader {
    /// The currencies that one line names.
    fileprivate struct Row {
        private(set) var francs = 0
        private(set) var euros = 0
        private(set) var foreign: [Currency: Int] = [:]
        /// Whether one of `foreign` is named by its ISO code.
        private(set) var hasCode = false
        /// Whether the line is a line of the total, of a payment or of taxes.
        let decides: Bool
        /// The foreign currency of a line that holds nothing else, such as the header of a column of amounts.
        let header: Currency?
        let isGerman: Bool
        private let keys: [String]

        init(_ line: ReadLine) {
            let words = line.line.text.split(separator: " ").map { PrintedLine.string($0) }
            keys = words.map { CurrencyWords.key($0) }
            decides = [Role.total, .payment, .change, .vatHeader].contains(where: line.has)
            isGerman = keys.contains(where: CurrencyWords.german.contains)
            header =
                keys.count == 1 && keys[0].count != 2
                ? CurrencyWords.codes[keys[0]] ?? CurrencyWords.signs[keys[0]] : nil
            for (index, word) in words.enumerated() {
                let text = word.uppercased()
                if ["CHF", "FR.", "SFR.", "SFR"].contains(text) { francs += 1 }
                if text.hasPrefix("EUR") || text.contains("€") { euros += 1 }
                if line.amounts.isEmpty { continue }
                if let code = CurrencyWords.codes[keys[index]] {
                    foreign[code, default: 0] += 1
                    hasCode = true
                } else if let sign = sign(at: index) {
                    foreign[sign, default: 0] += 1
                }
            }
        }

        /// The currency of the line, francs or euros; nil if it names both or none of them.
        var home: Currency? {
            guard (francs > 0) != (euros > 0) else { return nil }
            return francs > 0 ? .chf : .eur
        }

        /// Returns the currency of a sign on or beside an amount: `£8.55`, `8.55zł`.
        private func sign(at index: Int) -> Currency? {
            let key = keys[index]
            func isFigure(_ key: String?) -> Bool { key.map { $0.count >= 3 && $0.allSatisfy(\.isNumber) } ?? false }
            if let found = CurrencyWords.signs[key] {
                let isAfterFigure = index > 0 && isFigure(keys[index - 1])
                let isBefore = index + 1 < keys.count && isFigure(keys[index + 1])
                return isAfterFigure || (isBefore && (key.count == 1 || decides)) ? found : nil
            }
            return CurrencyWords.signs.first { sign, _ in
                (key.hasSuffix(sign) && isFigure(String(key.dropLast(sign.count))))
                    || (sign.count == 1 && key.hasPrefix(sign) && isFigure(String(key.dropFirst())))
            }?.value
        }

        /// Whether the line has the words of `phrase` in sequence. A `#` at the end means at least six digits.
        func has(_ phrase: [String]) -> Bool {
            func fits(_ index: Int, _ part: String) -> Bool {
                guard part.hasSuffix("#") else { return keys[index] == part }
                let digits = keys[index...].prefix(4).joined().dropFirst(part.count - 1).prefix(6)
                return keys[index].hasPrefix(part.dropLast()) && digits.count == 6 && digits.allSatisfy(\.isNumber)
            }
            guard keys.count >= phrase.count else { return false }
            return (0...(keys.count - phrase.count)).contains { start in
                phrase.indices.allSatisfy { fits(start + $0, phrase[$0]) }
            }
        }
    }
}
