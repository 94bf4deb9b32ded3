import Domain
import JSON

/// What people corrected on the parts of a receipt, done again on the whole as it was read.
struct CarriedCorrections: Sendable {
    /// One part: as it was read, and as a person left it.
    struct Step: Sendable {
        let before: ReviewDraft
        let after: ReviewDraft

        /// - Parameter json: two documents of the change log, each with the store's name as `store_name`.
        init(_ json: JSONValue) throws {
            func draft(_ name: String) throws -> ReviewDraft {
                let body = json[name] ?? .null
                return try ReviewDraft(logged: body, storeName: body["store_name"]?.string)
            }
            (before, after) = (try draft("before"), try draft("after"))
        }

        init(before: ReviewDraft, after: ReviewDraft) { (self.before, self.after) = (before, after) }

        /// Lines were changed, added or deleted.
        var hasLines: Bool { before.linesByKey() != after.linesByKey() }

        /// Fields of the head that a person changed.
        var head: [ReviewDraft.HeadField] {
            CarriedCorrections.head.filter { before[head: $0] != after[head: $0] }
        }
    }

    /// Until when a gift is hidden, joining itself decides.
    private static let head = ReviewDraft.HeadField.allCases.filter { $0 != .hiddenUntil }

    private(set) var draft: ReviewDraft
    /// Names of corrected lines that are not found on the whole.
    private(set) var lost: [String] = []
    /// Lines of `draft` that stand for a line of the part at hand.
    private var taken: Set<String> = []

    /// - Parameter read: the whole as it was read.
    init(_ steps: [Step], on read: ReviewDraft) {
        draft = read
        for step in steps { apply(step) }
    }

    /// Whether not all of this is sure to be kept: lines have to be found again, and of two totals only one can stand.
    static func mayBeLost(_ steps: [Step]) -> Bool {
        if steps.contains(where: \.hasLines) { return true }
        return head.contains { field in
            Set(steps.filter { $0.head.contains(field) }.map { $0.after[head: field] }).count > 1
        }
    }

    private mutating func apply(_ step: Step) {
        for field in step.head { draft.take(head: field, from: step.after) }
        taken = []
        let after = step.after.linesByKey()
        // What nobody touched takes its line first: of two alike the other one is the one that was corrected.
        var places: [String: String] = [:]
        for line in step.before.lines where after[line.key] == line {
            if let same = same(line) { places[line.key] = take(same) }
        }
        for line in step.before.lines {
            guard let corrected = after[line.key] else {
                if let same = same(line) { draft.lines.removeAll { $0.key == same } }
                continue
            }
            guard corrected != line else { continue }
            if let key = find(line, or: corrected) {
                places[line.key] = take(key)
                correct(key, line, corrected)
            } else {
                lost.append(corrected.name)
            }
        }
        let known = step.before.linesByKey()
        var above: String?
        for line in step.after.lines {
            if known[line.key] == nil { places[line.key] = add(line, below: above) }
            above = places[line.key] ?? above
        }
    }

    private mutating func take(_ key: String) -> String {
        taken.insert(key)
        return key
    }

    private mutating func correct(_ key: String, _ before: ReviewDraft.Line, _ after: ReviewDraft.Line) {
        guard let index = draft.lines.firstIndex(where: { $0.key == key }) else { return }
        for field in ReviewDraft.Field.allCases where before[field] != after[field] {
            draft.lines[index].take(field, from: after)
        }
    }

    /// A line that a person added; where parts overlap it may be there already.
    private mutating func add(_ line: ReviewDraft.Line, below above: String?) -> String {
        if let same = same(line) { return take(same) }
        var new = line
        new.key = "carried-\(line.key)"
        let index = above.flatMap { key in draft.lines.firstIndex { $0.key == key } }
        draft.lines.insert(new, at: index.map { $0 + 1 } ?? draft.lines.endIndex)
        return take(new.key)
    }

    // MARK: Finding a line again

    private var free: [ReviewDraft.Line] { draft.lines.filter { !taken.contains($0.key) } }

    /// The same name and amount.
    private func same(_ line: ReviewDraft.Line) -> String? {
        free.first { $0.total == line.total && Self.isAlike($0, line) }?.key
    }

    /// As it was read before, or right at once; else the only one of that name, or the only one of that amount.
    private func find(_ line: ReviewDraft.Line, or corrected: ReviewDraft.Line) -> String? {
        if let same = same(line) ?? same(corrected) { return same }
        let named = free.filter { Self.isAlike($0, line) || Self.isAlike($0, corrected) }
        if named.count == 1 { return named[0].key }
        guard named.isEmpty else { return nil }
        let priced = free.filter { $0.kind == line.kind && $0.total == line.total }
        return priced.count == 1 ? priced[0].key : nil
    }

    private static func isAlike(_ left: ReviewDraft.Line, _ right: ReviewDraft.Line) -> Bool {
        AliasKey(printed: left.name)?.text ?? left.name == AliasKey(printed: right.name)?.text ?? right.name
    }
}
