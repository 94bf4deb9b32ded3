/// A statement, or a part of one, with its bound values.
///
/// `"SELECT name FROM product WHERE household_id = \(household)"` becomes `… = $1` with one value. The text is a static
/// string, so no text made at run time can become SQL. Statements are composed of parts by interpolation:
///
///     let order: SQL = newest ? "day DESC" : "name"
///     let statement: SQL = "SELECT name FROM product ORDER BY \(order)"
package struct SQL: Sendable {
    /// The text with placeholders `$1`, `$2`, ….
    package private(set) var text: String
    /// The bound values in the order of their placeholders.
    package private(set) var parameters = Parameters()
    /// Positions of the placeholders in `text`, in bytes of UTF-8, for renumbering them in a combined statement.
    private var slots: [Int] = []

    /// Creates a statement from text made at run time, for migrations and tests. The text must not contain user input.
    package init(uncheckedText text: String) {
        self.text = text
    }

    /// Appends another part and renumbers its placeholders.
    package mutating func append(_ other: SQL) {
        guard !other.slots.isEmpty else {
            text += other.text
            return
        }
        let bytes = other.text.utf8
        var position = bytes.startIndex
        for (number, slot) in other.slots.enumerated() {
            let index = bytes.index(bytes.startIndex, offsetBy: slot)
            text += other.text[position..<index]
            appendPlaceholder(parameters.count + number + 1)
            position = bytes.index(index, offsetBy: 1 + String(number + 1).utf8.count)
        }
        text += other.text[position...]
        parameters.append(other.parameters)
    }

    /// Concatenates two parts.
    package static func + (left: SQL, right: SQL) -> SQL {
        var result = left
        result.append(right)
        return result
    }

    /// The object identifiers of the types of the bound values; 0 means that PostgreSQL infers the type.
    package var parameterTypes: [UInt32] { parameters.entries.map { $0.type.oid } }

    private mutating func appendPlaceholder(_ number: Int) {
        slots.append(text.utf8.count)
        text += "$"
        text += String(number)
    }

    fileprivate mutating func bind(_ value: some PostgresValue) {
        appendPlaceholder(parameters.count + 1)
        parameters.bind(value)
    }

    fileprivate mutating func append(literal: StaticString) {
        literal.withUTF8Buffer { text += String(decoding: $0, as: UTF8.self) }
    }

    fileprivate init(literalCapacity: Int, interpolationCount: Int) {
        text = ""
        text.reserveCapacity(literalCapacity + interpolationCount * 3)
        slots.reserveCapacity(interpolationCount)
        parameters.reserve(interpolationCount)
    }
}

extension SQL: ExpressibleByStringInterpolation {
    package init(stringLiteral value: StaticString) {
        self.init(literalCapacity: value.utf8CodeUnitCount, interpolationCount: 0)
        append(literal: value)
    }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

    /// Builds SQL from string literals: literal text stays text, interpolated values are bound.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql: SQL

        package init(literalCapacity: Int, interpolationCount: Int) {
            sql = SQL(literalCapacity: literalCapacity, interpolationCount: interpolationCount)
        }

        package mutating func appendLiteral(_ literal: StaticString) { sql.append(literal: literal) }

        /// Binds a value.
        package mutating func appendInterpolation(_ value: some PostgresValue) { sql.bind(value) }

        /// Binds a value or NULL. A separate overload avoids the compiler's warning about interpolated optionals.
        package mutating func appendInterpolation<Value: PostgresValue>(_ value: Value?) { sql.bind(value) }

        /// Inserts another part with its values.
        package mutating func appendInterpolation(_ part: SQL) { sql.append(part) }
    }
}

extension Sequence<SQL> {
    /// Inserts parts with a separator between them, such as conditions with `" AND "`.
    package func joined(separator: SQL) -> SQL {
        var result: SQL = ""
        var isFirst = true
        for part in self {
            if !isFirst { result.append(separator) }
            isFirst = false
            result.append(part)
        }
        return result
    }
}

extension SQL: CustomStringConvertible {
    /// The text with placeholders, without values.
    package var description: String { text }
}
