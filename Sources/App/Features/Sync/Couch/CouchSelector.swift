import JSON

/// A filter for documents in CouchDB's query language. Supports the operators that filtered replication needs:
/// combination, comparison, lists, existence, type, remainders and prefixes. A dot in a field name separates the levels
/// of nested objects. Regular expressions are not supported, because some of them would take too long.
struct CouchSelector: Sendable {
    private let selector: JSONObject

    /// - Throws: `CouchRefusal` for an unknown operator, or if the selector is not an object or too deeply nested.
    init(_ value: JSONValue?) throws(CouchRefusal) {
        guard let object = value?.object else { throw .badRequest("selector must be an object") }
        selector = object
        try Self.check(.object(object), depth: 0)
    }

    func matches(_ document: JSONValue) -> Bool { Self.matches(document, selector) }

    private static let operators: Set<String> = [
        "$and", "$or", "$nor", "$not", "$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$nin", "$exists", "$all",
        "$size", "$elemMatch", "$allMatch", "$type", "$mod", "$beginsWith",
    ]

    private static func check(_ value: JSONValue, depth: Int) throws(CouchRefusal) {
        guard depth < 20 else { throw .badRequest("selector must have fewer than 20 levels") }
        for entry in value.array ?? [] { try check(entry, depth: depth + 1) }
        for member in value.object ?? JSONObject() {
            if member.name.hasPrefix("$"), !operators.contains(member.name) {
                throw .badRequest("Invalid operator: \(member.name)")
            }
            try check(member.value, depth: depth + 1)
        }
    }

    private static func matches(_ document: JSONValue, _ selector: JSONObject) -> Bool {
        selector.allSatisfy { member in
            let parts = (member.value.array ?? []).compactMap(\.object)
            switch member.name {
            case "$and": return parts.allSatisfy { matches(document, $0) }
            case "$or": return parts.contains { matches(document, $0) }
            case "$nor": return !parts.contains { matches(document, $0) }
            case "$not": return member.value.object.map { !matches(document, $0) } ?? false
            default:
                return matches(field: value(at: member.name, in: document), member.value)
            }
        }
    }

    private static func value(at path: String, in document: JSONValue) -> JSONValue? {
        if let direct = document[path] { return direct }
        var current: JSONValue? = document
        for name in path.split(separator: ".") { current = current?[String(name)] }
        return current
    }

    private static func matches(field: JSONValue?, _ condition: JSONValue) -> Bool {
        guard let object = condition.object, object.names.contains(where: { $0.hasPrefix("$") }) else {
            if let object = condition.object, let field, field.object != nil { return matches(field, object) }
            return field == condition
        }
        return object.allSatisfy { isTrue($0.name, $0.value, field) }
    }

    private static func isTrue(_ name: String, _ operand: JSONValue, _ field: JSONValue?) -> Bool {
        switch name {
        case "$exists": return (field != nil) == (operand.bool ?? true)
        case "$not": return !matches(field: field, operand)
        case "$and": return operand.array?.allSatisfy { matches(field: field, $0) } ?? false
        case "$or": return operand.array?.contains { matches(field: field, $0) } ?? false
        case "$nor": return operand.array.map { !$0.contains { matches(field: field, $0) } } ?? false
        case "$eq": return field == operand
        case "$ne": return field != nil && field != operand
        case "$in":
            return field.map { value in
                operand.array?.contains { $0 == value || value.array?.contains($0) == true } ?? false
            } ?? false
        case "$nin": return field.map { value in !(operand.array?.contains(value) ?? false) } ?? false
        case "$all": return operand.array?.allSatisfy { field?.array?.contains($0) == true } ?? false
        case "$size": return field?.array.map { Int64($0.count) } == operand.integer
        case "$elemMatch": return field?.array?.contains { matches(field: $0, operand) } ?? false
        case "$allMatch":
            return field?.array.map { !$0.isEmpty && $0.allSatisfy { matches(field: $0, operand) } } ?? false
        case "$mod": return isRemainder(field?.integer, operand.array?.map(\.integer) ?? [])
        case "$beginsWith": return starts(field?.string, with: operand.string)
        case "$type": return field.map(typeName) == operand.string
        case "$gt": return order(field, operand).map { $0 > 0 } ?? false
        case "$gte": return order(field, operand).map { $0 >= 0 } ?? false
        case "$lt": return order(field, operand).map { $0 < 0 } ?? false
        case "$lte": return order(field, operand).map { $0 <= 0 } ?? false
        default: return false
        }
    }

    /// - Parameter operand: a list of the divisor and the remainder.
    private static func isRemainder(_ value: Int64?, _ operand: [Int64?]) -> Bool {
        guard operand.count == 2, let value, let divisor = operand[0], let remainder = operand[1], divisor != 0 else {
            return false
        }
        return value.remainderReportingOverflow(dividingBy: divisor).partialValue == remainder
    }

    private static func starts(_ text: String?, with prefix: String?) -> Bool {
        guard let text, let prefix else { return false }
        return text.utf8.starts(with: prefix.utf8)
    }

    private static func typeName(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// Compares two values in CouchDB's order: null, false, true, numbers, strings, arrays, objects. Returns a negative
    /// number if `left` comes first, and a positive number if `right` comes first. Nil if `left` is missing, or if both
    /// are arrays or objects that differ.
    private static func order(_ left: JSONValue?, _ right: JSONValue) -> Int? {
        guard let left else { return nil }
        func rank(_ value: JSONValue) -> Int {
            switch value {
            case .null: 0
            case .bool(let flag): flag ? 2 : 1
            case .number: 3
            case .string: 4
            case .array: 5
            case .object: 6
            }
        }
        if rank(left) != rank(right) { return rank(left) < rank(right) ? -1 : 1 }
        switch (left, right) {
        case (.number(let one), .number(let two)):
            guard let one = Double(one), let two = Double(two) else { return nil }
            return one == two ? 0 : one < two ? -1 : 1
        case (.string(let one), .string(let two)): return one == two ? 0 : one < two ? -1 : 1
        default: return left == right ? 0 : nil
        }
    }
}
