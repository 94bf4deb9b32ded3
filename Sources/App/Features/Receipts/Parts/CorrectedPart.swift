import JSON

/// One part of a joined receipt: as read, and with people's corrections.
struct CorrectedPart: Sendable {
    /// The part as read.
    private(set) var before: ReviewDraft
    /// The part with people's corrections.
    let after: ReviewDraft
    /// The sequence number of the join. Parts of a later join can be results of earlier joins.
    let join: Int64
    /// The sequence number of the part's reading in the change log, by which the parts are ordered.
    private let readingNumber: Int64
    /// Whether lines were moved between this part and another part. The corrected total and the total that was read
    /// then belong to different sets of lines.
    private var isSeparated = false

    /// - Parameter json: `join` is the number of the join. `before` and `after` are two documents of the change log,
    ///   with the store's name as `store_name`; `before` also has its sequence number as `seq`.
    init(_ json: JSONValue) throws {
        func draft(_ name: String) throws -> ReviewDraft {
            let body = json[name] ?? .null
            return try ReviewDraft(logged: body, storeName: body["store_name"]?.string)
        }
        (before, after) = (try draft("before"), try draft("after"))
        (join, readingNumber) = (json["join"]?.integer ?? 0, json["before"]?["seq"]?.integer ?? 0)
    }

    init(before: ReviewDraft, after: ReviewDraft, read: Int64 = 0) {
        (self.before, self.after) = (before, after)
        (join, readingNumber) = (0, read)
    }

    /// Whether lines were changed, added or deleted.
    var hasLines: Bool { before.linesByKey() != after.linesByKey() }

    /// The fields of the head that are copied to the joined receipt. The join itself sets `hiddenUntil`.
    static let headFields = ReviewField.head.filter { $0 != .hiddenUntil }

    /// The fields of the head that a person changed.
    var changedHeadFields: [ReviewField] {
        Self.headFields.filter { field in
            guard before[head: field] != after[head: field] else { return false }
            // A total removed from one part does not remove the total printed on another part.
            return field != .total || (after.total != nil && !isSeparated)
        }
    }

    /// Whether the corrected total is the sum of the part's lines. Such a total does not apply to a joined receipt with
    /// more lines.
    var totalIsSum: Bool { after.total == after.sum }

    /// Moves each read line to the part that has the line after the corrections, because separating the parts may have
    /// moved it there. A moved line then does not count as deleted or added, and keeps its corrections from before the
    /// separation.
    static func reassigningLines(of parts: [CorrectedPart]) -> [CorrectedPart] {
        var parts = parts
        for indices in Dictionary(grouping: parts.indices, by: { parts[$0].join }).values {
            reassignLines(of: indices, in: &parts)
        }
        return parts
    }

    private static func reassignLines(of indices: [Int], in parts: inout [CorrectedPart]) {
        var partOfLine: [String: Int] = [:]
        for index in indices {
            for line in parts[index].after.lines { partOfLine[line.key] = index }
        }
        var known: Set<String> = []
        var lines: [Int: [ReviewDraft.Line]] = [:]
        for index in indices.sorted(by: { (parts[$0].readingNumber, $0) < (parts[$1].readingNumber, $1) }) {
            let read = parts[index].before.lines
            // The lines of this part were read as lines of another part, from which it was separated. Lines that
            // only this part has were added by a person.
            guard known.isDisjoint(with: read.lazy.map(\.key)) else {
                parts[index].isSeparated = true
                continue
            }
            for line in read {
                known.insert(line.key)
                let target = partOfLine[line.key] ?? index
                lines[target, default: []].append(line)
                if target != index { (parts[target].isSeparated, parts[index].isSeparated) = (true, true) }
            }
        }
        for index in indices { parts[index].before.lines = lines[index] ?? [] }
    }
}
