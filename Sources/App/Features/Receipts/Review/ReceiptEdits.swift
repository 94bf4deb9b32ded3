import Domain
import HTTP
import Postgres

/// People's changes of receipts: corrections, confirming, discarding and restoring. Each change is one transaction.
struct ReceiptEdits: Sendable {
    let database: Database

    enum SaveOutcome: Sendable {
        /// The stored receipt, and whether it was confirmed before this change.
        case saved(ReviewDraft, wasConfirmed: Bool)
        /// Another request has changed some of the same fields. Its values stay; the rest of the form was stored.
        case merged(Conflict)
    }

    /// Stores a form and merges it, field by field, with the changes since its revision.
    ///
    /// - Parameters:
    ///   - completion: the values of the receipt's expense; nil for the suggested values.
    ///   - mergesLate: whether to merge; false to refuse a form of an earlier revision.
    /// - Throws: `Conflict` when nothing of the form could be stored; `MissingRequiredValues`; `Refusal.notFound`;
    ///   `Refusal.badRequest` for an unknown line; `Refusal` while the receipt is being read.
    func save(
        _ id: ReceiptID, _ form: ReviewForm, confirms: Bool, completion: ReceiptCompletion.Choice? = nil,
        mergesLate: Bool = true, _ member: Member
    ) async throws -> SaveOutcome {
        try await database.write(member.household, by: member.person) { changes in
            let current = try await load(id, member, changes)
            let isLate = current.revision != form.revision
            if isLate, !mergesLate { throw Conflict() }
            // A merge needs the version that the page showed.
            guard let base = isLate ? try await base(id, form.revision, changes) : current.draft else {
                throw Conflict(nothingStoredOf: form.completed(over: current.draft), since: current.draft)
            }
            // Compares with the version that the page showed, to add minus signs that people leave out.
            var mine = form.completed(over: base)
            mine.identifyNewLines(of: id, form: form.identity)
            // A key is valid only if its line is new, is in this receipt now, or was in this receipt when the page was
            // shown.
            let known = Set((current.draft.lines + base.lines).lazy.map(\.key))
            guard mine.lines.allSatisfy({ $0.isNew || known.contains($0.key) }) else {
                throw Refusal.badRequest
            }
            guard current.stage != .reading else { throw Refusal(.conflict, "stillReading", isTemporary: true) }
            var draft = mine
            var conflict = Conflict()
            if isLate {
                // A form that was opened before the receipt was discarded does not restore the receipt.
                guard current.state.name != .discarded else { throw Conflict(nothingStoredOf: mine, since: base) }
                // If the receipt was read again, all stored lines are new: none of them was on the page.
                let stored = Set(current.draft.lines.lazy.map(\.key))
                if !base.lines.isEmpty, stored.isDisjoint(with: base.lines.lazy.map(\.key)),
                    !stored.isSubset(of: mine.lines.lazy.map(\.key))
                {
                    throw Conflict(nothingStoredOf: mine, since: base)
                }
                let missingLines = mine.lines.filter { !stored.contains($0.key) }.compactMap { ReceiptLineID($0.key) }
                let merge = ReviewMerge(
                    base: base, mine: mine, theirs: current.draft,
                    moved: try await linesOfOtherReceipts(missingLines, than: id, changes))
                (draft, conflict) = (merge.merged, merge.conflict)
            }
            // A receipt with conflicts is not confirmed; the page is shown again first.
            let confirmsNow = confirms && conflict.changes.isEmpty
            // A confirmed receipt needs a day; a receipt without lines also needs a total. If another member removed
            // these values, those in the form are used, because the person confirmed them.
            if confirmsNow, draft.day == nil { draft.day = mine.day }
            if confirmsNow, draft.lines.isEmpty, draft.total == nil { draft.total = mine.total }
            if current.stage == .confirmed { try draft.checkRequiredValues(stored: current.draft) }
            var completion = completion
            if confirmsNow, completion == nil {
                completion = try await ReviewPaper.suggestedChoice(for: current, member, changes)
            }
            if !confirmsNow, current.stage == .review, current.duplicateOf == nil,
                draft.purchase != current.draft.purchase
            {
                try await changes.query(Duplicates.marking(id, draft.purchase, member.household))
            }
            try await write(
                id, draft, current, checked: form.checked, confirms: confirmsNow, completion: completion, changes)
            try await changes.query(ReviewDrafts.deletion(id, member))
            return conflict.changes.isEmpty
                ? .saved(draft, wasConfirmed: current.stage == .confirmed) : .merged(conflict)
        }
    }

