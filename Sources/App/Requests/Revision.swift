import HTTP

extension FormFields {
    /// Reads the revision of the document that the form's page showed.
    ///
    /// - Throws: `Refusal.badRequest` if the field is missing or not a positive whole number.
    func revision() throws -> Int64 {
        guard let text = self["revision"], text.utf8.allSatisfy({ (48...57).contains($0) }),
            let revision = Int64(text), revision > 0
        else { throw Refusal.badRequest }
        return revision
    }

    /// Like `revision`, but for a document that may be new: 0 means a document that is not stored yet.
    func revisionOrZero() throws -> Int64 { self["revision"] == "0" ? 0 : try revision() }

    /// Like `revision`, but for requests that may lack it, such as an undo button after an action. Returns nil without
    /// the field.
    ///
    /// - Throws: `Refusal.badRequest` if the field is malformed.
    func optionalRevision() throws -> Int64? { self["revision"] == nil ? nil : try revision() }
}
