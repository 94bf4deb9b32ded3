import Domain

/// Merges a review form, field by field, with changes made since its page was shown. If the form and another request
/// changed the same field, the stored value stays and the conflict contains the typed value.
struct ReviewMerge: Sendable {
    private(set) var merged: ReviewDraft
    private(set) var conflict = Conflict()
    /// The lines of the version that the page showed, by key.
    private let base: [String: ReviewDraft.Line]
    /// The stored lines, by key.
    private let theirs: [String: ReviewDraft.Line]
    private let moved: Set<String>

    /// - Parameters:
    ///   - base: the version that the page showed.
    ///   - mine: the version of the form.
    ///   - theirs: the stored version.
    ///   - moved: keys of lines that belong to another receipt now. They are not restored.
    init(base: ReviewDraft, mine: ReviewDraft, theirs: ReviewDraft, moved: Set<String> = []) {
        merged = theirs
        self.moved = moved
        self.base = base.linesByKey()
        self.theirs = theirs.linesByKey()
        for field in ReviewField.head where mine[head: field] != base[head: field] {
            if theirs[head: field] == base[head: field] {
                merged.take(head: field, from: mine)
            } else if theirs[head: field] != mine[head: field] {
                conflict.changes.append(.changed(field, to: mine[head: field]))
            }
        }
        var lines: [String: ReviewDraft.Line] = [:]
        for line in mine.lines { lines[line.key] = merge(line) }
        // Adds lines that another request added, and lines that the form deleted and another request edited: an edit
        // takes precedence over a deletion.
        let formKeys = Set(mine.lines.lazy.map(\.key))
        for line in theirs.lines where !formKeys.contains(line.key) {
            let before = self.base[line.key]
            guard before != line else { continue }
            lines[line.key] = line
            if before != nil {
                conflict.changes.append(.init(part: line.key, name: line.name, cause: .deletedByForm, entries: []))
            }
        }
        merged.lines = Self.order(base: base, mine: mine, theirs: theirs).compactMap { lines[$0] }
    }

    /// The keys of the lines of both versions: in the order of the form if it moved lines, otherwise in the stored
    /// order. A line that only the other version has is inserted below the line that precedes it in that version.
    private static func order(base: ReviewDraft, mine: ReviewDraft, theirs: ReviewDraft) -> [String] {
        let common = Set(base.lines.map(\.key)).intersection(mine.lines.map(\.key))
        func commonKeys(_ draft: ReviewDraft) -> [String] { draft.lines.map(\.key).filter(common.contains) }
        let movesLines = commonKeys(mine) != commonKeys(base)
        let (first, second) = movesLines ? (mine, theirs) : (theirs, mine)
        var keys = first.lines.map(\.key)
        var known = Set(keys)
        var above: String?
        for line in second.lines {
            if known.insert(line.key).inserted {
                let place = above.flatMap { keys.firstIndex(of: $0) }
                keys.insert(line.key, at: place.map { $0 + 1 } ?? 0)
            }
            above = line.key
        }
        return keys
    }

    /// Returns nil when another request deleted the line and the form did not edit it.
    private mutating func merge(_ mine: ReviewDraft.Line) -> ReviewDraft.Line? {
        guard let before = base[mine.key] else {
            // A new line that is already stored was added by an earlier request with the same form: the stored values
            // stay.
            guard let stored = theirs[mine.key] else { return mine }
            for field in ReviewField.line where mine[field] != stored[field] {
                conflict.changes.append(.changed(field, of: mine.key, to: mine[field]))
            }
            return stored
        }
        guard var result = theirs[mine.key] else {
            if mine == before { return nil }
            guard !moved.contains(mine.key) else {
                conflict.changes.append(.gone(mine, since: before))
                return nil
            }
            conflict.changes.append(.init(part: mine.key, name: mine.name, cause: .deletedByOther, entries: []))
            return mine
        }
        let stored = result
        for field in ReviewField.line where mine[field] != before[field] {
            if stored[field] == before[field] {
                result.take(field, from: mine)
            } else if stored[field] != mine[field] {
                conflict.changes.append(.changed(field, of: mine.key, to: mine[field]))
            }
        }
        return result
    }
}
