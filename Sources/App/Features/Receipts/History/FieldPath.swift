import JSON

/// The path of a field in a receipt's document: `total_minor`, `lines/<id>/name`, `lines/<id>/deleted`. It names the
/// field of a value that a merge did not keep.
struct FieldPath: Sendable {
    /// The line's identifier; nil for a field of the head.
    let line: String?
    let name: String

    init(_ field: String) {
        let parts = field.split(separator: "/", maxSplits: 2).map(String.init)
        (line, name) = parts.count == 3 && parts[0] == "lines" ? (parts[1], parts[2]) : (nil, field)
    }

    /// Returns null when the document has no such field.
    func value(in body: JSONObject) -> JSONValue {
        guard let line else { return body[name] ?? .null }
        return body["lines"]?.array?.first { $0["id"]?.string == line }?[name] ?? .null
    }
}
