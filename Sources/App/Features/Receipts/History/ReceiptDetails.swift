import Domain
import Templates

/// The differences between two versions of a receipt as sentences.
struct ReceiptDetails: Sendable {
    /// One difference as a sentence.
    struct Detail: Sendable, Equatable {
        /// The field's path in sync documents, such as `total_minor` or `lines/<id>/name`; empty for details without a
        /// field.
        var field = ""
        let text: String
    }

    let language: Language
    let words: LanguageTexts
    let categories: Categories
    /// Names of products.
    var products: [ProductID: String] = [:]

    /// If at least this many lines were added, they are counted instead of listed.
    private static let manyLines = 6

    func details(from before: ReviewDraft, to after: ReviewDraft) -> [Detail] {
        let newTexts = FieldText(currency: after.currency, language: language, words: words, categories: categories)
        let oldTexts = FieldText(
            currency: before.currency, language: language, words: words, categories: categories)
        var details = ReviewField.head.filter { before[head: $0] != after[head: $0] }.map { field in
            Detail(
                field: field.documentName,
                text: sentence(
                    newTexts.label(field.rawValue, isOfHead: true), oldTexts.shown(field.rawValue, before[head: field]),
                    newTexts.shown(field.rawValue, after[head: field])))
        }
        let (oldLines, newLines) = (before.linesByKey(), after.linesByKey())
        let added = after.lines.filter { oldLines[$0.key] == nil }
        if added.count >= Self.manyLines {
            details.append(Detail(text: words["server.history.lines", ["count": .number(String(added.count))]]))
        } else {
            details += added.map { Detail(text: line("server.history.line-added", $0, newTexts)) }
        }
        for line in before.lines {
            guard let new = newLines[line.key] else {
                let text = self.line("server.history.line-gone", line, oldTexts)
                details.append(Detail(field: "lines/\(line.key)/deleted", text: text))
                continue
            }
            for field in ReviewField.line where line[field] != new[field] {
                details.append(
                    Detail(
                        field: "lines/\(line.key)/\(field.documentName)",
                        text: sentence(
                            "\(new.name), \(newTexts.label(field.rawValue, isOfHead: false))",
                            oldTexts.shown(field.rawValue, line[field]),
                            newTexts.shown(field.rawValue, new[field]))))
            }
        }
        let keptKeys = before.lines.map(\.key).filter { newLines[$0] != nil }
        if keptKeys != after.lines.map(\.key).filter({ oldLines[$0] != nil }) {
            details.append(Detail(text: words["server.history.order"]))
        }
        return details
    }

    /// The details of lines that were matched with products.
    func matches(from before: LoggedVersion, to after: LoggedVersion) -> [Detail] {
        after.draft.lines.compactMap { line in
            let (old, new) = (before.products[line.key], after.products[line.key])
            guard old != new, before.draft.lines.contains(where: { $0.key == line.key }) else { return nil }
            return Detail(
                text: sentence(
                    "\(line.name), \(words["server.history.product"])", old.map(name) ?? "", new.map(name) ?? ""))
        }
    }

    private func name(_ product: ProductID) -> String { products[product] ?? words["server.history.no-product"] }

    func sentence(_ label: String, _ before: String, _ after: String) -> String {
        func value(_ text: String) -> String { text.isEmpty ? "–" : text }
        if before.isEmpty {
            return words["server.history.first-value", ["label": .text(label), "after": .text(value(after))]]
        }
        return words[
            "server.history.change",
            ["label": .text(label), "before": .text(value(before)), "after": .text(value(after))]]
    }

    /// The sentence about an added or removed line.
    private func line(_ key: String, _ line: ReviewDraft.Line, _ texts: FieldText) -> String {
        words[key, ["name": .text(line.name), "amount": .text(texts.shown("total", line[.total]))]]
    }
}

extension ReviewField {
    /// The field's name in sync documents.
    var documentName: String {
        switch self {
        case .total: "total_minor"
        case .quantity: "quantity_thousandths"
        case .unitPrice: "unit_price_thousandths"
        case .store, .day, .time, .currency, .hiddenUntil, .name, .kind, .vatClass, .category: rawValue
        }
    }

    /// The field with this name in sync documents. The unit counts as part of the quantity.
    init?(documentName name: String) {
        guard let field = name == "unit" ? .quantity : Self.allCases.first(where: { $0.documentName == name }) else {
            return nil
        }
        self = field
    }
}
