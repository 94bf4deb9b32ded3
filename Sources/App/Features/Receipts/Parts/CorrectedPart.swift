import JSON

/// One part of a joined receipt: as it was read, and as a person left it.
struct CorrectedPart: Sendable {
    private(set) var before: ReviewDraft
    let after: ReviewDraft
    /// The number of the join that it was a part of. Its parts can be results of earlier joins.
    let join: Int64
    /// The number of its reading in the change log, which orders the parts.
    private let read: Int64
    /// Lines were moved between this part and another one, so its corrected total is not that of the part as it was
    /// read.
    private var isSplit = false

    /// - Parameter json: two documents of the change log, each with the store's name as `store_name`, the first with its
    ///   number there as `seq`; and the number of the joining.
    init(_ json: JSONValue) throws {
        func draft(_ name: String) throws -> ReviewDraft {
            let body = json[name] ?? .null
            return try ReviewDraft(logged: body, storeName: body["store_name"]?.string)
        }
        (before, after) = (try draft("before"), try draft("after"))
        (join, read) = (json["join"]?.integer ?? 0, json["before"]?["seq"]?.integer ?? 0)
    }

    init(before: ReviewDraft, after: ReviewDraft, read: Int64 = 0) {
        (self.before, self.after) = (before, after)
        (join, self.read) = (0, read)
    }

    /// Lines were changed, added or deleted.
    var hasLines: Bool { before.linesByKey() != after.linesByKey() }

    /// Fields of the head that are carried over. Joining itself decides until when a gift is hidden.
    static let headFields = ReviewField.head.filter { $0 != .hiddenUntil }

    /// Fields of the head that a person changed.
    var head: [ReviewField] {
        Self.headFields.filter { field in
            guard before[head: field] != after[head: field] else { return false }
            // A removed total does not remove the total that another part prints.
            return field != .total || (after.total != nil && !isSplit)
        }
    }

    /// Its total is only the sum of its lines, which may be incomplete.
    var onlySumsUp: Bool { after.total == after.sum }

    /// The same parts, with each line moved to the part that has it now. So a line that splitting moved counts as
    /// neither deleted nor added, and corrections before the move are kept.
    static func settled(_ parts: [CorrectedPart]) -> [CorrectedPart] {
        var parts = parts
        for members in Dictionary(grouping: parts.indices, by: { parts[$0].join }).values {
            settle(members, of: &parts)
        }
        return parts
    }

    private static func settle(_ members: [Int], of parts: inout [CorrectedPart]) {
        var home: [String: Int] = [:]
        for index in members {
            for line in parts[index].after.lines { home[line.key] = index }
        }
        var known: Set<String> = []
        var lines: [Int: [ReviewDraft.Line]] = [:]
        for index in members.sorted(by: { (parts[$0].read, $0) < (parts[$1].read, $1) }) {
            let read = parts[index].before.lines
            // This part was split off another one of these parts, which has the lines as they were read. Lines that
            // only this part has were added by a person.
            guard known.isDisjoint(with: read.lazy.map(\.key)) else {
                parts[index].isSplit = true
                continue
            }
            for line in read {
                known.insert(line.key)
                let place = home[line.key] ?? index
                lines[place, default: []].append(line)
                if place != index { (parts[place].isSplit, parts[index].isSplit) = (true, true) }
            }
        }
        for index in members { parts[index].before.lines = lines[index] ?? [] }
    }
}
