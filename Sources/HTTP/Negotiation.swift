/// Selects a representation by the `Accept-…` fields (RFC 9110 §12.5).
package enum Negotiation {
    /// Returns the available language that the client prefers. A client that prefers `de-AT` gets `de` if `de-at` is
    /// not available.
    ///
    /// - Parameter available: lower-case tags; the first is the default.
    package static func language(_ field: String?, available: [String]) -> String? {
        for wanted in preferences(field) {
            if wanted == "*" { return available.first }
            let primary = wanted.split(separator: "-").first.map(String.init) ?? wanted
            if let match = available.first(where: { $0 == wanted }) ?? available.first(where: { $0 == primary }) {
                return match
            }
        }
        return available.first
    }

    /// The region that the client names with a language: `at` for `de` in `en, de-AT;q=0.8`. Nil if it names none.
    package static func region(_ field: String?, of language: String) -> String? {
        let tags = preferences(field).map { $0.split(separator: "-") }
        guard let tag = tags.first(where: { $0.first.map(String.init) == language }) else { return nil }
        return tag.dropFirst().first { $0.utf8.count == 2 }.map(String.init)
    }

    /// Whether gzip is accepted: named, or covered by `*`, with a weight above zero.
    package static func acceptsGzip(_ headers: Headers) -> Bool {
        guard let field = headers.list(.acceptEncoding) else { return false }
        var any = false
        for (name, weight) in weights(field) {
            if name == "gzip" || name == "x-gzip" { return weight > 0 }
            if name == "*" { any = weight > 0 }
        }
        return any
    }

    /// Returns the available media type that the client prefers; nil if none is acceptable.
    ///
    /// - Parameter available: media types such as `text/html`; the first is the default.
    package static func mediaType(_ field: String?, available: [String]) -> String? {
        guard let field else { return available.first }
        for wanted in preferences(field) {
            if wanted == "*/*" { return available.first }
            let range = wanted.hasSuffix("/*") ? wanted.dropLast() : wanted[...]
            if let match = available.first(where: { range.hasSuffix("/") ? $0.hasPrefix(range) : $0 == range }) {
                return match
            }
        }
        return nil
    }

    /// Returns the names in a field by descending weight, without names of weight zero.
    private static func preferences(_ field: String?) -> [String] {
        let acceptedWeights = weights(field ?? "").filter { $0.weight > 0 }
        // Equal weights keep the client's order.
        return acceptedWeights.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element.name)
    }

    /// Returns the first 32 names in a field, in lower case, with their weights in thousandths.
    private static func weights(_ field: String) -> [(name: String, weight: Int)] {
        field.split(separator: ",", maxSplits: 32).prefix(32).compactMap { element in
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let name = parts.first, !name.isEmpty else { return nil }
            guard let weight = parts.first(where: { $0.hasPrefix("q=") })?.dropFirst(2) else { return (name, 1000) }
            return (name, thousandths(weight))
        }
    }

    /// Parses a weight: `0.85` is 850. An invalid weight is 0.
    private static func thousandths(_ text: Substring) -> Int {
        let digits = Array(text.utf8)
        guard let first = digits.first, first == 48 || first == 49 else { return 0 }
        guard digits.count > 1 else { return first == 49 ? 1000 : 0 }
        let fraction = digits[2...]
        guard digits[1] == UInt8(ascii: "."), fraction.count <= 3, fraction.allSatisfy(ASCII.isDigit) else { return 0 }
        if first == 49 { return 1000 }
        let number = fraction.reduce(0) { $0 * 10 + Int($1 - 48) }
        return [1000, 100, 10, 1][fraction.count] * number
    }
}
