import Domain
import JSON

extension ReviewDraft {
    /// Decodes a receipt from the change log: the row with its lines.
    init(logged body: JSONValue, storeName: String?) throws {
        store = storeName ?? body["printed_store"]?["name"]?.string ?? ""
        day = body["purchase_day"]?.string.flatMap { LocalDate(parsing: $0) }
        time = body["purchase_time"]?.string.flatMap { LocalTime(parsing: $0) }
        total = body["total_minor"]?.integer
        currency = body["currency"]?.string.flatMap(Currency.init(rawValue:)) ?? .eur
        hiddenUntil = body["hidden_until"]?.string.flatMap { LocalDate(parsing: $0) }
        lines = (body["lines"]?.array ?? []).compactMap { line in
            guard let key = line["id"]?.string else { return nil }
            var result = ReviewDraft.Line(key: key)
            result.name = line["printed_name"]?.string ?? ""
            result.quantity = line["quantity_thousandths"]?.integer ?? 1000
            result.unit = line["unit"]?.string.flatMap(StoredUnit.init(rawValue:)) ?? .piece
            result.unitPrice = line["unit_price_thousandths"]?.integer
            result.total = line["total_minor"]?.integer ?? 0
            result.isUnread = (line["doubts"]?.array ?? []).contains { $0.string == StoredReading.unread }
            result.kind = line["kind"]?.string.flatMap(LineKind.init(rawValue:)) ?? .item
            result.vatClass = line["vat_class"]?.string ?? ""
            result.category = line["category_id"]?.string.flatMap { CategoryID($0) }
            return result
        }
    }
}
