import HTTP

extension FormFields {
    /// The field's first value without surrounding white space; nil if the field is missing. No-break spaces, which
    /// occur in pasted text, become spaces, so that names that look equal are equal.
    func trimmed(_ name: String) -> String? {
        self[name].map { value in String(value.trimmed.map { Self.noBreakSpaces.contains($0) ? " " : $0 }) }
    }

    private static let noBreakSpaces: Set<Character> = ["\u{A0}", "\u{2007}", "\u{202F}"]

    /// Returns a field that our forms always send.
    ///
    /// - Throws: `Refusal.badRequest` if it is missing.
    func required(_ name: String) throws -> String {
        guard let value = self[name] else { throw Refusal.badRequest }
        return value.trimmed
    }
}
