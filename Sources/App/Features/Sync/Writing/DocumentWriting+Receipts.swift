import Domain
import JSON
import Postgres

/// Writes receipts and their lines: corrects, confirms, discards and restores them as the review form does.
extension DocumentWriting {
    private var receiptID: ReceiptID { key.id.relabelled() }
    private var edits: ReceiptEdits { ReceiptEdits(database: database) }

    /// - Returns: values that could not be stored because the receipt is being read.
    func receipt(_ edit: DocumentEdit, hasConflicts: Bool) async throws -> [DocumentMerge.LostField] {
        var before = edit.before
        if before == nil {
            try await insertReceipt(edit)
            before = JSONObject()
        }
        let current = try StoredReceiptQueries.decode(
            receiptID, try await changes.query(batch: StoredReceiptQueries.statements(receiptID, household)))
        if current.stage == .reading { return try await lostChanges(edit, current) }
        let draft = try await draft(edit, over: current, before ?? JSONObject())
        let confirms = edit.text("stage") == Stage.confirmed.rawValue && current.stage == .review && !hasConflicts
        try require(draft, over: current, confirms: confirms)
        if draft != current.draft || confirms {
            try await edits.write(receiptID, draft, current, confirms: confirms, changes)
        }
        try await discard(edit, current, confirms: confirms)
        return []
    }

    private func insertReceipt(_ edit: DocumentEdit) async throws {
        try await changes.query(
            """
            INSERT INTO receipt (household_id, id, stage, verdict, reasons, person_id, source, currency, hidden_until)
            SELECT h.id, \(receiptID), \(Stage.review), \(Verdict.review), \([Reason(.byHand)]), \(member.person),
                'manual', coalesce(\(edit.text("currency")), h.currency),
                \(edit.text("hidden_until").flatMap { LocalDate(parsing: $0) })
            FROM household h WHERE h.id = \(household)
            """)
        let images = (edit.after["images"]?.array ?? []).compactMap {
            $0.string.flatMap { DocumentKey($0) }?.id.relabelled(IdentifierTag.File.self)
        }
        try await attach(images, to: receiptID)
    }

    /// Returns the stored receipt with the client's changes.
    private func draft(
        _ edit: DocumentEdit, over current: StoredReceipt, _ before: JSONObject
    ) async throws -> ReviewDraft {
        let (beforeDraft, afterDraft) = (
            ReviewDraft(document: before), ReviewDraft(document: edit.after, over: before)
        )
        var draft = current.draft
        for field in ReviewField.head where afterDraft[head: field] != beforeDraft[head: field] {
            if field == .currency, edit.after["currency"] == nil { continue }
            draft.take(head: field, from: afterDraft)
        }
        let (old, stored) = (beforeDraft.linesByKey(), current.draft.linesByKey())
        var lines: [ReviewDraft.Line] = []
        for line in afterDraft.lines {
            guard var result = stored[line.key] else {
                var new = line
                new.isNew = true
                lines.append(new)
                continue
            }
            let known = old[line.key]
            for field in ReviewField.line where known == nil || known?[field] != line[field] {
                result.take(field, from: line)
            }
            lines.append(result)
        }
        let keptKeys = Set(afterDraft.lines.map(\.key)).union(old.keys)
        lines += current.draft.lines.filter { !keptKeys.contains($0.key) }
        draft.lines = lines
        try await requireOwnLines(lines.filter { stored[$0.key] == nil })
        let changed = lines.filter { $0.category != stored[$0.key]?.category }
        try await requireCategories(Set(changed.compactMap(\.category)))
        return draft
    }

    private func requireOwnLines(_ lines: [ReviewDraft.Line]) async throws {
        let ids = lines.compactMap { ReceiptLineID($0.key) }
        guard !ids.isEmpty else { return }
        let rows = try await changes.query(
            "SELECT 1 FROM receipt_line WHERE household_id = \(household) AND id = ANY(\(ids)) LIMIT 1")
        guard rows.isEmpty else { throw DocumentFault("lines: a line belongs to another receipt") }
    }

