import Domain

/// What one entry of the change log changed of a receipt.
struct ReceiptChange: Sendable {
    /// Nil for the first entry of the log.
    let before: LoggedVersion?
    let after: LoggedVersion

    /// The last part of the key of its title: `server.history.<name>`.
    enum Kind: String, Sendable {
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

    /// Whether the entry says anything that can be taken back. The first reading cannot: it added the receipt's content.
    var isReversible: Bool {
        guard let before, after.stage != .reading else { return false }
        if before.stage == .reading, before.draft.lines.isEmpty { return false }
        return before.draft != after.draft || changesStage || before.isDiscarded != after.isDiscarded
    }

    /// Whether a person confirmed the receipt, or took that back.
    var changesStage: Bool {
        guard let before else { return false }
        return before.stage != after.stage && before.stage != .reading && after.stage != .reading
    }

    /// Takes the entry back from a newer version, field by field. What was changed again later stays, and the conflict
    /// lists it.
    ///
    /// - Parameter moved: lines that belong to another receipt now.
    func takenBack(from current: ReviewDraft, moved: Set<String> = []) -> (draft: ReviewDraft, conflict: Conflict) {
        guard let before else { return (current, Conflict()) }
        let kept = after.draft.linesByKey()
        var target = before.draft
        let elsewhere = target.lines.filter { kept[$0.key] == nil && moved.contains($0.key) }
        target.lines.removeAll { elsewhere.contains($0) }
        let merge = ReviewMerge(base: after.draft, mine: target, theirs: current, moved: moved)
        var (draft, conflict) = (merge.merged, merge.conflict)
        conflict.changes += elsewhere.map { .gone($0, since: nil) }
        let stored = current.linesByKey()
        for index in draft.lines.indices where stored[draft.lines[index].key] == nil { draft.lines[index].isNew = true }
        return (draft, conflict)
    }
}
