import HTTP

extension FormFields {
    /// The first value of that name without surrounding white space; nil when the field is missing.
    func trimmed(_ name: String) -> String? { self[name]?.trimmed }

    /// A field that our own forms always send.
    ///
    /// - Throws: `Refusal.badRequest` when it is missing.
    func required(_ name: String) throws -> String {
        guard let value = self[name] else { throw Refusal.badRequest }
        return value.trimmed
    }
}
