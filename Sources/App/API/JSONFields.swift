import Domain
import JSON

/// Reads the members of a JSON object strictly. Collects wrong types, invalid values and unknown names, so that one
/// response can list them, up to a limit.
struct JSONFields {
    private let object: JSONObject
    /// The path of the object in the body, such as `lines/0/`.
    private let path: String
    /// The names that were read or tested; other members of the object are unknown.
    private var known: Set<String> = []
    private(set) var errors: [APIProblem.Field] = []

    init(_ object: JSONObject, path: String = "") { (self.object, self.path) = (object, path) }

    /// Whether the object has the member, even if it is `null`.
    mutating func has(_ name: String) -> Bool {
        known.insert(name)
        return object[name] != nil
    }

    /// Records an error of a member.
    mutating func refuse(_ name: String, _ detail: String) {
        add([APIProblem.Field(name: path + name, detail: detail)])
    }

    /// Records the errors of a nested object. Keeps one error more than an answer lists, so that the answer can say that
    /// it lists only some.
    mutating func add(_ errors: [APIProblem.Field]) {
        self.errors += errors.prefix(APIProblem.maximumFields + 1 - self.errors.count)
    }

    /// The value of a member; nil if it is missing or `null`.
    private mutating func value(_ name: String) -> JSONValue? {
        known.insert(name)
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    /// Reads text without surrounding white space; nil if it is missing, `null` or invalid.
    mutating func text(_ name: String, _ length: ClosedRange<Int>) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string?.trimmed, length.contains(text.length), !text.utf8.contains(0) else {
            refuse(name, "must be text of \(length.lowerBound) to \(length.upperBound) characters")
            return nil
        }
        return text
    }

    /// Reads required text.
    mutating func requiredText(_ name: String, _ length: ClosedRange<Int>) -> String {
        guard value(name) != nil else {
            refuse(name, "is required")
            return ""
        }
        return text(name, length) ?? ""
    }

    /// Reads a whole number; nil if it is missing, `null` or invalid.
    mutating func integer(_ name: String, _ range: ClosedRange<Int64>) -> Int64? {
        guard let value = value(name) else { return nil }
        guard let number = value.integer, range.contains(number) else {
            refuse(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    mutating func flag(_ name: String) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let flag = value.bool else {
            refuse(name, "must be true or false")
            return nil
        }
        return flag
    }

    /// Reads a raw value of an enumeration.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of: Choice.Type = Choice.self
    ) -> Choice? where Choice.RawValue == String {
        guard let value = value(name) else { return nil }
        guard let choice = value.string.flatMap(Choice.init(rawValue:)) else {
            refuse(name, "must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
            return nil
        }
        return choice
    }

    mutating func identifier<Tag>(_ name: String) -> Identifier<Tag>? {
        guard let value = value(name) else { return nil }
        guard let id = value.string.flatMap({ Identifier<Tag>($0) }) else {
            refuse(name, "must be an identifier")
            return nil
        }
        return id
    }

    /// Reads a list of identifiers; nil if it is missing, `null` or invalid.
    mutating func identifiers<Tag>(_ name: String, maximum: Int) -> [Identifier<Tag>]? {
        guard let value = value(name) else { return nil }
        guard let list = value.array, list.count <= maximum else {
            refuse(name, "must be a list of at most \(maximum) identifiers")
            return nil
        }
        let ids = list.compactMap { $0.string.flatMap { Identifier<Tag>($0) } }
        guard ids.count == list.count, Set(ids).count == ids.count else {
            refuse(name, "must contain only identifiers, each once")
            return nil
        }
        return ids
    }

    /// Reads a date such as `2026-11-25`.
    mutating func day(_ name: String, _ range: ClosedRange<LocalDate>) -> LocalDate? {
        guard let value = value(name) else { return nil }
        guard let text = value.string, let day = LocalDate(parsing: text), day.iso == text, range.contains(day) else {
            refuse(name, "must be a date from \(range.lowerBound.iso) to \(range.upperBound.iso)")
            return nil
        }
        return day
    }

    /// Reads a time such as `17:04` or `17:04:59`.
    mutating func time(_ name: String) -> LocalTime? {
        guard let value = value(name) else { return nil }
        guard let time = value.string.flatMap({ LocalTime(parsing: $0) }) else {
            refuse(name, "must be a time such as 17:04")
            return nil
        }
        return time
    }

    /// Reads the elements of a list; nil if it is missing, `null` or invalid.
    mutating func list(_ name: String, maximum: Int) -> [JSONValue]? {
        guard let value = value(name) else { return nil }
        guard let list = value.array, list.count <= maximum else {
            refuse(name, "must be a list of at most \(maximum) elements")
            return nil
        }
        return list
    }

    /// Records an error for each member that was not read.
    mutating func refuseUnknown() {
        for name in object.names where !known.contains(name) { refuse(name, "is not known") }
    }

    /// - Throws: `APIProblem` 422 with the recorded errors.
    mutating func finish() throws {
        refuseUnknown()
        guard errors.isEmpty else { throw APIProblem.invalid(errors) }
    }
}
