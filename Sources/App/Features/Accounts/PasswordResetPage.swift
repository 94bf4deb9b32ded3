import Templates

/// The model of the view `accounts/reset`: setting a new password by a one-time link.
struct PasswordResetPage: PageModel {
    let action: String
    let login: String
    let error: String?

    static let fields = Fields<Self> { f in
        f.text("action") { $0.action }
        f.text("email") { $0.login }
        f.optionalText("error") { $0.error }
    }
}