    private func requireCategories(_ ids: Set<CategoryID>) async throws {
        guard !ids.isEmpty else { return }
        let rows = try await changes.query(
            "SELECT 1 FROM category WHERE household_id = \(household) AND id = ANY(\(ids.sorted()))")
        guard rows.count == ids.count else { throw DocumentFault("lines: a category does not exist") }
    }

    /// Makes the same checks as the form: the date is not in the future, and a confirmed receipt has all required
    /// fields.
    private func require(
        _ draft: ReviewDraft, over current: StoredReceipt, confirms: Bool
    ) throws(DocumentFault) {
        if let day = draft.day, day != current.draft.day, day < .firstPurchaseDay || day > WallClock.today() {
            throw DocumentFault("day: must be from \(LocalDate.firstPurchaseDay.iso) to today")
        }
        if confirms, draft.day == nil { throw DocumentFault("day: is required to confirm a receipt") }
        guard current.stage == .confirmed else { return }
        do {
            try draft.checkRequiredValues(stored: current.draft)
        } catch {
            let names = error.fields.map { $0 == .total ? "total_minor" : $0.rawValue }.joined(separator: ", ")
            throw DocumentFault("\(names): required for a confirmed receipt")
        }
    }

    private func discard(_ edit: DocumentEdit, _ current: StoredReceipt, confirms: Bool) async throws {
        let wanted = edit.after["discarded"]?.bool ?? false
        let isDiscarded = current.state.name == .discarded && !confirms
        guard wanted != (edit.before?["discarded"]?.bool ?? false), wanted != isDiscarded else { return }
        try await ReceiptEdits.setDiscarded(wanted, receiptID, isReading: current.stage == .reading, changes)
    }

    /// For a receipt that is being read: discards or restores it, and returns all other changes as lost, because the
    /// reader will overwrite the receipt.
    private func lostChanges(_ edit: DocumentEdit, _ current: StoredReceipt) async throws -> [DocumentMerge.LostField] {
        try await discard(edit, current, confirms: false)
        let fields = DocumentSchema.receipt.fields.filter { $0.writer == .client && $0.name != "discarded" }
        return fields.compactMap { field in
            let (kept, typed) = (edit.before?[field.name] ?? .null, edit.after[field.name] ?? .null)
            guard kept != typed, edit.before != nil || !Self.isEmpty(typed), field.name != "stage" else { return nil }
            return DocumentMerge.LostField(field: field.name, kept: kept, lost: typed)
        }
    }

    private static func isEmpty(_ value: JSONValue) -> Bool {
        value == .null || value.string == "" || value.array?.isEmpty == true || value == false
    }

    func removeReceipt() async throws -> Int64? {
        let found = try await changes.query(
            """
            SELECT r.revision FROM receipt r
            WHERE r.household_id = \(household) AND r.id = \(receiptID) AND \(Visibility.condition(member))
            """
        ).first(Int64.self)
        guard let found else { return 0 }
        // Removes the prices of a discarded receipt from the sums.
        try await changes.query(
            "UPDATE receipt SET discarded_at = now() WHERE household_id = \(household) AND id = \(receiptID)")
        try await PriceHistory.update([receiptID], changes)
        let repeated = try await changes.query(
            """
            UPDATE receipt SET duplicate_of = NULL, revision = revision + 1
            WHERE household_id = \(household) AND duplicate_of = \(receiptID) RETURNING id
            """
        ).decode(ReceiptID.self)
        changes.changed(.receipt, repeated)
        try await changes.query(batch: [
            "DELETE FROM job WHERE household_id = \(household) AND subject_id = \(receiptID)",
            """
            UPDATE receipt_page g SET file_id = NULL FROM receipt_file f
            WHERE g.household_id = \(household) AND f.household_id = g.household_id AND f.id = g.file_id
                AND f.receipt_id = \(receiptID)
            """,
            "DELETE FROM receipt WHERE household_id = \(household) AND id = \(receiptID)",
        ])
        return found
    }
}
