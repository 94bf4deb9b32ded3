import Domain
import HTTP
import JSON
import Postgres

/// Other lines stand on the receipt than those of the form, or none any more; nothing of the form was stored.
struct ReplacedMeanwhile: Error {
    /// What it would have changed.
    let typed: [TypedChange]
}

/// Writes what people correct, confirm, discard and take back.
struct ReceiptEdits: Sendable {
    let database: Database

    enum Saved: Sendable {
        /// What was stored, and whether the receipt was booked before.
        case saved(ReviewDraft, again: Bool)
        /// Somebody else had changed the same fields; theirs stand.
        case conflicts([ReviewMerge.Conflict])
    }

    /// Stores a form; merged by field with what changed since its revision.
    func save(
        _ id: ReceiptID, _ form: ReviewForm, confirms: Bool, _ member: Member
    ) async throws -> Saved {
        try await database.write(member.household, by: member.person) { changes in
            let current = try await load(id, member, changes)
            let isLate = current.revision != form.revision
            let base = isLate ? try await base(id, form.revision, changes) ?? current.draft : current.draft
            // A sign is judged by what the person saw, not by what somebody else made of it since.
            var mine = form.completed(over: base)
            mine.identifyNewLines(of: id, form: form.identity)
            guard current.stage != "reading" else { throw Refusal(.conflict, "stillReading", isPassing: true) }
            var draft = mine
            var conflicts: [ReviewMerge.Conflict] = []
            if isLate {
                // Thrown away by somebody who knew why: a form from before does not bring it back.
                guard current.state.name != .discarded else {
                    throw ReplacedMeanwhile(typed: TypedChange.all(in: mine, since: base))
                }
                // Read again meanwhile: these are other lines, and the form's are none of them.
                let stored = Set(current.draft.lines.lazy.map(\.key))
                if !base.lines.isEmpty, stored.isDisjoint(with: base.lines.lazy.map(\.key)),
                    !stored.isSubset(of: mine.lines.lazy.map(\.key))
                {
                    throw ReplacedMeanwhile(typed: TypedChange.all(in: mine, since: base))
                }
                let gone = mine.lines.filter { !stored.contains($0.key) }.compactMap { ReceiptLineID($0.key) }
                let merge = ReviewMerge(
                    base: base, mine: mine, theirs: current.draft,
                    moved: try await elsewhere(gone, than: id, changes))
                (draft, conflicts) = (merge.merged, merge.conflicts)
            }
            // What somebody else just wrote is looked at before it is booked.
            let confirmsNow = confirms && conflicts.isEmpty
            // Somebody else took the day away: without one it would be in no month, and who books it has seen this one.
            if confirmsNow, draft.day == nil { draft.day = mine.day }
            if current.stage == "confirmed" { try draft.requireBooking(over: current.draft) }
            // What the page only proposes is nobody's word before it is booked.
            if !confirmsNow, current.stage == "review", current.draft.day == nil, !current.isManual,
                draft.day == current.uploadDay
            {
                draft.day = nil
            }
            try await write(id, draft, current, confirms: confirmsNow, changes)
            return conflicts.isEmpty ? .saved(draft, again: current.stage == "confirmed") : .conflicts(conflicts)
        }
    }

    /// Receipts of one confirmation of all; the rest is asked for again.
    private static let mostAtOnce: Int32 = 500

    /// The receipts that are booked unseen, the oldest first: proven, no duplicate, of a known store and a day that has come.
    private static func ready(_ member: Member) -> SQL {
        """
        SELECT r.id FROM receipt r WHERE r.household_id = \(member.household) AND r.stage = 'review'
            AND r.verdict = 'proven' AND r.purchase_day <= \(WallClock.today())
            AND (r.store_id IS NOT NULL OR r.printed_store ->> 'name' <> '') AND NOT \(Duplicates.condition())
            AND r.discarded_at IS NULL AND \(Visibility.condition(member))
        ORDER BY r.created_at LIMIT \(mostAtOnce)
        """
    }

    /// How many receipts `confirmProven` would book.
    static func readyCount(_ member: Member) -> SQL { "SELECT count(*) FROM (\(ready(member))) ready" }

    /// Books every proven receipt that waits; those that want a look stay.
    func confirmProven(_ member: Member) async throws -> Int {
        try await database.write(member.household, by: member.person) { changes in
            let ids = try await changes.query(Self.ready(member)).decode(ReceiptID.self)
            for id in ids {
                let current = try await load(id, member, changes)
                try await write(id, current.draft, current, confirms: true, books: false, changes)
            }
            try await Booking.rebook(ids, changes)
            return ids.count
        }
    }

