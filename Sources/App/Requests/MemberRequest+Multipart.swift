import HTTP

extension MemberRequest {
    /// Begins to read a multipart form. The CSRF token is the first part of the form, and is checked before any byte of
    /// a file is stored.
    ///
    /// - Parameter limit: the maximum size of the whole form in bytes.
    /// - Returns: the reader of the parts after the token.
    /// - Throws: `Refusal.foreignForm` without a valid token; `FormError`.
    func multipartForm(limit: Int) async throws -> MultipartReader {
        let reader = try MultipartReader(head, body, limit: limit)
        guard let first = try await reader.nextPart(), first.name == "csrf", first.fileName == nil,
            context.accepts(csrf: try await reader.value(limit: 200))
        else { throw Refusal.foreignForm }
        return reader
    }
}
