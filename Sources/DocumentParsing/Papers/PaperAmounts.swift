import Domain
import Recognition

/// The amounts of a paper. Which one is the total is told by words, place, repetition and the tax that is in it; the largest
/// figure alone is not.
struct PaperAmounts {
    let totals: [PaperReading.Candidate<Int64>]
    let tip: PaperReading.Candidate<Int64>?
    /// In thousandths.
    let litres: PaperReading.Candidate<Int64>?
    let currency: CurrencyCode?

    private static let paid: Set = [
        "gesamtbetrag", "rechnungsbetrag", "zahlbetrag", "endbetrag", "total", "summe", "gesamt", "gesamtsumme",
        "brutto",
        "bruttobetrag", "zahlungsbetrag", "endsumme", "gesamtpreis", "fahrpreis", "fahrtpreis", "betrag", "bezahlt",
        "zahlen",
        "totale", "totalbetrag", "parkgebuehr", "parkentgelt", "rechnungssumme", "bestellsumme", "amount", "due",
        "ueberweisen",
        "einzuziehen*", "abbuchungsbetrag", "preis",
    ]
    /// Stronger than the others: what is paid in the end.
    private static let last: Set = [
        "gesamtbetrag", "rechnungsbetrag", "zahlbetrag", "endbetrag", "gesamtsumme", "zahlen", "zahlungsbetrag",
        "totalbetrag",
        "bestellsumme", "abbuchungsbetrag", "rechnungssumme", "gesamtpreis", "endsumme",
    ]
    private static let parts: Set = [
        "zwischensumme", "subtotal", "netto", "nettobetrag", "mwst", "ust", "steuer", "umsatzsteuer", "mehrwertsteuer",
        "rueckgeld", "wechselgeld", "gegeben", "retour", "rabatt", "versand", "versandkosten", "ortstaxe", "guthaben",
        "anzahlung",
        "vorauszahlung", "einzelpreis", "grundpreis", "tax", "vat", "iva", "skonto", "saldo", "rest", "differenz",
        "zurueck",
        "trinkgeld", "tip", "mwstbetrag", "servicegebuehr", "liefergebuehr",
    ]
    private static let payments: Set = [
        "visa", "mastercard", "maestro", "bankomat", "kartenzahlung", "karte", "ec", "girocard", "kreditkarte", "bar",
        "paypal",
        "klarna", "amex", "kartenbetrag", "twint", "debit",
    ]
    private static let tips: Set = ["trinkgeld", "tip", "gratuity"]

    private struct Amount {
        let value: Int64
        let line: Int
        let candidate: (Int) -> PaperReading.Candidate<Int64>
    }

    init(_ lines: [PaperLine]) {
        var amounts: [Amount] = []
        var litres: [PaperReading.Candidate<Int64>] = []
        for (index, line) in lines.enumerated() {
            for figure in line.figures {
                if let found = Self.litres(figure, line) { litres.append(found) }
                guard let value = Self.amount(figure, line), value > 0, !Self.isUnitPrice(figure, line) else {
                    continue
                }
                let box = line.line.box(figure.range)
                let text = String(String.UnicodeScalarView(line.line.text[figure.range]))
                amounts.append(
                    Amount(value: value, line: index) { score in
                        PaperReading.Candidate(value: value, text: text, page: line.page, box: box, score: score)
                    })
            }
        }
        let values = amounts.map(\.value)
        let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
        tip = amounts.last { lines[$0.line].has(Self.tips) }?.candidate(0)
        let added = tip?.value
        let all = amounts.map { amount in
            amount.candidate(Self.score(amount, lines, counts, values, tip: added))
        }
        totals = PaperReading.Candidate.best(all, least: 1)
        self.litres = litres.first
        currency = Self.currency(lines)
    }

    /// Of two decimals; whole amounts count where a currency or a word for the total is beside them.
    private static func amount(_ figure: Figure, _ line: PaperLine) -> Int64? {
        if let amount = figure.amount { return amount }
        guard let whole = figure.whole, figure.digitCount <= 5, line.figures.count == 1 else { return nil }
        let isMoney = line.has(["eur", "euro", "chf"]) || line.text.contains("€")
        return isMoney && line.has(paid) ? whole * 100 : nil
    }

    private static func isUnitPrice(_ figure: Figure, _ line: PaperLine) -> Bool {
        let after = String(String.UnicodeScalarView(line.line.text[figure.range.upperBound...].prefix(9))).lowercased()
        return ["€/l", "eur/l", "/l", " €/l", " eur/l", "/kg", " €/kg", " eur/kg", "/h", " €/h", "/km"].contains {
            after.hasPrefix($0)
        }
    }

    /// `42,31 l`, `42.31 Liter`, `Menge 42,31`.
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

    private static func score(
        _ amount: Amount, _ lines: [PaperLine], _ counts: [Int64: Int], _ values: [Int64], tip: Int64?
    ) -> Int {
        let line = lines[amount.line]
        // The amount can be on the line below its label.
        let above = amount.line > 0 && lines[amount.line - 1].figures.isEmpty ? lines[amount.line - 1] : nil
        let isPart = line.has(parts)
        var score = 10
        if line.has(paid) { score += 40 } else if let above, above.has(paid), !isPart { score += 30 }
        if line.has(last) || above?.has(last) == true { score += 20 }
        if isPart { score -= line.has(last) ? 15 : 50 }
        if line.has(payments) { score += 25 }
        if line.text.contains("€") || line.has(["eur", "euro", "chf"]) { score += 6 }
        if line.isLarge { score += 12 }
        score += line.height / 12
        score += min(3, (counts[amount.value] ?? 1) - 1) * 12
        if amount.value == values.max() { score += 8 }
        if isSumWithTax(amount.value, values) { score += 25 }
        // With a tip, the amount paid is the bill plus the tip.
        if let tip, values.contains(amount.value - tip), amount.value > tip, tip > 0 { score += 45 }
        return score
    }

    /// Net amount and tax of 4 to 27 percent make the value.
    private static func isSumWithTax(_ value: Int64, _ values: [Int64]) -> Bool {
        let known = Set(values)
        return values.prefix(200).contains { net in
            let tax = value - net
            return tax > 0 && tax < net && known.contains(tax) && tax * 100 >= net * 4 && tax * 100 <= net * 27
        }
    }

    private static func currency(_ lines: [PaperLine]) -> CurrencyCode? {
        var counts: [CurrencyCode: Int] = [:]
        for line in lines {
            for code in CurrencyCode.offered where line.words.contains(code.code.lowercased()) {
                counts[code, default: 0] += 1
            }
            if line.text.contains("€") || line.words.contains("euro") { counts[.eur, default: 0] += 1 }
            for (sign, name) in [("£", "GBP"), ("Kč", "CZK"), ("zł", "PLN"), ("Ft", "HUF")]
            where line.text.contains(sign) && !line.figures.isEmpty {
                if let code = CurrencyCode(name) { counts[code, default: 0] += 1 }
            }
        }
        return counts.max { ($0.value, $1.key.code) < ($1.value, $0.key.code) }?.key
    }
}