    /// Puts a receipt aside, or takes it back. What was not read yet is not read while it lies aside, unless a reader is
    /// at it already.
    ///
    /// - Parameter revision: what the page showed; nothing where it is undone at once.
    /// - Returns: False where it was so already.
    /// - Throws: `ChangedMeanwhile`, `Refusal.notFound`.
    @discardableResult
    func setDiscarded(
        _ id: ReceiptID, _ isDiscarded: Bool, revision: Int64?, _ member: Member
    ) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            let standing = try await standing(id, member, changes)
            guard standing.isDiscarded != isDiscarded else { return false }
            // What was seen is what is thrown away: somebody else's corrections since then are shown first.
            guard standing.revision == revision ?? standing.revision else { throw ChangedMeanwhile() }
            try await changes.query(
                """
                UPDATE receipt SET discarded_at = CASE WHEN \(isDiscarded) THEN now() END, revision = revision + 1
                WHERE household_id = \(member.household) AND id = \(id)
                """)
            if standing.isReading {
                let subject: Identifier<Void> = id.relabelled()
                try await changes.query(
                    batch: isDiscarded
                        ? [JobQueue.withdraw(.read, subject, member.household)]
                        : [JobQueue.ensure(.read, subject, member.household), JobQueue.notify])
            }
            try await Booking.rebook([id], changes)
            changes.changed(.receipt, id)
            return true
        }
    }

    enum Rereading: Sendable {
        case begins, isUnderWay, isDiscarded
        /// No picture and no file: it was typed in.
        case hasNothing
    }

    /// Reads the stored pictures again; what was corrected is kept in the change log.
    ///
    /// - Throws: `ChangedMeanwhile`, `Refusal.notFound`.
    func readAgain(_ id: ReceiptID, revision: Int64?, _ member: Member) async throws -> Rereading {
        try await database.write(member.household, by: member.person) { changes in
            let standing = try await standing(id, member, changes)
            if standing.isDiscarded { return .isDiscarded }
            if standing.isReading { return .isUnderWay }
            guard standing.revision == revision ?? standing.revision else { throw ChangedMeanwhile() }
            let rows = try await changes.query(
                """
                UPDATE receipt r SET stage = 'reading', verdict = NULL, reasons = \([ReplacedReading.mark]),
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
            try await Booking.rebook([id], changes)
            try await changes.query(batch: [
                JobQueue.enqueue(.read, id.relabelled(), member.household), JobQueue.notify,
            ])
            changes.changed(.receipt, id)
            return .begins
        }
    }

    // MARK: Parts

    /// Where a receipt stands.
    private func standing(
        _ id: ReceiptID, _ member: Member, _ changes: HouseholdTransaction
    ) async throws -> (revision: Int64, isReading: Bool, isDiscarded: Bool) {
        let row = try await changes.query(
            """
            SELECT r.revision, r.stage = 'reading', r.discarded_at IS NOT NULL FROM receipt r
            WHERE r.household_id = \(member.household) AND r.id = \(id) AND \(Visibility.condition(member))
            """
        ).first((Int64, Bool, Bool).self)
        guard let row else { throw Refusal.notFound }
        return row
    }

    private func load(_ id: ReceiptID, _ member: Member, _ changes: HouseholdTransaction) async throws -> StoredReceipt
    {
        let rows = try await changes.query(
            batch: StoredReceiptQueries.statements(id, member))
        return try StoredReceiptQueries.decode(id, rows)
    }

    /// Those of these lines that another receipt has by now.
    private func elsewhere(
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

    /// The receipt as it stood at a revision, from the change log.
    private func base(
        _ id: ReceiptID, _ revision: Int64, _ changes: HouseholdTransaction
    ) async throws -> ReviewDraft? {
        let rows = try await changes.query(
            """
            SELECT c.body, s.name FROM change_log c
            LEFT JOIN store s ON s.household_id = c.household_id AND s.id = (c.body ->> 'store_id')::uuid
            WHERE c.household_id = \(changes.household) AND c.document_id = \(id) AND c.revision = \(revision)
            ORDER BY c.seq DESC LIMIT 1
            """)
        guard let (body, store) = try rows.first((PostgresJSON, String?).self) else { return nil }
        let limits = JSONLimits(size: 16 << 20)
        return try ReviewDraft(logged: JSONValue(reading: body.bytes, limits: limits), storeName: store)
    }

    /// Writes a draft over what is stored, with all that follows from it.
    ///
    /// - Parameter books: false where the caller books it, with others.
    func write(
        _ id: ReceiptID, _ draft: ReviewDraft, _ current: StoredReceipt, confirms: Bool, books: Bool = true,
        _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        let wasConfirmed = current.stage == "confirmed"
        let isConfirmed = confirms || wasConfirmed
        let store = try await StoreNaming.resolve(
            draft.store, of: current, creates: isConfirmed, changes)
        let isUntouched = draft == current.draft
        let verdict = isUntouched && current.verdict == "proven" ? "proven" : "review"
        let reasons =
            isUntouched ? current.reasons : OpenReasons(before: current, after: draft).codes(isConfirmed: isConfirmed)
        let doubts = current.doubts.filter { field in
            guard let field = ReviewDraft.HeadField(rawValue: field) else { return false }
            return draft[head: field] == current.draft[head: field] && !isConfirmed
        }
        try await changes.query(
            """
            UPDATE receipt SET stage = \(isConfirmed ? "confirmed" : "review"), verdict = \(verdict),
                reasons = \(reasons), doubts = \(doubts), store_id = \(store),
                -- A shop that was cleared is no person's word for another one.
                printed_store = (printed_store || jsonb_build_object('name', \(draft.store)::text)
                    || CASE WHEN \(draft.store != current.draft.store)
                        THEN jsonb_build_object('typed', true) ELSE '{}' END)
                    - CASE WHEN \(draft.store.isEmpty) THEN 'typed' ELSE '' END,
                purchase_day = \(draft.day), purchase_time = \(draft.time?.stored), total_minor = \(draft.total),
                currency = \(draft.currency), hidden_until = \(draft.hiddenUntil),
                -- Whoever works on the whole does not want its parts back.
                joined = CASE WHEN \(changes.person != nil) THEN joined - 'parts' ELSE joined END,
                confirmed_at = CASE WHEN \(isConfirmed) THEN coalesce(confirmed_at, now()) END,
                discarded_at = CASE WHEN \(confirms) THEN NULL ELSE discarded_at END,
                revision = revision + 1
            WHERE household_id = \(household) AND id = \(id)
            """)
        try await LineWriting.write(draft, of: id, over: current, isConfirmed: isConfirmed, changes)
        if store != current.storeID {
            try await changes.query(LineBinding.forgettingProducts(of: id, outsideTheChainOf: store, household))
        }
        changes.changed(.receipt, id)
        if books, isConfirmed { try await Booking.rebook([id], changes) }
    }
}
