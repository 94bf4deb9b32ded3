import Domain

/// Applies people's corrections to a joined receipt after it was read as a whole. The parts are the receipts, usually
/// one photo each, that people corrected before they joined them.
struct CarriedCorrections: Sendable {
    private(set) var draft: ReviewDraft
    /// Names of corrected lines that were not found on the joined receipt.
    private(set) var lost: [String] = []
    /// Keys of lines of `draft` that were already found for a line of the current part.
    private var foundForPart: Set<String> = []
    /// Keys of lines of `draft` that were found for a line of any part of the current join.
    private var foundForJoin: Set<String> = []

    /// - Parameters:
    ///   - corrected: the parts with their corrections, of this join and of earlier joins.
    ///   - read: the joined receipt as it was read.
    init(_ corrected: [CorrectedPart], on read: ReviewDraft) {
        draft = read
        // Earlier joins come first, because their corrections are older.
        for join in Set(corrected.map(\.join)).sorted() {
            let parts = corrected.filter { $0.join == join }
            foundForJoin = []
            var deleted: [ReviewDraft.Line] = []
            for part in parts { deleted += apply(part) }
            // Photos can overlap. People then delete a line from one part that the other part has, too. So a deleted
            // line is removed only if no part of the join contains it.
            for line in deleted {
                guard
                    let copy = draft.lines.firstIndex(where: {
                        !foundForJoin.contains($0.key) && Self.isSame($0, line)
                    })
                else { continue }
                draft.lines.remove(at: copy)
            }
        }
        for part in corrected {
            for field in part.changedHeadFields
            where field != .total || !part.totalIsSum || part.after.total == draft.sum {
                draft.take(head: field, from: part.after)
            }
        }
    }

    /// Whether corrections may be lost: a corrected line may be missing in the joined receipt, or two parts have
    /// different corrections of one field, of which only one can be kept.
    static func mayBeLost(_ corrected: [CorrectedPart]) -> Bool {
        if corrected.contains(where: \.hasLines) { return true }
        return CorrectedPart.headFields.contains { field in
            Set(corrected.filter { $0.changedHeadFields.contains(field) }.map { $0.after[head: field] }).count > 1
        }
    }

    /// Applies the changed and added lines of one part.
    ///
    /// - Returns: lines that a person deleted from the part.
    private mutating func apply(_ part: CorrectedPart) -> [ReviewDraft.Line] {
        foundForPart = []
        let after = part.after.linesByKey()
        // Matches unchanged lines first, so that a corrected line with the same name and amount does not take the match
        // of an unchanged line.
        var matches: [String: String] = [:]
        for line in part.before.lines where after[line.key] == line {
            if let same = keyOfSameLine(line) { matches[line.key] = markFound(same) }
        }
        var deleted: [ReviewDraft.Line] = []
        for line in part.before.lines {
            guard let corrected = after[line.key] else {
                // Other corrections must not be matched to this line.
                if let same = keyOfSameLine(line) { foundForPart.insert(same) }
                deleted.append(line)
                continue
            }
            guard corrected != line else { continue }
            if let key = find(line, or: corrected) {
                matches[line.key] = markFound(key)
                correct(key, line, corrected)
            } else {
                lost.append(corrected.name)
            }
        }
        let known = part.before.linesByKey()
        var above: String?
        for line in part.after.lines {
            if known[line.key] == nil { matches[line.key] = add(line, below: above) }
            above = matches[line.key] ?? above
        }
        return deleted
    }

    /// Marks a line of `draft` as found, so that it is not used for another line. Returns its key.
    private mutating func markFound(_ key: String) -> String {
        foundForPart.insert(key)
        foundForJoin.insert(key)
        return key
    }

    /// Copies the fields that a person changed to a line of `draft`.
    private mutating func correct(_ key: String, _ before: ReviewDraft.Line, _ after: ReviewDraft.Line) {
        guard let index = draft.lines.firstIndex(where: { $0.key == key }) else { return }
        for field in ReviewField.line where before[field] != after[field] {
            draft.lines[index].take(field, from: after)
        }
    }

    /// Adds a line that a person added to a part. The receipt may already contain the line from an overlapping photo.
    private mutating func add(_ line: ReviewDraft.Line, below above: String?) -> String {
        if let same = keyOfSameLine(line) { return markFound(same) }
        var new = line
        new.key = "carried-\(line.key)"
        let index = above.flatMap { key in draft.lines.firstIndex { $0.key == key } }
        draft.lines.insert(new, at: index.map { $0 + 1 } ?? draft.lines.endIndex)
        return markFound(new.key)
    }

    // MARK: Finding a line again

    /// Lines of `draft` that are not yet matched to a line of the current part.
    private var availableLines: [ReviewDraft.Line] { draft.lines.filter { !foundForPart.contains($0.key) } }

    /// The key of an available line with the same name and amount.
    private func keyOfSameLine(_ line: ReviewDraft.Line) -> String? {
        availableLines.first { Self.isSame($0, line) }?.key
    }

    /// Finds a line of `draft` with the name and amount of `line` (as read) or of `corrected`. If there is none, finds
    /// the only line with one of the two names. If no line has such a name, finds the only line with the amount of
    /// `line`.
    private func find(_ line: ReviewDraft.Line, or corrected: ReviewDraft.Line) -> String? {
        if let same = keyOfSameLine(line) ?? keyOfSameLine(corrected) { return same }
        let named = availableLines.filter { Self.isAlike($0, line) || Self.isAlike($0, corrected) }
        if named.count == 1 { return named[0].key }
        guard named.isEmpty else { return nil }
        let priced = availableLines.filter {
            $0.kind == line.kind && $0.total == line.total && !$0.isUnread && !line.isUnread
        }
        return priced.count == 1 ? priced[0].key : nil
    }

    /// Whether both have the same name and amount.
    private static func isSame(_ left: ReviewDraft.Line, _ right: ReviewDraft.Line) -> Bool {
        left.total == right.total && isAlike(left, right)
    }

    /// Whether both have the same name, apart from spelling differences that `AliasKey` ignores.
    private static func isAlike(_ left: ReviewDraft.Line, _ right: ReviewDraft.Line) -> Bool {
        AliasKey(printed: left.name)?.text ?? left.name == AliasKey(printed: right.name)?.text ?? right.name
    }
}
