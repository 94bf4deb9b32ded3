import Domain
import Postgres

/// Writes the lines of a corrected receipt.
enum LineWriting {
    /// Stores the lines of the draft in their order, and deletes the other lines of the receipt. Unchanged lines are
    /// not written.
    ///
    /// - Parameters:
    ///   - current: the stored receipt. Values that the form does not contain, such as boxes, stay unchanged.
    ///   - checked: fields that a person marked as correct.
    static func write(
        _ draft: ReviewDraft, of id: ReceiptID, over current: StoredReceipt, checked: CheckedFields, isConfirmed: Bool,
        _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        var statements: [SQL] = []
        let keptKeys = Set(draft.lines.map(\.key))
        let deleted = current.draft.lines.filter { !keptKeys.contains($0.key) }.compactMap { ReceiptLineID($0.key) }
        if !deleted.isEmpty {
            statements = [
                """
                UPDATE receipt_line SET bound_line_id = NULL
                WHERE household_id = \(household) AND receipt_id = \(id) AND bound_line_id = ANY(\(deleted))
                """,
                // Keeps the prices of the deleted lines. `PriceHistory.update` deletes them later and also updates the
                // newest prices of the products.
                """
                UPDATE price SET line_id = NULL
                WHERE household_id = \(household) AND receipt_id = \(id) AND line_id = ANY(\(deleted))
                """,
                "DELETE FROM receipt_line WHERE household_id = \(household) AND id = ANY(\(deleted))",
            ]
        }
        var linesToReassign: [ReceiptLineID] = []
        let stored = current.draft.linesByKey()
        // A discount was moved if the number of items above it has changed. The comparison ignores added and deleted
        // items.
        let items = Set(draft.lines.filter { $0.kind == .item }.map(\.key))
            .intersection(current.draft.lines.filter { $0.kind == .item }.map(\.key))
        let itemsAboveBefore = current.draft.itemsAboveDiscounts(among: items)
        let itemsAboveNow = draft.itemsAboveDiscounts(among: items)
        let rates = current.ratesByClass
        for (position, line) in draft.lines.enumerated() {
            // The line is new, or another request deleted it and the form edited it: an edit takes precedence over a
            // deletion.
            guard let old = stored[line.key], let lineID = ReceiptLineID(line.key) else {
                let new = line.isNew ? ReceiptLineID(line.key) ?? .new() : .new()
                if line.kind == .discount { linesToReassign.append(new) }
                statements.append(insert(line, new, at: position, of: id, rate: rates[line.vatClass], household))
                continue
            }
            let facts = current.facts[line.key]
            let doubts = (facts?.doubts ?? []).filter { field in
                !isConfirmed && old[field] == line[field] && !checked.contains(field, of: line.key)
            }
            // A discount that was moved below another item, or a line that became a discount, is assigned to an item
            // again.
            if line.kind == .discount,
                old.kind != .discount || itemsAboveBefore[line.key] != itemsAboveNow[line.key]
            {
                linesToReassign.append(lineID)
            } else if line.kind != .discount, old.kind == .discount {
                linesToReassign.append(lineID)
            }
            guard line != old || facts.map({ Int($0.position) }) != position || doubts != facts?.doubts ?? [] else {
                continue
            }
            let keepsProduct = old.name == line.name && old.kind == line.kind
            let rate = old.vatClass == line.vatClass ? facts?.vatRate : rates[line.vatClass]
            statements.append(
                """
                UPDATE receipt_line SET position = \(Int32(position)), kind = \(line.kind),
                    printed_name = \(line.name), alias_key = \(AliasKey(printed: line.name)?.text ?? ""),
                    quantity_thousandths = \(line.quantity), unit = \(line.unit),
                    unit_price_thousandths = \(line.unitPrice), total_minor = \(line.total),
                    vat_class = \(line.vatClass), vat_rate = \(rate), doubts = \(doubts.map(\.rawValue) + unread(line)),
                    product_id = CASE WHEN \(keepsProduct) THEN product_id END,
                    category_id = \(category(line, household))
                WHERE household_id = \(household) AND receipt_id = \(id) AND id = \(lineID)
                """)
        }
        if !linesToReassign.isEmpty {
            statements.append(LineReferences.assigningDiscounts(linesToReassign, of: id, household))
        }
        if !statements.isEmpty { try await changes.query(batch: statements) }
    }

    private static func insert(
        _ line: ReviewDraft.Line, _ id: ReceiptLineID, at position: Int, of receipt: ReceiptID, rate: Int32?,
        _ household: HouseholdID
    ) -> SQL {
        """
        INSERT INTO receipt_line
            (household_id, id, receipt_id, position, kind, printed_name, alias_key, quantity_thousandths, unit,
            unit_price_thousandths, total_minor, vat_class, vat_rate, doubts, category_id)
        VALUES (\(household), \(id), \(receipt), \(Int32(position)), \(line.kind), \(line.name),
            \(AliasKey(printed: line.name)?.text ?? ""), \(line.quantity), \(line.unit), \(line.unitPrice),
            \(line.total), \(line.vatClass), \(rate), \(unread(line)), \(category(line, household)))
        """
    }

    /// The line's category; NULL if the category no longer exists, for example when an old change is undone.
    private static func category(_ line: ReviewDraft.Line, _ household: HouseholdID) -> SQL {
        "(SELECT c.id FROM category c WHERE c.household_id = \(household) AND c.id = \(line.category))"
    }

    /// The element `unread` for the column `doubts`, if the line has no amount.
    private static func unread(_ line: ReviewDraft.Line) -> [String] { line.isUnread ? [StoredReading.unread] : [] }
}
