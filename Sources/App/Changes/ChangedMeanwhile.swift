import HTTP

/// Somebody else changed a document since the page with the form was shown; nothing was done yet.
struct ChangedMeanwhile: Error {}

extension FormFields {
    /// The revision of the document that the form's page showed; nothing where the form sends none.
    ///
    /// - Throws: `Refusal.badRequest`.
    func revision() throws -> Int64? {
        guard let text = self["revision"], !text.isEmpty else { return nil }
        guard let revision = Int64(text) else { throw Refusal.badRequest }
        return revision
    }
}
