import Domain

/// Finds the amount that a card slip states in the currency of the card: `Kurs 1 EUR = 4,2645 PLN` and `23,45 EUR` on a
/// bill of 100,00 PLN.
///
/// An amount counts only if the printed exchange rate confirms it. Many stores print totals in a second currency for
/// information. An amount below the rate is preferred, because slips print the amount of the purchase above the rate.
enum PaperConversion {
    /// The currencies of households, with their names on lines.
    private static let currencies: [(code: CurrencyCode, words: PaperWordSet, sign: Character?)] = [
        (.eur, ["eur", "euro"], "€"), (CurrencyCode(.chf), ["chf"], nil),
    ]
    /// Rate × total may differ from the amount by 1 / `precision` of the amount, because slips print rounded rates.
    private static let precision: Int128 = 200
    /// The search ends after this many rates, or amounts.
    private static let maximumRates = 20
    private static let maximumAmounts = 200

    /// A number as digits over a power of ten.
    private struct Rate {
        let digits: Int128
        let scale: Int128

        /// Whether one of the amounts is the other amount times the rate.
        func confirms(_ first: Int64, _ second: Int64) -> Bool {
            isQuotient(Int128(first), Int128(second)) || isQuotient(Int128(second), Int128(first))
        }

        private func isQuotient(_ dividend: Int128, _ divisor: Int128) -> Bool {
            let difference = dividend * scale - divisor * digits
            return abs(difference) * precision <= dividend * scale
        }
    }

    /// - Parameter totals: the candidates for the total, likeliest first.
    static func find(_ lines: [PaperLine], totals: [Int64]) -> PaperReading.Conversion? {
        let rates = rates(lines)
        guard !rates.isEmpty else { return nil }
        let first = lines.firstIndex { $0.has(PaperWords.rates) } ?? 0
        for amounts in [amounts(lines[first...]), amounts(lines[..<first])] {
            for total in totals {
                for (code, amount) in amounts where amount.value != total {
                    guard rates.contains(where: { $0.confirms(total, amount.value) }) else { continue }
                    return PaperReading.Conversion(currency: code, total: total, amount: amount)
                }
            }
        }
        return nil
    }

    /// The amounts on lines that name the currency of a household.
    private static func amounts(
        _ lines: ArraySlice<PaperLine>
    ) -> [(code: CurrencyCode, amount: PaperReading.Candidate<Int64>)] {
        var amounts: [(code: CurrencyCode, amount: PaperReading.Candidate<Int64>)] = []
        for line in lines where amounts.count < maximumAmounts {
            for (code, words, sign) in currencies {
                guard line.has(words) || sign.map({ line.text.contains($0) }) ?? false else { continue }
                for figure in line.figures {
                    guard let value = figure.amount, value > 0 else { continue }
                    let text = String(String.UnicodeScalarView(line.line.text[figure.range]))
                    amounts.append(
                        (
                            code,
                            PaperReading.Candidate(
                                value: value, text: text, page: line.page, box: line.line.box(figure.range), score: 0)
                        ))
                }
            }
        }
        return amounts
    }

    /// The figures with decimals on lines with a word for the exchange rate. If a line has no such figure, uses the
    /// figures of the next line.
    private static func rates(_ lines: [PaperLine]) -> [Rate] {
        var rates: [Rate] = []
        for (index, line) in lines.enumerated() where rates.count < maximumRates && line.has(PaperWords.rates) {
            let own = figures(line)
            let below = lines[safe: index + 1].map { figures($0) } ?? []
            for figure in own.isEmpty ? below : own {
                let scale = repeatElement(Int128(10), count: figure.decimals).reduce(1, *)
                // `1.00 EUR = 4.2645 PLN`: the rate of a currency to itself.
                guard Int128(figure.unscaledValue) != scale else { continue }
                rates.append(Rate(digits: Int128(figure.unscaledValue), scale: scale))
            }
        }
        return rates
    }

    private static func figures(_ line: PaperLine) -> [Figure] {
        line.figures.filter { (2...8).contains($0.decimals) && $0.unscaledValue > 0 && !$0.isPercent }
    }
}
