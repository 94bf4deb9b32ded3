import Domain
import JSON

/// Reads the members of a JSON object strictly. Wrong types, wrong values and unknown names are collected, so that one answer
/// names all of them.
struct JSONFields {
    private let object: JSONObject
    /// The place of the object in the body, such as `lines/0/`.
    private let path: String
    private var known: Set<String> = []
    private(set) var errors: [APIProblem.Field] = []

    init(_ object: JSONObject, path: String = "") { (self.object, self.path) = (object, path) }

    /// Whether the object has the member, also with `null`.
    mutating func has(_ name: String) -> Bool {
        known.insert(name)
        return object[name] != nil
    }

    /// Notes an error of a member.
    mutating func refuse(_ name: String, _ detail: String) {
        errors.append(APIProblem.Field(name: path + name, detail: detail))
    }

    /// The errors of an object inside this one.
    mutating func add(_ errors: [APIProblem.Field]) { self.errors += errors }

    /// The value; nil if it is missing or `null`.
    private mutating func value(_ name: String) -> JSONValue? {
        known.insert(name)
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    /// Text without surrounding white space; nil if it is missing, `null` or refused.
    mutating func text(_ name: String, _ length: ClosedRange<Int>) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string?.trimmed, length.contains(text.length), !text.utf8.contains(0) else {
            refuse(name, "must be text of \(length.lowerBound) to \(length.upperBound) characters")
            return nil
        }
        return text
    }

    /// Text that has to be there.
    mutating func requiredText(_ name: String, _ length: ClosedRange<Int>) -> String {
        guard value(name) != nil else {
            refuse(name, "is required")
            return ""
        }
        return text(name, length) ?? ""
    }

    /// A whole number; nil if it is missing, `null` or refused.
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

    /// One of the raw values of an enumeration.
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

    /// Identifiers; nil if they are missing, `null` or refused.
    mutating func identifiers<Tag>(_ name: String, most: Int) -> [Identifier<Tag>]? {
        guard let value = value(name) else { return nil }
        guard let list = value.array, list.count <= most else {
            refuse(name, "must be a list of at most \(most) identifiers")
            return nil
        }
        let ids = list.compactMap { $0.string.flatMap { Identifier<Tag>($0) } }
        guard ids.count == list.count, Set(ids).count == ids.count else {
            refuse(name, "must be a list of different identifiers")
            return nil
        }
        return ids
    }

    /// A date such as `2026-11-25`.
    mutating func day(_ name: String, _ range: ClosedRange<LocalDate>) -> LocalDate? {
        guard let value = value(name) else { return nil }
        guard let text = value.string, let day = LocalDate(parsing: text), day.iso == text, range.contains(day) else {
            refuse(name, "must be a date from \(range.lowerBound.iso) to \(range.upperBound.iso)")
            return nil
        }
        return day
    }

    /// A time such as `17:04` or `17:04:59`.
    mutating func time(_ name: String) -> LocalTime? {
        guard let value = value(name) else { return nil }
        guard let time = value.string.flatMap({ LocalTime(parsing: $0) }) else {
            refuse(name, "must be a time")
            return nil
        }
        return time
    }

    /// The elements of a list; nil if it is missing, `null` or refused.
    mutating func list(_ name: String, most: Int) -> [JSONValue]? {
        guard let value = value(name) else { return nil }
        guard let list = value.array, list.count <= most else {
            refuse(name, "must be a list of at most \(most) elements")
            return nil
        }
        return list
    }

    /// Refuses JSON members that the operation does not read.
    mutating func refuseUnknown() {
        for name in object.names where !known.contains(name) { refuse(name, "is not known") }
    }

    /// - Throws: `APIProblem` 422 that names all errors.
    mutating func finish() throws {
        refuseUnknown()
        guard errors.isEmpty else { throw APIProblem.invalid(errors) }
    }
}
