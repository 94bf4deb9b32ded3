import Domain
import JSON

@testable import App

/// Checks values against the keywords of JSON Schema that the OpenAPI document uses. An unknown keyword is a violation,
/// so that no keyword is ignored by mistake.
struct JSONSchema {
    let document: JSONValue

    private static let ignoredKeywords: Set<String> = ["description", "example", "default", "$ref"]

    /// Returns the violations of a value, each with its path in the value.
    func violations(of value: JSONValue, _ schema: JSONValue, at place: String = "") -> [String] {
        let schema = schema.resolved(in: document)
        guard let rules = schema.object else { return ["\(place): no schema"] }
        return rules.flatMap { rule in check(value, rule.name, rule.value, schema, place) }
    }

    private func check(
        _ value: JSONValue, _ rule: String, _ expected: JSONValue, _ schema: JSONValue, _ place: String
    ) -> [String] {
        func require(_ isMet: Bool) -> [String] { isMet ? [] : ["\(place): \(rule) \(expected) not met by \(value)"] }
        switch rule {
        case _ where Self.ignoredKeywords.contains(rule): return []
        case "type":
            let types = expected.array?.compactMap(\.string) ?? [expected.string].compactMap { $0 }
            return require(types.contains { Self.has(value, type: $0) })
        case "enum": return require(expected.array?.contains(value) == true)
        case "anyOf":
            return require((expected.array ?? []).contains { violations(of: value, $0, at: place).isEmpty })
        case "properties":
            return (expected.object?.members ?? []).flatMap { member in
                value[member.name].map { violations(of: $0, member.value, at: "\(place)/\(member.name)") } ?? []
            }
        case "required":
            guard value.object != nil else { return [] }
            return require((expected.array ?? []).compactMap(\.string).allSatisfy { value[$0] != nil })
        case "additionalProperties":
            let knownNames = Set(schema["properties"]?.object?.names ?? [])
            return require((value.object?.names ?? []).allSatisfy { knownNames.contains($0) })
        case "items":
            return (value.array ?? []).enumerated().flatMap { index, element in
                violations(of: element, expected, at: "\(place)/\(index)")
            }
        case "minItems": return require(value.array.map { $0.count >= expected.integer ?? 0 } ?? true)
        case "maxItems": return require(value.array.map { $0.count <= expected.integer ?? 0 } ?? true)
        case "uniqueItems": return require(value.array.map { Set($0).count == $0.count } ?? true)
        case "minimum": return require(value.integer.map { $0 >= expected.integer ?? 0 } ?? true)
        case "maximum": return require(value.integer.map { $0 <= expected.integer ?? 0 } ?? true)
        case "minLength": return require(value.string.map { $0.unicodeScalars.count >= expected.integer ?? 0 } ?? true)
        case "maxLength": return require(value.string.map { $0.unicodeScalars.count <= expected.integer ?? 0 } ?? true)
        case "format": return require(value.string.map { Self.has($0, format: expected.string ?? "") } ?? true)
        default: return ["\(place): unknown rule \(rule)"]
        }
    }

    private static func has(_ value: JSONValue, type: String) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object): true
        case ("integer", .number): value.integer != nil
        case ("number", .number): true
        default: false
        }
    }

    private static func has(_ text: String, format: String) -> Bool {
        switch format {
        case "uuid": OperationID(text) != nil
        case "date": LocalDate(parsing: text)?.iso == text
        case "date-time": text.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/#) != nil
        case "uri-reference": text.hasPrefix("/")
        default: false
        }
    }
}
