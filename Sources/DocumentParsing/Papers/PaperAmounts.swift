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
                guard amounts.count < Self.most, let value = Self.amount(figure, line), value > 0,
                    !Self.isUnitPrice(figure, line)
                else { continue }
                let text = String(String.UnicodeScalarView(line.line.text[figure.range]))
                func add(_ value: Int64, isMended: Bool = false) {
                    amounts.append(
                        Amount(
                            value: value, line: index, isMended: isMended,
                            candidate: PaperReading.Candidate(
                                value: value, text: text, page: line.page, box: line.line.box(figure.range), score: 0)))
                }
                add(value)
                // Handwritten amounts often lose their comma: `2850`.
                if figure.decimals == 0, figure.digitCount >= 3 { add(value / 100, isMended: true) }
            }
        }
        let scores = PaperScores(lines, amounts, deductions: deductions)
        tip = scores.tip?.candidate
        totals = PaperReading.Candidate.best(scores.candidates(), least: 1)
        self.litres = litres.first
        currency = Self.currency(lines)
    }

    /// Maximum number of amounts considered.
    private static let most = 600

    /// An amount with two decimals, or a whole amount with a currency and a word for the total beside it.
    private static func amount(_ figure: Figure, _ line: PaperLine) -> Int64? {
        if let amount = figure.amount { return amount }
        guard let whole = figure.whole, figure.digitCount <= 5, line.figures.count == 1 else { return nil }
        let isMoney = line.has(["eur", "euro", "chf"]) || line.text.contains("€")
        return isMoney && line.has(PaperWords.paid) ? whole * 100 : nil
    }

    private static func isUnitPrice(_ figure: Figure, _ line: PaperLine) -> Bool {
        let after = String(String.UnicodeScalarView(line.line.text[figure.range.upperBound...].prefix(9))).lowercased()
        return ["€/l", "eur/l", "/l", " €/l", " eur/l", "/kg", " €/kg", " eur/kg", "/h", " €/h", "/km", " km", " kwh"]
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
