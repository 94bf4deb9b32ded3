import Domain
import Postgres

/// Writes the lines of a receipt as a person left them.
enum LineWriting {
    /// Stores the draft's lines in its order and deletes the others.
    ///
    /// - Parameter current: what stands there; lines keep what the form does not carry.
    static func write(
        _ draft: ReviewDraft, of id: ReceiptID, over current: StoredReceipt, isConfirmed: Bool,
        _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        let kept = draft.lines.compactMap { ReceiptLineID($0.key) }
        var statements: [SQL] = [
            // A discount stays where its item goes.
            """
            UPDATE receipt_line SET bound_line_id = NULL
            WHERE household_id = \(household) AND receipt_id = \(id) AND NOT bound_line_id = ANY(\(kept))
            """,
            """
            DELETE FROM receipt_line
            WHERE household_id = \(household) AND receipt_id = \(id) AND NOT id = ANY(\(kept))
            """,
        ]
        var discounts: [ReceiptLineID] = []
        let stored = current.draft.linesByKey()
        // Items that were there and stay so: added and deleted ones move no discount.
        let items = Set(draft.lines.filter { $0.kind == .item }.map(\.key))
            .intersection(current.draft.lines.filter { $0.kind == .item }.map(\.key))
        let before = current.draft.itemsAboveDiscounts(among: items)
        let now = draft.itemsAboveDiscounts(among: items)
        let rates = current.ratesByClass
        for (position, line) in draft.lines.enumerated() {
            let alias = AliasKey(printed: line.name)?.text ?? ""
            // New, or deleted meanwhile by somebody else and edited here: an edit beats a deletion.
            guard let old = stored[line.key],
                let line = ReceiptLineID(line.key).map({ (id: $0, value: line) })
            else {
                let new = line.isNew ? ReceiptLineID(line.key) ?? .new() : .new()
                if line.kind == .discount { discounts.append(new) }
                statements.append(
                    """
                    INSERT INTO receipt_line
                        (household_id, id, receipt_id, position, kind, printed_name, alias_key, quantity_thousandths, unit,
                        unit_price_thousandths, total_minor, vat_class, vat_rate, doubts)
                    VALUES (\(household), \(new), \(id), \(Int32(position)), \(line.kind), \(line.name),
                        \(alias), \(line.quantity), \(line.unit), \(line.unitPrice), \(line.total), \(line.vatClass),
                        \(rates[line.vatClass]), \(line.isUnread ? [StoredReading.unread] : []))
                    """)
                continue
            }
            let doubts = (current.facts[line.value.key]?.doubts ?? []).filter { name in
                guard !isConfirmed, let field = ReviewDraft.Field(rawValue: name) else { return false }
                return old[field] == line.value[field]
            }
            let unread = line.value.isUnread ? [StoredReading.unread] : []
            let keepsProduct = old.name == line.value.name && old.kind == line.value.kind
            // Moved below another item, which is how its own is chosen.
            if line.value.kind == .discount, old.kind != .discount || before[line.value.key] != now[line.value.key] {
                discounts.append(line.id)
            }
            let rate =
                old.vatClass == line.value.vatClass
                ? current.facts[line.value.key]?.vatRate : rates[line.value.vatClass]
            statements.append(
                """
                UPDATE receipt_line SET position = \(Int32(position)), kind = \(line.value.kind),
                    printed_name = \(line.value.name), alias_key = \(alias),
                    quantity_thousandths = \(line.value.quantity), unit = \(line.value.unit),
                    unit_price_thousandths = \(line.value.unitPrice), total_minor = \(line.value.total),
                    vat_class = \(line.value.vatClass), vat_rate = \(rate), doubts = \(doubts + unread),
                    product_id = CASE WHEN \(keepsProduct) THEN product_id END
                WHERE household_id = \(household) AND receipt_id = \(id) AND id = \(line.id)
                """)
        }
        statements.append(LineBinding.binding(discounts, of: id, household))
        try await changes.query(batch: statements)
    }
}
