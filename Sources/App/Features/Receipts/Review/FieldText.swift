import Domain
import Templates

/// Labels and values of a receipt's fields as shown to people.
struct FieldText: Sendable {
    let currency: Currency
    let language: Language
    let words: LanguageTexts
    let categories: Categories

    /// - Parameters:
    ///   - field: the raw value of a `ReviewField`.
    ///   - isOfHead: whether the field belongs to the receipt rather than to a line.
    func label(_ field: String, isOfHead: Bool) -> String {
        if isOfHead && field == ReviewField.total.rawValue { return words["server.conflict.receipt-total"] }
        return label(field)
    }

    private func label(_ field: String) -> String {
        words["server.conflict.\(ReviewField(rawValue: field)?.textKey ?? "name")"]
    }

    /// - Parameter text: the value in the notation of `ReviewDraft`, which does not depend on the language.
    func shown(_ field: String, _ text: String) -> String {
        switch ReviewField(rawValue: field) {
        case .total: Int64(text).map { Money(minorUnits: $0, currency: currency).formatted(language) } ?? text
        case .unitPrice:
            Int64(text).map {
                UnitPrice(thousandthsOfMinor: $0, currency: currency, per: .piece).figure(language)
            } ?? text
        case .day, .hiddenUntil: LocalDate(parsing: text)?.formatted(language) ?? text
        case .quantity: quantity(text)
        case .kind: LineKind(rawValue: text)?.label(language) ?? text
        case .category: CategoryID(text).map { categories.name($0, language, words) } ?? ""
        case .store, .time, .currency, .name, .vatClass, nil: text
        }
    }

    /// Formats a quantity such as `1500 kg`, which means 1.5 kg because the number is in thousandths. Pieces are shown
    /// without a unit.
    private func quantity(_ text: String) -> String {
        let parts = text.split(separator: " ")
        guard let thousandths = parts.first.flatMap({ Int64($0) }) else { return text }
        let unit = parts.dropFirst().first.flatMap { StoredUnit(rawValue: String($0)) } ?? .piece
        guard unit != .piece else { return DecimalText.format(thousandths, decimals: 3, minimum: 0, in: language) }
        return Quantity(thousandths: thousandths, unit: unit.unit).formatted(language)
    }
}
