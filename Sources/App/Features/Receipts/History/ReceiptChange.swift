import Domain

/// The changes that one entry of the change log made to a receipt.
struct ReceiptChange: Sendable {
    /// Nil for the first entry of the log.
    let before: LoggedVersion?
    let after: LoggedVersion

    /// The title of the entry. The raw value is the last part of its key in the texts: `server.history.<name>`.
    enum Kind: String, Sendable {
        /// `reread`: queued to be read again; `reopened`: no longer confirmed; `matched`: lines were matched with
        /// products; `other`: no change that the page shows.
        case added, read, reread, confirmed, reopened, discarded, restored, changed, matched, other
    }

    var kind: Kind {
        guard let before else { return .added }
        if after.isDiscarded != before.isDiscarded {
            return after.isDiscarded ? .discarded : after.stage != before.stage ? .confirmed : .restored
        }
        switch (before.stage, after.stage) {
        case (.reading, .review): return .read
        case (.review, .reading), (.confirmed, .reading): return .reread
        case (.review, .confirmed), (.reading, .confirmed): return .confirmed
        case (.confirmed, .review): return .reopened
        default: break
        }
        if before.draft != after.draft { return .changed }
        return before.products != after.products ? .matched : .other
    }

    /// Whether the entry can be undone. The first reading cannot be undone, because it added the receipt's content.
    var isReversible: Bool {
        guard let before, after.stage != .reading else { return false }
        if before.stage == .reading, before.draft.lines.isEmpty { return false }
        return before.draft != after.draft || changesStage || before.isDiscarded != after.isDiscarded
    }

    /// Whether a person confirmed the receipt or withdrew the confirmation.
    var changesStage: Bool {
        guard let before else { return false }
        return before.stage != after.stage && before.stage != .reading && after.stage != .reading
    }

    /// Undoes the entry in a newer version, field by field. Fields that a later entry has changed keep their values;
    /// the conflict lists these fields.
    ///
    /// - Parameter moved: keys of lines that now belong to another receipt.
    func undone(in current: ReviewDraft, moved: Set<String> = []) -> (draft: ReviewDraft, conflict: Conflict) {
        guard let before else { return (current, Conflict()) }
        let linesAfter = after.draft.linesByKey()
        var target = before.draft
        let movedLines = target.lines.filter { linesAfter[$0.key] == nil && moved.contains($0.key) }
        target.lines.removeAll { movedLines.contains($0) }
        let merge = ReviewMerge(base: after.draft, mine: target, theirs: current, moved: moved)
        var (draft, conflict) = (merge.merged, merge.conflict)
        conflict.changes += movedLines.map { .gone($0, since: nil) }
        let stored = current.linesByKey()
        for index in draft.lines.indices where stored[draft.lines[index].key] == nil { draft.lines[index].isNew = true }
        return (draft, conflict)
    }
}
