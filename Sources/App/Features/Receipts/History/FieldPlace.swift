import JSON

/// Where a field that lost a merge is in a document: `total_minor`, `lines/<id>/name`, `lines/<id>/deleted`.
struct FieldPlace: Sendable {
    /// Nil for a field of the head.
    let line: String?
    let name: String

    init(_ field: String) {
        let parts = field.split(separator: "/", maxSplits: 2).map(String.init)
        (line, name) = parts.count == 3 && parts[0] == "lines" ? (parts[1], parts[2]) : (nil, field)
    }

    /// Null where the document has no such field.
    func value(in body: JSONObject) -> JSONValue {
        guard let line else { return body[name] ?? .null }
        return body["lines"]?.array?.first { $0["id"]?.string == line }?[name] ?? .null
    }
}
