import Domain

/// Printed forms of currencies, and words of the countries that use them, without case, accents and punctuation.
enum CurrencyWords {
    /// ISO codes of all currencies except `Currency.ofHouseholds`.
    static let codes: [String: Currency] = Dictionary(
        uniqueKeysWithValues: Currency.allCases.filter { !Currency.ofHouseholds.contains($0) }.map { ($0.rawValue, $0) }
    )

    /// Signs printed directly at an amount or beside it.
    static let signs: [String: Currency] = [
        "£": .gbp, "$": .usd, "₺": .try, "ZL": .pln, "KC": .czk, "FT": .huf, "LEI": .ron, "LEU": .ron, "LV": .bgn,
        "ЛВ": .bgn, "TL": .try, "DIN": .rsd, "KM": .bam, "KR": .sek,
    ]

    /// Currencies beside the figures of a quantity, in lower case, longer forms first: `2 x 4,49 RON`.
    static let besideFigures = ["€", "£", "euro", "eur", "chf", "fr", "lei", "ron", "zł", "zl", "pln"]

    /// Words and numbers that only receipts of one country print. A phrase ending in `#` is followed by digits.
    static let countries: [(phrase: [String], currency: Currency)] = [
        (["PARAGON", "FISKALNY"], .pln), (["NIP", "#"], .pln), (["SPRZEDAZ", "OPODATK"], .pln), (["PTU"], .pln),
        (["CZ#"], .czk), (["ADOSZAM"], .huf), (["NYUGTA"], .huf), (["BON", "FISCAL"], .ron), (["RO#"], .ron),
        (["GB#"], .gbp), (["VAT", "NO", "#"], .gbp), (["VAT", "REG", "NO", "#"], .gbp), (["SALES", "TAX"], .usd),
        (["CVR"], .dkk), (["MVA"], .nok), (["ORG", "NR"], .sek), (["KDV"], .try),
    ]

    /// Words of German receipts. If no currency is printed, they suggest the euro.
    static let german: Set<String> = [
        "MWST", "UST", "MEHRWERTSTEUER", "UMSATZSTEUER", "STEUER", "STEUERNUMMER", "SUMME", "ZWISCHENSUMME",
        "GESAMTBETRAG", "GESAMT", "BETRAG", "PREIS", "RUECKGELD", "RUCKGELD", "GEGEBEN", "ZAHLEN", "BEZAHLT", "BARGELD",
        "VIELEN", "DANK", "DANKE", "EINKAUF", "KARTE", "KUNDENBELEG", "BELEG", "QUITTUNG", "RECHNUNG", "PFAND", "UHR",
        "STRASSE", "STUECK", "POSTEN", "FUER",
    ]

    /// The form in which words are compared: `(zł).` → `ZL`, `Rückgeld:` → `RUECKGELD`.
    static func key(_ word: some StringProtocol) -> String {
        let folded = FoldedText.fold(word).uppercased()
        return String(
            String.UnicodeScalarView(
                folded.unicodeScalars.compactMap { scalar in
                    switch scalar {
                    case "Ł": "L"
                    case "£", "$", "€", "₺": scalar
                    default: scalar.properties.isAlphabetic || scalar.isDigit ? scalar : nil
                    }
                }))
    }
}
