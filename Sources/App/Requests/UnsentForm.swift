import HTTP

/// A form that failed because of a temporary error. The error page has a button that sends it again.
struct UnsentForm: Sendable {
    /// The path and the fields of the form.
    let content: KeptForm
    /// The CSRF token of the form's session. The session has not ended, so the token is still valid.
    let token: String

    /// Returns nil if the form has no token, contains a password or is too large.
    init?(path: String, _ form: FormFields) {
        guard let token = form["csrf"], let content = KeptForm(path: path, form) else { return nil }
        (self.content, self.token) = (content, token)
    }
}
