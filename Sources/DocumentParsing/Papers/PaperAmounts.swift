import Domain
import Recognition

/// The amounts of a paper. The total is chosen by words, position, repetition and sums, not by size alone.
struct PaperAmounts {
    let totals: [PaperReading.Candidate<Int64>]
    let tip: PaperReading.Candidate<Int64>?
    /// In thousandths.
    let litres: PaperReading.Candidate<Int64>?
    let currency: CurrencyCode?

    struct Amount {
        let value: Int64
        let line: Int
        /// Whether a decimal mark was inserted that was not read.
        let isMended: Bool
        /// Whether the second engine read another amount on the line.
        var isDoubted = false
        let candidate: PaperReading.Candidate<Int64>
    }

    init(_ lines: [PaperLine]) {
        var amounts: [Amount] = []
        var litres: [PaperReading.Candidate<Int64>] = []
        var deductions: Set<Int64> = []
        for (index, line) in lines.enumerated() {
            for figure in line.figures {
                if let found = Self.litres(figure, line) { litres.append(found) }
                if let amount = figure.amount, line.has(PaperWords.deductions) { deductions.insert(abs(amount)) }
            }
            var first = Self.amounts(line.line, line.figures, line, index)
            let second = line.other.map { Self.amounts($0, FigureScanner.figures(in: $0.text), line, index) } ?? []
            let values = (first: Set(first.map(\.value)), second: Set(second.map(\.value)))
            if !second.isEmpty {
                for at in first.indices { first[at].isDoubted = !values.second.contains(first[at].value) }
            }
            amounts += first + second.filter { !values.first.contains($0.value) }
            if amounts.count > Self.most { amounts.removeLast(amounts.count - Self.most) }
        }
        let scores = PaperScores(lines, amounts, deductions: deductions)
        tip = scores.tip?.candidate
        totals = PaperReading.Candidate.best(scores.candidates(), least: 1)
        self.litres = litres.first
        currency = Self.currency(lines)
    }

    /// Maximum number of amounts considered.
    private static let most = 600

    /// The amounts in one engine's reading of a line.
    private static func amounts(_ read: PrintedLine, _ figures: [Figure], _ line: PaperLine, _ index: Int) -> [Amount] {
        var found: [Amount] = []
        for figure in figures {
            let after = String(String.UnicodeScalarView(read.text[figure.range.upperBound...].prefix(9))).lowercased()
            guard !isUnitPrice(followedBy: after) else { continue }
            func add(_ value: Int64, isMended: Bool) {
                guard value > 0 else { return }
                let text = String(String.UnicodeScalarView(read.text[figure.range]))
                found.append(
                    Amount(
                        value: value, line: index, isMended: isMended,
                        candidate: PaperReading.Candidate(
                            value: value, text: text, page: line.page, box: read.box(figure.range), score: 0)))
            }
            if let amount = figure.amount {
                add(amount, isMended: false)
            } else if line.has(PaperWords.paid), figures.count == 1, figure.digitCount <= 5, !figure.isPercent {
                // Handwritten amounts often lose their comma or last digits: `2850`, `28,5`, `28,`.
                let isMoney =
                    line.has(["eur", "euro", "chf"]) || line.text.contains("€") || after.hasPrefix(",")
                    || after.hasPrefix(".")
                guard isMoney else { continue }
                if figure.decimals == 1 { add(figure.digits * 10, isMended: true) }
                if figure.decimals == 0 { add(figure.digits * 100, isMended: false) }
                if figure.decimals == 0, figure.digitCount >= 3 { add(figure.digits, isMended: true) }
            }
        }
        return found
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
