import Domain
import JSON
import Postgres

extension ReviewDraft {
    /// Selects the receipt at an earlier revision from the change log.
    static func loggedQuery(_ id: ReceiptID, _ revision: Int64, _ household: HouseholdID) -> SQL {
        """
        SELECT c.body, s.name FROM change_log c
        LEFT JOIN store s ON s.household_id = c.household_id AND s.id = (c.body ->> 'store_id')::uuid
        WHERE c.household_id = \(household) AND c.document_id = \(id) AND c.revision = \(revision)
        ORDER BY c.seq DESC LIMIT 1
        """
    }

    /// Decodes the result of `loggedQuery`; nil when the log does not contain the revision.
    static func logged(_ rows: Rows) throws -> ReviewDraft? {
        guard let (body, store) = try rows.first((PostgresJSON, String?).self) else { return nil }
        let limits = JSONLimits(size: 16 << 20)
        return try ReviewDraft(logged: JSONValue(reading: body.bytes, limits: limits), storeName: store)
    }

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
