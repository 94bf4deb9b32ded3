extension Conflict.Change {
    /// A field that both the form and another request changed.
    ///
    /// - Parameters:
    ///   - line: the key of the line; empty for a field of the head.
    ///   - value: the form's value, which was not stored.
    static func changed(_ field: ReviewField, of line: String = "", to value: String) -> Self {
        Self(part: line, name: nil, cause: .changed, entries: [.init(field: field.rawValue, value: value)])
    }

    /// A line of the form that no longer belongs to this receipt. The entries of the change are the fields that the
    /// form changed; for a new line, only the amount.
    ///
    /// - Parameter before: the line as the form's page showed it; nil for a new line.
    static func gone(_ mine: ReviewDraft.Line, since before: ReviewDraft.Line?) -> Self {
        let fields = ReviewField.line.filter { field in
            guard let before else { return field == .total }
            return mine[field] != before[field]
        }
        return Self(
            part: mine.key, name: before?.name ?? mine.name, cause: .gone,
            entries: fields.map { .init(field: $0.rawValue, value: mine[$0]) })
    }
}

extension Conflict {
    /// A conflict for a form that was not stored at all.
    ///
    /// - Parameters:
    ///   - mine: the values of the form.
    ///   - base: the values that the page of the form showed.
    init(nothingStoredOf mine: ReviewDraft, since base: ReviewDraft) {
        let head = ReviewField.head.filter { mine[head: $0] != base[head: $0] }
            .map { Entry(field: $0.rawValue, value: mine[head: $0]) }
        let before = base.linesByKey()
        let formLines = mine.linesByKey()
        changes = head.isEmpty ? [] : [Change(part: "", name: nil, cause: .gone, entries: head)]
        changes += mine.lines.filter { before[$0.key] != $0 }.map { .gone($0, since: before[$0.key]) }
        changes += base.lines.filter { formLines[$0.key] == nil }
            .map { Change(part: $0.key, name: $0.name, cause: .gone, entries: []) }
    }
}
