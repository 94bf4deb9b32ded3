import Domain
import Recognition

/// Joins a weight or volume at the end of a line with the price per unit that begins the next line: `51,23 Liter` above
/// `1,859 EUR/Liter`, `Tomaten 0,502 kg` above `2,49 EUR/kg  1,25 B`.
enum SplitRates {
    static func joined(_ lines: [PrintedLine]) -> [PrintedLine] {
        var result: [PrintedLine] = []
        for line in lines {
            guard let above = result.last, above.page == line.page, let unit = trailingUnit(above),
                let rate = rateWord(line, per: unit)
            else {
                result.append(line)
                continue
            }
            var both = PrintedLine(
                page: line.page, words: above.words + line.words[rate...], isText: line.isText, twin: above.twin)
            both.otherEngineWords = above.otherEngineWords + line.otherEngineWords
            result[result.count - 1] = both
        }
        return result
    }

    /// The unit of a quantity at the end of the line; nil if there is none, or if an amount precedes it.
    private static func trailingUnit(_ line: PrintedLine) -> String? {
        let figures = FigureScanner.figures(in: line.text)
        guard let figure = figures.last, figure.decimals >= 2, !figure.isNegative, !figure.isPercent,
            figures.dropLast().allSatisfy({ $0.amount == nil })
        else { return nil }
        let unit = line.string(figure.range.upperBound..<line.text.count).lowercased().filter { $0 != " " }
        return Lexicon.rated.contains(unit) && (figure.decimals == 3 || unit.hasPrefix("l")) ? unit : nil
    }

    /// The index of the word with the price per unit, if it begins the line or follows a label.
    private static func rateWord(_ line: PrintedLine, per unit: String) -> Int? {
        let figures = FigureScanner.figures(in: line.text)
        guard let rate = figures.first, rate.decimals == 2 || rate.decimals == 3, figures.count <= 2,
            figures.dropFirst().allSatisfy({ $0.amount != nil })
        else { return nil }
        let label = line.string(0..<rate.range.lowerBound).lowercased().filter(\.isLetter)
        guard labels.contains(label),
            QuantityScanner.textAfterCurrency(line.text, rate).hasPrefix("/" + unit.prefix(1))
        else { return nil }
        return line.wordIndices(rate.range).lowerBound
    }

    /// Words and signs before a price per unit.
    private static let labels: Set<String> = [
        "", "x", "a", "à", "á", "ep", "preis", "einzelpreis", "eur", "literpreis",
    ]
}
