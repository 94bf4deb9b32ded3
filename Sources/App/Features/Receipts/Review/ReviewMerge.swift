import Domain

/// Two people on one receipt: merged by field against what both started from. Where both changed the same field the
/// stored value stays and the other one is told, so that nothing is lost in silence.
struct ReviewMerge: Sendable {
    struct Conflict: Sendable, Equatable {
        /// Empty for the head.
        let line: String
        let field: String
        /// What the person had typed, canonical.
        let mine: String
        /// A line that one deleted and the other changed: it is still there.
        var kept: Kept?
        /// What was typed and is stored nowhere.
        var typed: TypedChange?
    }

    enum Kept: Sendable, Equatable {
        /// Deleted by somebody else and edited here, or the other way round.
        case deletedThere, deletedHere
    }

    private(set) var merged: ReviewDraft
    private(set) var conflicts: [Conflict] = []
    private let base: [String: ReviewDraft.Line]
    private let theirs: [String: ReviewDraft.Line]
    private let moved: Set<String>

    /// - Parameters:
    ///   - base: what the form showed.
    ///   - mine: what the form says now.
    ///   - theirs: what is stored now.
    ///   - moved: keys of lines that another receipt has by now; they do not come back.
    init(base: ReviewDraft, mine: ReviewDraft, theirs: ReviewDraft, moved: Set<String> = []) {
        merged = theirs
        self.moved = moved
        self.base = base.linesByKey()
        self.theirs = theirs.linesByKey()
        for field in ReviewDraft.HeadField.allCases where mine[head: field] != base[head: field] {
            if theirs[head: field] == base[head: field] {
                merged.take(head: field, from: mine)
            } else if theirs[head: field] != mine[head: field] {
                conflicts.append(Conflict(line: "", field: field.rawValue, mine: mine[head: field]))
            }
        }
        var lines: [ReviewDraft.Line] = []
        for line in mine.lines { if let line = merge(line) { lines.append(line) } }
        // Lines that somebody added meanwhile, and lines deleted here but edited there: an edit beats a deletion.
        let kept = Set(mine.lines.lazy.map(\.key))
        for line in theirs.lines where !kept.contains(line.key) {
            let before = self.base[line.key]
            guard before != line else { continue }
            lines.append(line)
            if before != nil {
                conflicts.append(Conflict(line: line.key, field: "line", mine: line.name, kept: .deletedHere))
            }
        }
        merged.lines = lines
    }

    /// Nil when the line is gone on the other side and was not touched here.
    private mutating func merge(_ mine: ReviewDraft.Line) -> ReviewDraft.Line? {
        guard let before = base[mine.key] else {
            // A line of a form that was sent before: what is stored stands, and what differs is told.
            guard let stored = theirs[mine.key] else { return mine }
            for field in ReviewDraft.Field.allCases where mine[field] != stored[field] {
                conflicts.append(Conflict(line: mine.key, field: field.rawValue, mine: mine[field]))
            }
            return stored
        }
        guard var result = theirs[mine.key] else {
            if mine == before { return nil }
            guard !moved.contains(mine.key) else {
                conflicts.append(
                    Conflict(
                        line: mine.key, field: "line", mine: before.name,
                        typed: TypedChange(line: mine, since: before)))
                return nil
            }
            conflicts.append(Conflict(line: mine.key, field: "line", mine: mine.name, kept: .deletedThere))
            return mine
        }
        let stored = result
        for field in ReviewDraft.Field.allCases where mine[field] != before[field] {
            if stored[field] == before[field] {
                result.take(field, from: mine)
            } else if stored[field] != mine[field] {
                conflicts.append(Conflict(line: mine.key, field: field.rawValue, mine: mine[field]))
            }
        }
        return result
    }
}
