/// A statement, or a part of one, with its bound values.
///
/// `"SELECT name FROM product WHERE household_id = \(household)"` becomes `… = $1` with one value. Its texts are static
/// strings, so no text made at run time can get in; parts are joined by interpolating them:
/// `let order: SQL = newest ? "day DESC" : "name"`, `"… ORDER BY \(order)"`.
package struct SQL: Sendable {
    /// With `$1`, `$2`, … where values are bound.
    package private(set) var text: String
    /// In the order of their placeholders.
    package private(set) var parameters = Parameters()
    /// Where placeholders stand in `text`, in UTF-8 bytes, so that parts can be renumbered.
    private var slots: [Int] = []

    /// Text that was made at run time. For migrations and tests; never with anything in it that a person typed.
    package init(uncheckedText text: String) {
        self.text = text
    }

    /// Puts another part after this one, its placeholders numbered on.
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

    /// Both parts in one, nothing between them.
    package static func + (left: SQL, right: SQL) -> SQL {
        var result = left
        result.append(right)
        return result
    }

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

    /// What string literals are turned into: literal text stays text, whatever is interpolated becomes a bound value.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql: SQL

        package init(literalCapacity: Int, interpolationCount: Int) {
            sql = SQL(literalCapacity: literalCapacity, interpolationCount: interpolationCount)
        }

        package mutating func appendLiteral(_ literal: StaticString) { sql.append(literal: literal) }

        /// Binds a value.
        package mutating func appendInterpolation(_ value: some PostgresValue) { sql.bind(value) }

        /// Binds a value or NULL. (An overload of its own: the compiler warns of optionals that may be meant as text.)
        package mutating func appendInterpolation<Value: PostgresValue>(_ value: Value?) { sql.bind(value) }

        /// Puts in another part with its values.
        package mutating func appendInterpolation(_ part: SQL) { sql.append(part) }
    }
}

extension Sequence<SQL> {
    /// Conditions with `" AND "` between them, and the like.
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
    /// The text with its placeholders, without the values.
    package var description: String { text }
}
