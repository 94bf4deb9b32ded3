import Domain
import JSON

/// A change of a receipt as a JSON object. The members of the object replace stored values. Stored values without a
/// member are kept.
struct ReceiptPatch: Sendable {
    let draft: ReviewDraft
    /// Whether the client accepts amounts that are probably misread.
    let acceptsUnusualAmounts: Bool

    /// The range of the amount columns, in minor units.
    private static let amounts: ClosedRange<Int64> = -Money.limit...Money.limit

    /// - Throws: `APIProblem` 422 that names every field that is not valid.
    init(_ body: JSONObject, over stored: ReviewDraft, confirms: Bool, _ categories: Categories) throws {
        var fields = JSONFields(body)
        var draft = stored
        Self.head(&draft, &fields)
        if fields.has("lines") {
            let lines = fields.list("lines", maximum: ReviewForm.maximumLines)
            if let lines {
                draft.lines = Self.lines(lines, over: stored, categories, &fields)
            } else {
                Self.requireLines(&fields)
            }
        }
        acceptsUnusualAmounts = fields.flag("accepts_unusual_amounts") ?? false
        // The list of receipts is grouped by month, so a confirmed receipt needs a day.
        if confirms, draft.day == nil { fields.refuse("purchase_day", "is required") }
        try fields.finish()
        self.draft = draft
    }

    /// Reports that `lines` must be a list, if no other error of `lines` was reported before.
    private static func requireLines(_ fields: inout JSONFields) {
        if !fields.errors.contains(where: { $0.name == "lines" }) { fields.refuse("lines", "must be a list") }
    }

    private static func head(_ draft: inout ReviewDraft, _ fields: inout JSONFields) {
        if fields.has("store") { draft.store = fields.text("store", 0...TextLimit.storeName) ?? "" }
        if fields.has("purchase_day") {
            draft.day = fields.day("purchase_day", .firstPurchaseDay...WallClock.today())
        }
        if fields.has("purchase_time") { draft.time = fields.time("purchase_time") }
        if fields.has("currency") { draft.currency = fields.choice("currency") ?? draft.currency }
        if fields.has("total_minor") { draft.total = fields.integer("total_minor", amounts) }
        if fields.has("hidden_until") {
            draft.hiddenUntil = fields.day("hidden_until", .firstPurchaseDay...WallClock.today().adding(days: 3660))
        }
    }

    private static func lines(
        _ values: [JSONValue], over stored: ReviewDraft, _ categories: Categories, _ fields: inout JSONFields
    ) -> [ReviewDraft.Line] {
        let known = stored.linesByKey()
        var seen: Set<String> = []
        return values.enumerated().compactMap { index, value in
            guard let object = value.object else {
                fields.refuse("lines/\(index)", "must be an object")
                return nil
            }
            var part = JSONFields(object, path: "lines/\(index)/")
            defer { fields.add(part.errors) }
            let id: ReceiptLineID? = part.identifier("id")
            let key = id?.description ?? "new\(index)"
            if id != nil, known[key] == nil || !seen.insert(key).inserted {
                part.refuse("id", "must identify a line of this receipt, and must not occur twice")
            }
            let line = line(known[key] ?? ReviewDraft.Line(key: key), isNew: known[key] == nil, categories, &part)
            part.refuseUnknown()
            return line
        }
    }

    /// Reads one line. Missing members of a stored line keep their values.
    static func line(
        _ stored: ReviewDraft.Line, isNew: Bool, _ categories: Categories, _ fields: inout JSONFields
    ) -> ReviewDraft.Line {
        var line = stored
        if isNew || fields.has("printed_name") {
            line.name = fields.requiredText("printed_name", 1...TextLimit.printedName)
        }
        if fields.has("kind") { line.kind = fields.choice("kind") ?? line.kind }
        if fields.has("vat_class") { line.vatClass = fields.text("vat_class", 0...TextLimit.vatClass) ?? "" }
        if fields.has("category_id") { line.category = fields.category("category_id", of: categories) }
        if fields.has("quantity_thousandths") {
            line.quantity = fields.integer("quantity_thousandths", ReviewForm.quantities) ?? line.quantity
        }
        if fields.has("unit") { line.unit = fields.choice("unit") ?? line.unit }
        if fields.has("unit_price_thousandths") {
            line.unitPrice = fields.integer("unit_price_thousandths", ReviewForm.unitPrices)
        }
        if isNew || fields.has("total_minor") {
            let count = fields.errors.count
            if let total = fields.integer("total_minor", amounts) {
                (line.total, line.isUnread) = (total, false)
            } else if !stored.isUnread, fields.errors.count == count {
                fields.refuse("total_minor", "must be a whole number")
            }
        }
        // Members that only the server sets. Clients may send them back unchanged, so they are accepted and ignored.
        for name in ["product_id", "product", "doubts"] { _ = fields.has(name) }
        return line
    }
}
