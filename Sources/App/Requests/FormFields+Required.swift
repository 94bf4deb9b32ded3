import HTTP

extension FormFields {
    /// The field's first value without surrounding white space; nil if the field is missing.
    func trimmed(_ name: String) -> String? { self[name]?.trimmed }

    /// Returns a field that our forms always send.
    ///
    /// - Throws: `Refusal.badRequest` if it is missing.
    func required(_ name: String) throws -> String {
        guard let value = self[name] else { throw Refusal.badRequest }
        return value.trimmed
    }
}
