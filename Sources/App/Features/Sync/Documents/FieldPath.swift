import JSON

/// The path of a field in a document: `total_minor`, `lines/<id>/name`, `lines/<id>/deleted`. Used for fields whose
/// values were discarded in a merge.
struct FieldPath: Sendable, Hashable {
    /// The list element that has the field; nil for a field of the document itself.
    let part: Part?
    let name: String

    struct Part: Sendable, Hashable {
        /// The name of the list.
        let list: String
        /// The field that identifies the element, and its value.
        let key: String
        let value: String
    }

    init(_ field: String, of schema: DocumentSchema) {
        let pieces = field.split(separator: "/", maxSplits: 2).map(String.init)
        guard pieces.count == 3, case .parts(let key, _, _)? = schema.field(pieces[0])?.shape else {
            (part, name) = (nil, field)
            return
        }
        (part, name) = (Part(list: pieces[0], key: key, value: pieces[1]), pieces[2])
    }

    /// The identifier of a receipt's line; nil for a field of the head.
    var line: String? { part?.list == "lines" ? part?.value : nil }

    /// Returns the field's schema; nil for an unknown field and for `deleted`.
    func field(of schema: DocumentSchema) -> DocumentField? {
        guard let part else { return schema.field(name) }
        guard case .parts(_, let fields, _)? = schema.field(part.list)?.shape else { return nil }
        return fields.first { $0.name == name }
    }

    /// Returns the field's value; null if the document has no such field.
    func value(in body: JSONObject) -> JSONValue {
        guard let part else { return body[name] ?? .null }
        return body[part.list]?.array?.first { $0[part.key]?.string == part.value }?[name] ?? .null
    }

    /// Returns the document with `value` in the field, or without the list element if the field is `deleted`. Nil if
    /// the list element no longer exists.
    func setting(_ value: JSONValue, in body: JSONObject) -> JSONObject? {
        var result = body
        guard let part else {
            result[name] = value
            return result
        }
        var list = body[part.list]?.array ?? []
        guard let index = list.firstIndex(where: { $0[part.key]?.string == part.value }),
            var object = list[index].object
        else { return nil }
        if name == "deleted" {
            list.remove(at: index)
        } else {
            object[name] = value
            list[index] = .object(object)
        }
        result[part.list] = .array(list)
        return result
    }
}
