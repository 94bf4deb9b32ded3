import Domain
import Recognition

/// The amounts of a paper. The total is chosen by words, position, repetition and sums, not by size alone.
struct PaperAmounts {
    let totals: [PaperReading.Candidate<Int64>]
    let tip: PaperReading.Candidate<Int64>?
    /// Whether a label for a tip has no legible figure.
    let hasTipWithoutFigure: Bool
    /// In thousandths.
    let litres: PaperReading.Candidate<Int64>?
    let currency: CurrencyCode?

    struct Amount {
        /// In minor units.
        let value: Int64
        /// The index of its line.
        let line: Int
        /// Whether a decimal mark was inserted that was not read.
        let isRepaired: Bool
        /// Whether a figure without decimals was read as whole units.
        var isWhole = false
        /// Whether the second engine read another amount on the line.
        var isDoubtful = false
        let candidate: PaperReading.Candidate<Int64>

        /// Returns this amount with the value that was probably printed.
        func corrected(to value: Int64) -> Amount {
            Amount(
                value: value, line: line, isRepaired: false,
                candidate: PaperReading.Candidate(
                    value: value, text: candidate.text, page: candidate.page, box: candidate.box, score: 0))
        }
    }

    init(_ lines: [PaperLine]) {
        var amounts: [Amount] = []
        var litres: [PaperReading.Candidate<Int64>] = []
        var deductions: Set<Int64> = []
        var isBelowTip = false
        for (index, line) in lines.enumerated() {
            for figure in line.figures {
                if let found = Self.litres(figure, line) { litres.append(found) }
                if let amount = figure.amount, line.has(PaperWords.deductions) { deductions.insert(abs(amount)) }
            }
            var first = Self.amounts(line.line, line.figures, line, index, isBelowTip: isBelowTip)
            var second: [Amount] = []
            if let other = line.other {
                let figures = PaperLine.figures(in: other.text)
                second = Self.amounts(other, figures, line, index, isBelowTip: isBelowTip)
                (first, second) = (Self.withoutLostMarks(first, figures), Self.withoutLostMarks(second, line.figures))
            }
            isBelowTip = isBelowTip || PaperTips.isLabel(line)
            let values = (first: Set(first.map(\.value)), second: Set(second.map(\.value)))
            if !second.isEmpty {
                for position in first.indices {
                    first[position].isDoubtful = !values.second.contains(first[position].value)
                }
            }
            amounts += first + second.filter { !values.first.contains($0.value) }
            if amounts.count > Self.maximumAmounts { amounts.removeLast(amounts.count - Self.maximumAmounts) }
        }
        let scores = PaperScores(lines, amounts, deductions: deductions)
        tip = scores.tip?.candidate
        hasTipWithoutFigure = PaperTips.hasTipWithoutFigure(lines, amounts)
        totals = PaperReading.Candidate.best(scores.candidates(), minimumScore: 1)
        self.litres = litres.first
        currency = Self.currency(lines)
    }

    /// Maximum number of amounts considered.
    private static let maximumAmounts = 600

    /// The amounts in one engine's reading of a line.
    ///
    /// - Parameter isBelowTip: whether the label of a tip is printed above, so that totals may be written by hand.
    private static func amounts(
        _ read: PrintedLine, _ figures: [Figure], _ line: PaperLine, _ index: Int, isBelowTip: Bool
    ) -> [Amount] {
        var found: [Amount] = []
        for (position, figure) in figures.enumerated() {
            let after = String(String.UnicodeScalarView(read.text[figure.range.upperBound...].prefix(9))).lowercased()
            guard !isUnitPrice(followedBy: after) else { continue }
            func add(_ value: Int64, _ range: Range<Int>, isRepaired: Bool = false, isWhole: Bool = false) {
                guard value > 0 else { return }
                found.append(
                    Amount(
                        value: value, line: index, isRepaired: isRepaired, isWhole: isWhole,
                        candidate: PaperReading.Candidate(
                            value: value, text: read.string(range), page: line.page, box: read.box(range), score: 0)))
            }
            if let amount = figure.amount {
                add(amount, figure.range)
                if let (whole, range) = grouped(figures[..<position], figure, read, line) { add(whole, range) }
            } else if line.has(PaperWords.tips), !line.has(PaperWords.including), figures.count == 1,
                (2...4).contains(figure.digitCount), let digits = figure.whole, !figure.isNegative
            {
                // Handwritten tips lose their comma, too: `Trinkgeld 170`.
                add(digits, figure.range, isRepaired: true)
            } else if line.has(PaperWords.paid), figures.count == 1, figure.digitCount <= 5, !figure.isPercent {
                // Handwritten amounts often lose their comma or last digits: `2850`, `28,5`, `28,`.
                let isMoney =
                    isBelowTip || line.has(["eur", "euro", "chf"]) || line.text.contains("€") || after.hasPrefix(",")
                    || after.hasPrefix(".")
                guard isMoney else { continue }
                if figure.decimals == 1 { add(figure.unscaledValue * 10, figure.range, isRepaired: true) }
                if figure.decimals == 0 { add(figure.unscaledValue * 100, figure.range, isWhole: true) }
                if figure.decimals == 0, figure.digitCount >= 3 {
                    add(figure.unscaledValue, figure.range, isRepaired: true)
                }
            }
        }
        return found
    }

