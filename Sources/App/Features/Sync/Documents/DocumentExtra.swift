import JSON
import Postgres

/// Unknown fields of a document, for example from a newer client. The server stores and returns them without
/// interpreting them.
struct DocumentExtra: Sendable, Equatable {
    var fields = JSONObject()
    /// Unknown fields of lines, by line identifier.
    var lines = JSONObject()

    init() {}

    /// - Throws: `JSONError`.
    init(stored: PostgresJSON?) throws {
        guard let stored else { return }
        let value = try JSONValue(reading: stored.bytes, limits: SyncLimits.storedDocument)
        fields = value["fields"]?.object ?? JSONObject()
        lines = value["lines"]?.object ?? JSONObject()
    }

    /// Collects the unknown fields of a document and of its lines.
    init(of body: JSONObject, _ schema: DocumentSchema) {
        for name in schema.unknownNames(in: body) { fields[name] = body[name] }
        guard case .parts(let key, let parts, _)? = schema.field("lines")?.shape else { return }
        let known = Set(parts.map(\.name))
        for line in body["lines"]?.array ?? [] {
            guard let object = line.object, let id = object[key]?.string else { continue }
            var unknown = JSONObject()
            for name in object.names where !known.contains(name) { unknown[name] = object[name] }
            if !unknown.isEmpty { lines[id] = .object(unknown) }
        }
    }

    /// Nil if there are no unknown fields.
    var stored: PostgresJSON? {
        guard !fields.isEmpty || !lines.isEmpty else { return nil }
        var object = JSONObject()
        if !fields.isEmpty { object["fields"] = .object(fields) }
        if !lines.isEmpty { object["lines"] = .object(lines) }
        return PostgresJSON(JSONValue.object(object).bytes)
    }
}
