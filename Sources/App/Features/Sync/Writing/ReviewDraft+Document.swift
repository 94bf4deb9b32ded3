import Domain
import JSON

extension ReviewDraft {
    /// Creates a draft from a receipt document.
    ///
    /// - Parameter stored: the document before the client's change. It shows which amounts were not read. Nil if `body`
    ///   itself is the stored document.
    init(document body: JSONObject, over stored: JSONObject? = nil) {
        store = (body["store"]?.string ?? "").trimmed
        day = body["day"]?.string.flatMap { LocalDate(parsing: $0) }
        time = body["time"]?.string.flatMap { LocalTime(parsing: $0) }
        total = body["total_minor"]?.integer
        currency = body["currency"]?.string.flatMap(Currency.init(rawValue:)) ?? .eur
        hiddenUntil = body["hidden_until"]?.string.flatMap { LocalDate(parsing: $0) }
        let before = Dictionary(
            ((stored ?? body)["lines"]?.array ?? []).compactMap { line in line["id"]?.string.map { ($0, line) } },
            uniquingKeysWith: { first, _ in first })
        lines = (body["lines"]?.array ?? []).compactMap { line in
            guard let id = line["id"]?.string.flatMap({ ReceiptLineID($0) }) else { return nil }
            var result = ReviewDraft.Line(key: id.description)
            result.name = (line["name"]?.string ?? "").trimmed
            result.quantity = line["quantity_thousandths"]?.integer ?? 1000
            result.unit = line["unit"]?.string.flatMap(StoredUnit.init(rawValue:)) ?? .piece
            result.unitPrice = line["unit_price_thousandths"]?.integer
            result.total = line["total_minor"]?.integer ?? 0
            result.kind = line["kind"]?.string.flatMap(LineKind.init(rawValue:)) ?? .item
            result.vatClass = line["vat_class"]?.string ?? ""
            result.category = line["category"]?.string.flatMap { DocumentKey($0) }?.id.relabelled()
            let old = before[result.key]
            result.isUnread =
                old?["total_minor"] == line["total_minor"]
                && (old?["doubts"]?.array ?? []).contains { $0.string == StoredReading.unread }
            return result
        }
    }
}
