import Domain
import JSON
import Templates

/// Labels and values of documents other than receipts as shown to people.
struct LostValueText: Sendable {
    let list: LostValueList
    let language: Language
    let words: LanguageTexts

    /// The document and the field, such as `Produkt Milch, Kategorie`.
    func label(_ entry: LostValueList.Entry) -> String {
        let (value, path) = (entry.value, entry.value.path)
        let type = words["server.lost.type.\(Self.key(value.document.type.rawValue))"]
        var parts = [[type, name(entry.body)].compactMap(\.self).joined(separator: " ")]
        if let part = path.part {
            parts.append([word(part.list), element(part.value)].compactMap(\.self).joined(separator: " "))
        }
        let isKnown = path.name == "deleted" || path.field(of: value.schema) != nil
        parts.append(isKnown ? word(path.name) : path.name.cut(to: 60))
        return parts.joined(separator: ", ")
    }

    func stored(_ entry: LostValueList.Entry) -> String {
        let path = entry.value.path
        guard path.name != "deleted" else { return words["server.no"] }
        return text(path.value(in: entry.body), of: entry, entry.body)
    }

    func lost(_ entry: LostValueList.Entry) -> String {
        guard entry.value.path.name != "deleted" else { return words["server.yes"] }
        // Includes the other discarded values of the group, because an amount must be shown with the currency that was
        // discarded with it.
        let body = list.entries.filter { entry.value.isGrouped(with: $0.value) }.reduce(entry.body) { body, other in
            other.value.path.setting(other.value.value, in: body) ?? body
        }
        return text(entry.value.value, of: entry, body)
    }

    private func word(_ name: String) -> String { words["server.lost.field.\(Self.key(name))"] }

    /// Converts a field name for use in the key of a text: `_` becomes `-`.
    static func key(_ name: String) -> String { name.replacing("_", with: "-") }

    /// Returns the document's name. For a document without a name, returns its amount (or its currency if there is no
    /// amount) and its day.
    private func name(_ body: JSONObject) -> String? {
        if let name = body.documentName { return name }
        let amount = body["amount_minor"]?.integer.map { self.amount($0, body) } ?? body["currency"]?.string
        let day = body["day"]?.string.flatMap { LocalDate(parsing: $0) }?.formatted(language)
        let parts = [amount, day].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The person or day that identifies a list element; nil for other keys.
    private func element(_ key: String) -> String? { list.names[key] ?? LocalDate(parsing: key)?.formatted(language) }

    // MARK: Values

    private func text(_ value: JSONValue, of entry: LostValueList.Entry, _ body: JSONObject) -> String {
        let path = entry.value.path
        let text = text(value, path.field(of: entry.value.schema)?.shape, path.name, body)
        return text.isEmpty ? "–" : text
    }

    private func text(
        _ value: JSONValue, _ shape: DocumentField.Shape?, _ name: String, _ body: JSONObject
    ) -> String {
        guard value != .null else { return "" }
        switch shape {
        case .text, .time: return value.string ?? ""
        case .integer: return value.integer.map { number($0, name, body) } ?? ""
        case .bool: return words[value.bool == true ? "server.yes" : "server.no"]
        case .day: return value.string.flatMap { LocalDate(parsing: $0) }?.formatted(language) ?? ""
        case .choice: return choice(value.string ?? "", name)
        case .reference(.category):
            let id: CategoryID? = value.string.flatMap { DocumentKey($0) }?.id.relabelled()
            guard let id, list.categories.contains(id) else { return words["server.history.no-category"] }
            return list.categories.name(id, language, words)
        case .reference, .person: return value.string.flatMap { list.names[$0] } ?? words["server.lost.gone"]
        case .list(let shape, _):
            return (value.array ?? []).map { text($0, shape, name, body) }.joined(separator: ", ")
        case .parts: return String(value.array?.count ?? 0)
        case .instant, .identifier, .anything, nil:
            return (value.string ?? String(decoding: value.bytes, as: UTF8.self)).cut(to: 200)
        }
    }

    private func number(_ number: Int64, _ name: String, _ body: JSONObject) -> String {
        switch name {
        case "weight" where body["split"]?.string == SplitMethod.exact.rawValue: amount(number, body)
        case "weight": DecimalText.format(number, decimals: 2, minimum: 0, in: language)
        case "stated_minor": amount(number, body, currency: "stated_currency")
        case let name where name.hasSuffix("_minor"): amount(number, body)
        case let name where name.hasSuffix("_thousandths"):
            DecimalText.format(number, decimals: 3, minimum: 0, in: language)
        case let name where name.hasSuffix("_millionths"):
            DecimalText.format(number, decimals: 6, minimum: 2, in: language)
        default: String(number)
        }
    }

    /// An amount in the document's currency, or in the household's currency if the document has none.
    private func amount(_ number: Int64, _ body: JSONObject, currency name: String = "currency") -> String {
        let currency = body[name]?.string.flatMap { CurrencyCode($0) } ?? CurrencyCode(list.currency)
        return Amount(minorUnits: number, currency: currency).formatted(language)
    }

    private func choice(_ value: String, _ name: String) -> String {
        switch name {
        case "split": words["server.split.method-\(value)"]
        case "kind": words["server.expense.kind.\(value)"]
        case "period": words["server.budget.period-\(value)"]
        case "interval": words["server.recurring.\(value)"]
        case "unit", "base_unit": StoredUnit(rawValue: value)?.unit.symbol(language) ?? value
        default: value
        }
    }
}
