import HTTP

/// A form that failed with a temporary error. The error page offers a button that sends it again.
struct UnsentForm: Sendable {
    let kept: KeptForm
    /// CSRF token of the form's session, which is still valid.
    let token: String

    /// Nil when nothing was sent, or when the form has a password or is too large.
    init?(path: String, _ form: FormFields) {
        guard let token = form["csrf"], let kept = KeptForm(path: path, form) else { return nil }
        (self.kept, self.token) = (kept, token)
    }
}
