import Domain
import JSON

/// An error in a document. The client receives `reason`.
struct DocumentFault: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension DocumentSchema {
    /// Checks the type, the fields that clients may write, the length of names, and that no text contains U+0000.
    /// Ignores fields that only the server writes.
    ///
    /// - Throws: `DocumentFault` for the first violation.
    func check(_ body: JSONObject) throws(DocumentFault) {
        if let stated = body["type"], stated.string != type.rawValue {
            throw DocumentFault("type: must be \(type.rawValue)")
        }
        try Self.check(fields, body, path: "")
        for name in body.names where name.utf8.count > 200 {
            throw DocumentFault("a field name must not exceed 200 bytes")
        }
        guard !Self.hasNUL(.object(body)) else { throw DocumentFault("texts must not contain U+0000") }
    }

    private static func check(_ fields: [DocumentField], _ body: JSONObject, path: String) throws(DocumentFault) {
        for field in fields {
            guard field.writer != .server else { continue }
            let value = body[field.name] ?? .null
            if value == .null {
                guard field.isOptional else { throw DocumentFault("\(path)\(field.name): is required") }
                continue
            }
            try check(value, field.shape, path + field.name)
        }
    }

    private static func check(_ value: JSONValue, _ shape: DocumentField.Shape, _ path: String) throws(DocumentFault) {
        func require(_ isValid: Bool, _ rule: String) throws(DocumentFault) {
            guard isValid else { throw DocumentFault("\(path): \(rule)") }
        }
        switch shape {
        case .text(let minimum, let maximum):
            let length = value.string?.length
            try require(
                length.map { $0 >= minimum && $0 <= maximum } ?? false,
                "must be a text of \(minimum) to \(maximum) characters")
            if minimum > 0 { try require(value.string?.trimmed.isEmpty == false, "must not be blank") }
        case .integer(let range):
            try require(
                value.integer.map(range.contains) ?? false,
                "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        case .bool: try require(value.bool != nil, "must be true or false")
        case .day:
            let day = value.string.flatMap { LocalDate(parsing: $0) }
            try require(day != nil && day?.iso == value.string, "must be a date such as 2026-01-31")
        case .time:
            try require(value.string.flatMap { LocalTime(parsing: $0) } != nil, "must be a time such as 17:05:00")
        case .instant: try require(value.string != nil, "must be a date and time")
        case .choice(let names):
            try require(value.string.map(names.contains) ?? false, "must be one of \(names.joined(separator: ", "))")
        case .reference(let type):
            try require(value.string.flatMap { DocumentKey($0) }?.type == type, "must be \(type.rawValue):<uuid>")
        case .person: try require(Self.person(value) != nil, "must be person:<uuid>")
        case .identifier: try require(value.string.flatMap { Identifier<Void>($0) } != nil, "must be a UUID")
        case .list(let element, let maximum):
            try require(value.array.map { $0.count <= maximum } ?? false, "must be a list of at most \(maximum) values")
            for (index, entry) in (value.array ?? []).enumerated() { try check(entry, element, "\(path)[\(index)]") }
        case .parts(let key, let fields, let maximum):
            try require(
                value.array.map { $0.count <= maximum } ?? false, "must be a list of at most \(maximum) objects")
            var keys: Set<String> = []
            for (index, entry) in (value.array ?? []).enumerated() {
                let place = "\(path)[\(index)]"
                guard let part = entry.object else { throw DocumentFault("\(place): must be an object") }
                try check(fields, part, path: place + ".")
                guard let name = part[key]?.string, keys.insert(name).inserted else {
                    throw DocumentFault("\(place).\(key): occurs twice")
                }
            }
        case .anything: break
        }
    }

    /// Parses `person:<uuid>`.
    static func person(_ value: JSONValue?) -> PersonID? {
        guard let text = value?.string, text.hasPrefix("person:") else { return nil }
        let name = String(text.dropFirst(7))
        return PersonID(name).flatMap { $0.description == name ? $0 : nil }
    }

    private static func hasNUL(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): text.utf8.contains(0)
        case .array(let values): values.contains(where: hasNUL)
        case .object(let object): object.contains { $0.name.utf8.contains(0) || hasNUL($0.value) }
        case .null, .bool, .number: false
        }
    }
}
