import Domain

/// What a person typed into a form that could not be merged: told in words, so that it is not lost in silence.
struct TypedChange: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        /// As in conflicts.
        let field: String
        /// Canonical text.
        let value: String
    }

    /// The line's name as it was; nil for the head.
    let name: String?
    /// The fields that are others; none of a line that was deleted.
    let entries: [Entry]

    /// A line of the form; all of it where there was none before.
    init(line mine: ReviewDraft.Line, since before: ReviewDraft.Line?) {
        name = before?.name ?? mine.name
        entries = ReviewDraft.Field.allCases.filter { field in
            guard let before else { return field == .total }
            return mine[field] != before[field]
        }.map { Entry(field: $0.rawValue, value: mine[$0]) }
    }

    private init(name: String?, entries: [Entry]) {
        self.name = name
        self.entries = entries
    }

    /// Everything that a form says otherwise than the receipt that it showed, the head first.
    static func all(in mine: ReviewDraft, since base: ReviewDraft) -> [TypedChange] {
        let head = ReviewDraft.HeadField.allCases.filter { mine[head: $0] != base[head: $0] }
            .map { Entry(field: $0.rawValue, value: mine[head: $0]) }
        let before = base.linesByKey()
        let lines = mine.lines.filter { before[$0.key] != $0 }.map { TypedChange(line: $0, since: before[$0.key]) }
        let kept = mine.linesByKey()
        let deleted = base.lines.filter { kept[$0.key] == nil }.map { TypedChange(name: $0.name, entries: []) }
        return (head.isEmpty ? [] : [TypedChange(name: nil, entries: head)]) + lines + deleted
    }
}
