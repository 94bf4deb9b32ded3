import Crypto
import Domain
import JSON

/// Assigns new identifiers to the rows of a household that is restored into an installation with other households.
///
/// The new identifier of a row is computed from the old one and a secret key, so no table of old and new identifiers is
/// needed. The first 96 bits stay the same, because rows are ordered by them; the other 32 bits are taken from the HMAC
/// of the old identifier. The new identifiers of households and people are set explicitly.
package struct IdentifierMapping: Sendable {
    private let key: SecretKey
    private var explicitIdentifiers: [Identifier<Void>: Identifier<Void>] = [
        Identifier(high: 0, low: 0): Identifier(high: 0, low: 0)
    ]
    /// Names of JSON members with free text. Their values are not mapped, even if they look like identifiers.
    private static let texts: Set<String> = [
        "name", "note", "printed_name", "street", "town", "chain", "alias_key", "store_name", "title", "text",
    ]

    package init(key: SecretKey) { self.key = key }

    /// The explicit new identifier of a household or person; nil if none was set.
    package subscript(old: Identifier<Void>) -> Identifier<Void>? {
        get { explicitIdentifiers[old] }
        set { explicitIdentifiers[old] = newValue }
    }

    /// Returns the new identifier of a row.
    package func new(_ old: Identifier<Void>) -> Identifier<Void> {
        if let new = explicitIdentifiers[old] { return new }
        let code = key.authenticationCode(old.bytes)
        let last = code.prefix(4).reduce(0) { $0 << 8 | UInt64($1) }
        return Identifier(high: old.high, low: (old.low & ~0xFFFF_FFFF) | last)
    }

    /// Maps every string in a JSON document that is an identifier.
    package func mapped(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(mapped(text) ?? text)
        case .array(let elements): .array(elements.map(mapped))
        case .object(let object): .object(mapped(object))
        case .null, .bool, .number: value
        }
    }

    private func mapped(_ object: JSONObject) -> JSONObject {
        var mapped = object
        for member in object where !Self.texts.contains(member.name) || member.value.string == nil {
            mapped[member.name] = self.mapped(member.value)
        }
        return mapped
    }

    /// Maps an identifier in lower case, alone or after its type (`store:0192f0c1-…`). Returns nil for other texts.
    package func mapped(_ text: String) -> String? {
        if text.utf8.count > 37, let colon = text.firstIndex(of: ":") {
            let start = text.index(after: colon)
            return mapped(String(text[start...])).map { text[..<start] + $0 }
        }
        guard text.utf8.count == 36, let old = Identifier<Void>(text), old.description == text else { return nil }
        return new(old).description
    }
}