    /// The amount with a blank between thousands, as in `1 250,00`, on a line for a total, a net amount or a tax. On
    /// other lines, the first digits may be a quantity.
    private static func grouped(
        _ before: ArraySlice<Figure>, _ figure: Figure, _ read: PrintedLine, _ line: PaperLine
    ) -> (value: Int64, range: Range<Int>)? {
        guard let first = before.last, let thousands = first.whole, thousands > 0, first.digitCount <= 3,
            figure.digitCount == 5, figure.decimals == 2, figure.range.lowerBound == first.range.upperBound + 1,
            read.text[first.range.upperBound] == " ", read.text[first.range.lowerBound] != "0", !first.isNegative,
            line.has(PaperWords.paid) || line.has(PaperWords.nets)
        else { return nil }
        return (thousands * 100_000 + figure.unscaledValue, first.range.lowerBound..<figure.range.upperBound)
    }

    /// Removes whole amounts if only the other engine read their decimal mark: `1400` and `14.00`.
    private static func withoutLostMarks(_ amounts: [Amount], _ other: [Figure]) -> [Amount] {
        let exact = Set(other.compactMap { $0.amount.map(abs) })
        return amounts.filter { !$0.isWhole || $0.value < 10_000 || !exact.contains($0.value / 100) }
    }

    /// Whether a text after a figure marks it as a unit price or as a distance or energy.
    private static func isUnitPrice(followedBy after: String) -> Bool {
        ["€/l", "eur/l", "/l", " €/l", " eur/l", "/kg", " €/kg", " eur/kg", "/h", " €/h", "/km", " km", " kwh"]
            .contains { after.hasPrefix($0) }
    }

    /// Litres of fuel: `42,31 l`, `42.31 Liter`; nil for other figures.
    private static func litres(_ figure: Figure, _ line: PaperLine) -> PaperReading.Candidate<Int64>? {
        guard let thousandths = figure.thousandths, figure.decimals >= 2, thousandths > 0 else { return nil }
        let after = String(String.UnicodeScalarView(line.line.text[figure.range.upperBound...].prefix(7))).lowercased()
        let isLitre =
            ["l ", "liter", "ltr", " l ", " liter", " ltr", " lit"].contains { after.hasPrefix($0) }
            || after == "l" || after == " l"
        guard isLitre else { return nil }
        return PaperReading.Candidate(
            value: thousandths, text: String(String.UnicodeScalarView(line.line.text[figure.range])), page: line.page,
            box: line.line.box(figure.range), score: 0)
    }

    private static func currency(_ lines: [PaperLine]) -> CurrencyCode? {
        var counts: [CurrencyCode: Int] = [:]
        for line in lines {
            for code in CurrencyCode.offered where line.words.contains(code.code.lowercased()) {
                counts[code, default: 0] += 1
            }
            if line.text.contains("€") || line.words.contains("euro") { counts[.eur, default: 0] += 1 }
            for (sign, name) in [("£", "GBP"), ("Kč", "CZK"), ("zł", "PLN"), ("Ft", "HUF"), ("Fr.", "CHF")]
            where line.text.contains(sign) && !line.figures.isEmpty {
                if let code = CurrencyCode(name) { counts[code, default: 0] += 1 }
            }
        }
        return counts.max { ($0.value, $1.key.code) < ($1.value, $0.key.code) }?.key
    }
}
