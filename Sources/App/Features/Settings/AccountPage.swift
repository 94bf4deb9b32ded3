import Templates

/// The model of the view `settings/account`: the member's name, language, e-mail address, password and signed-in
/// devices, and the form for leaving the household.
struct AccountPage: PageModel {
    /// The stored name and language; after a refused form, those of the form.
    let name: String
    let isGerman: Bool
    let email: String
    /// The new e-mail address in a refused form.
    let typedEmail: String?
    let sessions: [Device]
    /// The person's API keys. A change of the password does not revoke them, unless the person chooses that option.
    let keys: [Key]
    /// Whether the option to revoke the keys was ticked in a refused form.
    let revokesKeys: Bool
    /// See ``EndedMembership``.
    let membership: String
    let errors: FieldErrors
    /// The errors of the form for the e-mail address, which also has a field for the current password.
    let emailErrors: FieldErrors
    /// The errors of the form for leaving the household, which has a field for the current password.
    let leaveErrors: FieldErrors
    let problem: Problem?

    /// A browser in which the person is signed in.
    struct Device: PageModel {
        let device: String
        let lastSeen: String
        /// Whether it is the browser that sent the request.
        let isCurrent: Bool
        /// The address that ends the session; nil for the current session, which the sign-out button ends.
        let endAction: String?

        static let fields = Fields<Self> { f in
            f.text("device") { $0.device }
            f.text("lastSeen") { $0.lastSeen }
            f.flag("isCurrent") { $0.isCurrent }
            f.optionalText("endAction") { $0.endAction }
        }
    }

    /// A valid API key of the person.
    struct Key: PageModel {
        let name: String
        /// The first characters of the key.
        let hint: String
        /// The time of the key's last use; nil if the key was never used.
        let used: String?

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.text("hint") { $0.hint }
            f.optionalText("used") { $0.used }
        }
    }

    static let fields = Fields<Self> { f in
        f.text("name") { $0.name }
        f.text("email") { $0.email }
        f.text("newEmail") { $0.typedEmail ?? $0.email }
        f.flag("isGerman") { $0.isGerman }
        f.list("sessions") { $0.sessions }
        f.list("keys") { $0.keys }
        f.flag("revokesKeys") { $0.revokesKeys }
        f.text("membership") { $0.membership }
        f.model("errors") { $0.errors }
        f.model("emailErrors") { $0.emailErrors }
        f.model("leaveErrors") { $0.leaveErrors }
        f.optional("problem") { $0.problem }
    }
}
