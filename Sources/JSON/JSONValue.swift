/// Any JSON value (RFC 8259). Numbers keep their text, so that amounts of money are never converted to Double.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number exactly as written, checked against the grammar; at most `JSONLimits.numberLength` characters.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The member of that name; nil if there is none or the value is not an object.
    package subscript(key: String) -> JSONValue? {
        if case .object(let object) = self { object[key] } else { nil }
    }

    /// Nil for any other kind of value; there are no conversions.
    package var string: String? { if case .string(let value) = self { value } else { nil } }
    /// Nil for any other kind of value, including 0, 1 and `"true"`.
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// Nil for any other kind of value.
    package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    /// Nil for any other kind of value.
    package var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
    /// True for `null`, not for a missing member.
    package var isNull: Bool { self == .null }

    /// The value of a number that is written without fraction and exponent and fits in 64 bits; nil for `1.0` and
    /// `1e3`.
    package var integer: Int64? { if case .number(let text) = self { Int64(text) } else { nil } }

}

/// The members of a JSON object in their written order; every name occurs once.
package struct JSONObject: Hashable, Sendable, Sequence {
    /// One name with its value.
    package struct Member: Hashable, Sendable {
        /// The name without escapes; may be empty.
        package let name: String
        /// `null` counts as a value.
        package let value: JSONValue

        package static func == (left: Self, right: Self) -> Bool { left.has(right.name) && left.value == right.value }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(MemberName(name))
            hasher.combine(value)
        }

        fileprivate func has(_ name: String) -> Bool { MemberName(self.name) == MemberName(name) }
    }

    /// The members in the order written. Replacing a value does not change the order.
    package private(set) var members: [Member] = []

    package init() {}

    init(checked members: [Member]) { self.members = members }

    /// The names in the order of the members.
    package var names: [String] { members.map(\.name) }
    /// True for `{}`.
    package var isEmpty: Bool { members.isEmpty }

    /// The value of the member of that name. Setting a value replaces the member or appends one; nil removes it.
    package subscript(name: String) -> JSONValue? {
        get { members.first { $0.has(name) }?.value }
        set {
            let index = members.firstIndex { $0.has(name) }
            switch (index, newValue) {
            case (let index?, let value?): members[index] = Member(name: name, value: value)
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    package func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The last value of a repeated name is kept.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .number(String(value)) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(nilLiteral: ()) { self = .null }

    /// The last value of a repeated name is kept.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }

    /// An integer of any size. Other readers may lose digits beyond 53 bits.
    package static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }
}
