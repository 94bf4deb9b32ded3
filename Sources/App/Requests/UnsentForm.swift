import HTTP

/// A form that was answered by an error that passes by itself, on the page that says so: one tap sends it again.
struct UnsentForm: Sendable {
    let kept: KeptForm
    /// Of the session it was sent in, which goes on.
    let token: String

    /// Nil where nothing was sent, it has a password, or is too large.
    init?(path: String, _ form: FormFields) {
        guard let token = form["csrf"], let kept = KeptForm(path: path, form) else { return nil }
        (self.kept, self.token) = (kept, token)
    }
}
