import JSON

/// Merges two versions of a document field by field, using their newest common ancestor.
///
/// If both versions changed a field, the merged document has the winner's value, and the loser's value is reported as
/// lost. A list element that one version changed and the other deleted is kept. Fields whose writer is not `client`
/// keep the winner's value. The lines of a receipt get the order of the version that moved lines; if both versions
/// moved lines, the winner's order.
struct DocumentMerge: Sendable {
    struct LostField: Sendable, Equatable {
        /// The name of a field. For a field of a list element, `<list>/<key>/<field>`, such as `lines/<id>/name`;
        /// `<list>/<key>/deleted` if one version deleted the element and the other changed it.
        let field: String
        let kept: JSONValue
        let lost: JSONValue
    }

    private(set) var merged: JSONObject
    private(set) var lost: [LostField] = []

    /// - Parameters:
    ///   - base: the body of the common ancestor; nil if it is not known. Every field that differs is then a conflict.
    init(_ schema: DocumentSchema, base: JSONObject?, winner: JSONObject, loser: JSONObject) {
        merged = winner
        let result = fields(schema.fields, base: base, winner: winner, loser: loser, path: "")
        merged = result
        guard schema.type == .receipt, let lines = merged["lines"]?.array else { return }
        merged["lines"] = .array(
            Self.ordered(
                lines, base: base?["lines"]?.array ?? [], winner: winner["lines"]?.array ?? [],
                loser: loser["lines"]?.array ?? []))
    }

    /// Returns the lines in the loser's order if only the loser moved lines; otherwise returns `lines`. A line that
    /// only the winner has stays below the line that precedes it in `lines`.
    private static func ordered(
        _ lines: [JSONValue], base: [JSONValue], winner: [JSONValue], loser: [JSONValue]
    ) -> [JSONValue] {
        func keys(_ list: [JSONValue]) -> [String] { list.compactMap { $0["id"]?.string } }
        let common = Set(keys(base)).intersection(keys(winner)).intersection(keys(loser))
        func order(_ list: [JSONValue]) -> [String] { keys(list).filter(common.contains) }
        guard order(winner) == order(base), order(loser) != order(base) else { return lines }
        let byKey = Dictionary(
            lines.compactMap { line in line["id"]?.string.map { ($0, line) } }, uniquingKeysWith: { first, _ in first })
        var result = keys(loser).filter { byKey[$0] != nil }
        var known = Set(result)
        var above: String?
        for key in keys(lines) {
            if known.insert(key).inserted {
                let place = above.flatMap { result.firstIndex(of: $0) }
                result.insert(key, at: place.map { $0 + 1 } ?? 0)
            }
            above = key
        }
        return result.compactMap { byKey[$0] }
    }

    /// Whether the fields that clients write have different values in the two versions.
    static func isEdited(_ schema: DocumentSchema, from old: JSONObject, to new: JSONObject) -> Bool {
        let same = DocumentMerge(schema, base: old, winner: old, loser: old).merged
        return DocumentMerge(schema, base: old, winner: old, loser: new).merged != same
    }

    private mutating func fields(
        _ fields: [DocumentField], base: JSONObject?, winner: JSONObject, loser: JSONObject, path: String
    ) -> JSONObject {
        var result = winner
        var groups: [String: [String]] = [:]
        for field in fields where field.writer == .client {
            if case .parts(let key, let parts, _) = field.shape {
                let list = self.parts(
                    parts, key: key, base: base?[field.name]?.array, winner: winner[field.name]?.array ?? [],
                    loser: loser[field.name]?.array ?? [], path: path + field.name)
                result[field.name] = .array(list)
            } else {
                groups[field.group ?? field.name, default: []].append(field.name)
            }
        }
        let known = Set(fields.map(\.name))
        // A JSON object, because a set of strings would regard composed and decomposed names as equal.
        var unknown = JSONObject()
        for name in winner.names + loser.names where !known.contains(name) && !name.hasPrefix("_") {
            unknown[name] = .null
        }
        let together = Array(groups.values) + unknown.names.map { [$0] }
        for names in together.sorted(by: { $0[0] < $1[0] }) {
            merge(names, base: base, winner: winner, loser: loser, into: &result, path: path)
        }
        return result
    }

    private mutating func merge(
        _ names: [String], base: JSONObject?, winner: JSONObject, loser: JSONObject, into result: inout JSONObject,
        path: String
    ) {
        func values(_ object: JSONObject) -> [JSONValue] { names.map { object[$0] ?? .null } }
        let (kept, other) = (values(winner), values(loser))
        guard kept != other else { return }
        let before = base.map(values)
        if before == other { return }
        if before == kept {
            for name in names { result[name] = loser[name] }
            return
        }
        for (name, (kept, lost)) in zip(names, zip(kept, other)) where kept != lost {
            self.lost.append(LostField(field: path + name, kept: kept, lost: lost))
        }
    }

    private mutating func parts(
        _ fields: [DocumentField], key: String, base: [JSONValue]?, winner: [JSONValue], loser: [JSONValue],
        path: String
    ) -> [JSONValue] {
        func byKey(_ list: [JSONValue]) -> [String: JSONObject] {
            Dictionary(
                list.compactMap { part in part.object.flatMap { object in object[key]?.string.map { ($0, object) } } },
                uniquingKeysWith: { first, _ in first })
        }
        let (before, kept, other) = (byKey(base ?? []), byKey(winner), byKey(loser))
        func isEdited(_ part: JSONObject, _ name: String) -> Bool {
            guard let old = before[name] else { return true }
            let notMerged = Set(fields.lazy.filter { $0.writer != .client }.map(\.name))
            return (part.names + old.names).contains { !notMerged.contains($0) && part[$0] != old[$0] }
        }
        var result: [JSONValue] = []
        for part in winner {
            guard let object = part.object, let name = object[key]?.string else { continue }
            if let theirs = other[name] {
                result.append(
                    .object(
                        self.fields(
                            fields, base: before[name], winner: object, loser: theirs, path: "\(path)/\(name)/")))
            } else if before[name] == nil {
                result.append(part)
            } else if isEdited(object, name) {
                result.append(part)
                lost.append(LostField(field: "\(path)/\(name)/deleted", kept: part, lost: .null))
            }
        }
        // Inserts each element that only the loser has, after the element that precedes it in the loser's list.
        var previous: String?
        for part in loser {
            guard let object = part.object, let name = object[key]?.string else { continue }
            defer { previous = name }
            guard kept[name] == nil, before[name] == nil || isEdited(object, name) else { continue }
            if before[name] != nil { lost.append(LostField(field: "\(path)/\(name)/deleted", kept: part, lost: .null)) }
            let place = previous.flatMap { previous in result.firstIndex { $0[key]?.string == previous } }
            result.insert(part, at: place.map { $0 + 1 } ?? (previous == nil ? 0 : result.count))
        }
        return result
    }
}