    /// Discards or restores a receipt. The reader skips a discarded receipt, unless it is reading the receipt already.
    ///
    /// - Parameter revision: the revision that the page showed; nil for the undo button of the message after the
    ///   action.
    /// - Returns: false when the receipt was in that state already.
    /// - Throws: `Conflict`, `Refusal.notFound`.
    @discardableResult
    func setDiscarded(
        _ isDiscarded: Bool, _ id: ReceiptID, revision: Int64?, by member: Member
    ) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            let state = try await state(id, member, changes)
            guard state.isDiscarded != isDiscarded else { return false }
            try Conflict.requireRevision(state.revision, shown: revision)
            try await Self.setDiscarded(isDiscarded, id, isReading: state.isReading, changes)
            return true
        }
    }

    /// Discards or restores a receipt within a transaction.
    static func setDiscarded(
        _ isDiscarded: Bool, _ id: ReceiptID, isReading: Bool, _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        try await changes.query(
            """
            UPDATE receipt SET discarded_at = CASE WHEN \(isDiscarded) THEN now() END, revision = revision + 1
            WHERE household_id = \(household) AND id = \(id)
            """)
        if isReading {
            let subject: Identifier<Void> = id.relabelled()
            try await changes.query(
                batch: isDiscarded
                    ? [JobQueue.removeUnlessHeld(.read, subject, household)]
                    : [JobQueue.enqueueIfAbsent(.read, subject, household), JobQueue.notify])
        }
        try await PriceHistory.update([id], changes)
        changes.changed(.receipt, id)
    }

    enum Rereading: Sendable {
        case begins, isUnderWay, isDiscarded
        /// The receipt was typed in and has neither a picture nor a file.
        case hasNothing
    }

    /// Queues the stored pictures to be read again. The corrections stay in the change log.
    ///
    /// - Throws: `Conflict`, `Refusal.notFound`.
    func readAgain(_ id: ReceiptID, revision: Int64?, _ member: Member) async throws -> Rereading {
        try await database.write(member.household, by: member.person) { changes in
            let state = try await state(id, member, changes)
            if state.isDiscarded { return .isDiscarded }
            if state.isReading { return .isUnderWay }
            try Conflict.requireRevision(state.revision, shown: revision)
            let rows = try await changes.query(
                """
                UPDATE receipt r SET stage = \(Stage.reading), verdict = NULL, reasons = \([Reason(.reread)]),
                    confirmed_at = NULL, joined = NULL,
                    revision = revision + 1
                WHERE r.household_id = \(member.household) AND r.id = \(id)
                    AND (EXISTS (SELECT 1 FROM receipt_page g
                            WHERE g.household_id = r.household_id AND g.receipt_id = r.id)
                        OR EXISTS (SELECT 1 FROM receipt_file f
                            WHERE f.household_id = r.household_id AND f.receipt_id = r.id AND f.blob_id IS NOT NULL))
                RETURNING r.id
                """)
            guard !rows.isEmpty else { return .hasNothing }
            try await PriceHistory.update([id], changes)
            try await changes.query(batch: [
                JobQueue.enqueue(.read, id.relabelled(), member.household), JobQueue.notify,
            ])
            changes.changed(.receipt, id)
            return .begins
        }
    }

    // MARK: Parts

    /// Loads the values that discarding and reading again need.
    private func state(
        _ id: ReceiptID, _ member: Member, _ changes: HouseholdTransaction
    ) async throws -> (revision: Int64, isReading: Bool, isDiscarded: Bool) {
        let row = try await changes.query(
            """
            SELECT r.revision, r.stage = \(Stage.reading.sql), r.discarded_at IS NOT NULL FROM receipt r
            WHERE r.household_id = \(member.household) AND r.id = \(id) AND \(Visibility.condition(member))
            """
        ).first((Int64, Bool, Bool).self)
        guard let row else { throw Refusal.notFound }
        return row
    }

    func load(_ id: ReceiptID, _ member: Member, _ changes: HouseholdTransaction) async throws -> StoredReceipt {
        let rows = try await changes.query(
            batch: StoredReceiptQueries.statements(id, member))
        return try StoredReceiptQueries.decode(id, rows)
    }

    /// Returns the keys of the given lines that now belong to a receipt other than `id`.
    func linesOfOtherReceipts(
        _ lines: [ReceiptLineID], than id: ReceiptID, _ changes: HouseholdTransaction
    ) async throws -> Set<String> {
        guard !lines.isEmpty else { return [] }
        let rows = try await changes.query(
            """
            SELECT id FROM receipt_line
            WHERE household_id = \(changes.household) AND id = ANY(\(lines)) AND receipt_id <> \(id)
            """)
        return Set(try rows.decode(ReceiptLineID.self).map(\.description))
    }

    /// Returns the receipt at an earlier revision from the change log; nil when the log does not contain it.
    private func base(
        _ id: ReceiptID, _ revision: Int64, _ changes: HouseholdTransaction
    ) async throws -> ReviewDraft? {
        try ReviewDraft.logged(
            try await changes.query(ReviewDraft.loggedQuery(id, revision, changes.household)))
    }

    /// Writes a draft over the stored receipt, and updates the prices if it is confirmed.
    ///
    /// - Parameters:
    ///   - completion: the values of the receipt's expense that a person chose, or that were suggested, on confirming.
    ///   - updatesPrices: false if the caller updates the prices of several receipts together.
    func write(
        _ id: ReceiptID, _ draft: ReviewDraft, _ current: StoredReceipt, checked: CheckedFields = CheckedFields(),
        confirms: Bool, completion: ReceiptCompletion.Choice? = nil, updatesPrices: Bool = true,
        _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        let wasConfirmed = current.stage == .confirmed
        let isConfirmed = confirms || wasConfirmed
        let store = try await StoreNaming.resolve(
            draft.store, of: current, creates: isConfirmed, changes)
        let isUntouched = draft.hasSamePrint(as: current.draft)
        let verdict: Verdict = isUntouched && current.verdict == .proven ? .proven : .review
        let reasons =
            isUntouched && checked.isEmpty
            ? current.reasons
            : OpenReasons(before: current, after: draft, checked: checked).reasons(isConfirmed: isConfirmed)
        let doubts = current.doubts.filter { field in
            draft[head: field] == current.draft[head: field] && !checked.contains(field) && !isConfirmed
        }
        try await changes.query(
            """
            UPDATE receipt SET stage = \(isConfirmed ? Stage.confirmed : .review), verdict = \(verdict),
                reasons = \(reasons), doubts = \(doubts), store_id = \(store),
                -- An empty store field does not count as naming a store.
                printed_store = (printed_store || jsonb_build_object('name', \(draft.store)::text)
                    || CASE WHEN \(draft.store != current.draft.store)
                        THEN jsonb_build_object('typed', true) ELSE '{}' END)
                    - CASE WHEN \(draft.store.isEmpty) THEN 'typed' ELSE '' END,
                purchase_day = \(draft.day), purchase_time = \(draft.time?.stored), total_minor = \(draft.total),
                currency = \(draft.currency), hidden_until = \(draft.hiddenUntil),
                -- A joined receipt that a person edited can no longer be separated into its parts.
                joined = CASE WHEN \(changes.person != nil) THEN joined - 'parts' ELSE joined END,
                confirmed_at = CASE WHEN \(isConfirmed) THEN coalesce(confirmed_at, now()) END,
                discarded_at = CASE WHEN \(confirms) THEN NULL ELSE discarded_at END,
                revision = revision + 1
            WHERE household_id = \(household) AND id = \(id)
            """)
        try await LineWriting.write(
            draft, of: id, over: current, checked: checked, isConfirmed: isConfirmed, changes)
        if store != current.storeID {
            try await changes.query(LineReferences.forgettingProducts(of: id, outsideTheChainOf: store, household))
        }
        changes.changed(.receipt, id)
        if confirms, !wasConfirmed { try await ReceiptCompletion.write(id, draft, completion, changes) }
        guard updatesPrices, isConfirmed else { return }
        try await PrintedPackages.record(of: [id], changes)
        try await PriceHistory.update([id], changes)
    }
}
