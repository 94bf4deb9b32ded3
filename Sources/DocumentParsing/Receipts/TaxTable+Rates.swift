import Domain

/// Class and rate of a tax row.
extension TaxTable {
    /// Returns the known rates printed on a line.
    static func rates(_ line: ReadLine) -> [VATRate] {
        line.figures.filter(\.isPercent).compactMap { figure in
            guard figure.decimals <= 2 else { return nil }
            let rate = VATRate(tenthsOfPercent: Int(figure.unscaledValue * [100, 10, 1][figure.decimals] / 10))
            return VATRate.known.contains(rate) ? rate : nil
        }
    }

    /// Returns the class in front of the rate: `A= 19,0%`, `B 7%`, `1=19,00%`.
    func rowClass(_ line: ReadLine) -> String? {
        for word in line.line.text.split(separator: " ").prefix(2) {
            // `A7%` has the class A; `19%` is a rate without a class.
            if word.last == "%" {
                // dm prints the class without a space before the rate: `1=19,00%`.
                if let equals = word.firstIndex(where: { $0 == "=" || $0 == ":" }) {
                    let sign = word[..<equals]
                    guard (1...2).contains(sign.count), sign.allSatisfy({ $0.isLatinLetter || $0.isDigit }) else {
                        continue
                    }
                    return PrintedLine.string(sign).uppercased()
                }
                guard let letter = word.first, letter.isLatinLetter, word.dropFirst().dropLast().allSatisfy(\.isDigit)
                else { continue }
                return PrintedLine.string(word.prefix(1)).uppercased()
            }
            let sign = word.prefix { $0.isLatinLetter || $0.isDigit }
            if sign.count == 2, sign.allSatisfy(\.isDigit) { continue }
            guard (1...2).contains(sign.count), word.count <= sign.count + 2 || word.dropFirst(sign.count).first == "="
            else { continue }
            return PrintedLine.string(sign).uppercased()
        }
        return nil
    }

    /// Returns the printed rate, otherwise the only known rate that the amounts allow.
    static func rate(_ line: ReadLine, net: Int64, tax: Int64) -> VATRate? {
        for figure in line.figures where figure.isPercent {
            guard figure.decimals <= 2 else { continue }
            let hundredths = figure.unscaledValue * [100, 10, 1][figure.decimals]
            if hundredths.isMultiple(of: 10) {
                let rate = VATRate(tenthsOfPercent: Int(hundredths / 10))
                if VATRate.known.contains(rate), allows(rate, net: net, tax: tax) { return rate }
            }
        }
        let possible = VATRate.known.filter { $0.tenthsOfPercent > 0 && allows($0, net: net, tax: tax) }
        return possible.count == 1 ? possible[0] : nil
    }

    /// The largest difference from the exact tax after rounding to the nearest minor unit, in thousandths of a minor
    /// unit.
    static let rounding: Int64 = 500

    /// Whether `tax` is `rate` of `net` within `tolerance`, in thousandths of a minor unit. Two units allow for taxes
    /// rounded per line.
    static func allows(_ rate: VATRate, net: Int64, tax: Int64, tolerance: Int64 = 2_000) -> Bool {
        abs(net * Int64(rate.tenthsOfPercent) - tax * 1_000) <= tolerance
    }

    /// The kind of the amounts beside the tax in a table of rates without percent signs.
    enum AmountKind { case gross, net, unknown }

    /// Returns the kind of amounts that a table header names; nil if the header has no percent sign.
    static func amountKind(_ header: ReadLine) -> AmountKind? {
        guard header.line.text.contains("%") else { return nil }
        let words = header.line.string.uppercased().split { !$0.isLetter }
        let isGross = words.contains { ["TOTAL", "BRUTTO", "UMSATZ", "BETRAG"].contains($0) }
        let isNet = words.contains("NETTO")
        return isGross == isNet ? .unknown : isGross ? .gross : .net
    }
}

extension ParsedReceipt.TaxRow {
    /// The sums of two rows of one class.
    func adding(_ other: Self) -> Self {
        Self(vatClass: vatClass, rate: rate, net: net + other.net, tax: tax + other.tax, gross: gross + other.gross)
    }
}
