import HTTP

extension FormFields {
    /// The revision of the document that the form's page showed.
    ///
    /// - Throws: `Refusal.badRequest` when the field is missing or is not a positive whole number.
    func revision() throws -> Int64 {
        guard let text = self["revision"], text.utf8.allSatisfy({ (48...57).contains($0) }),
            let revision = Int64(text), revision > 0
        else { throw Refusal.badRequest }
        return revision
    }

    /// The same for a document that may not be stored yet; 0 then.
    func revisionOrZero() throws -> Int64 { self["revision"] == "0" ? 0 : try revision() }

    /// The same for requests that may come without one, such as the undo button after an action; nil without the field.
    ///
    /// - Throws: `Refusal.badRequest` when the field is there and malformed.
    func optionalRevision() throws -> Int64? { self["revision"] == nil ? nil : try revision() }
}
