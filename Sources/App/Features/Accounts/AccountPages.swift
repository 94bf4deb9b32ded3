import Templates

/// `accounts/setup`: the first page of a new installation.
struct SetupPage: PageModel {
    let action: String
    let form: AccountForm
    let problem: Problem?

    static let fields = Fields<Self> { f in
        f.text("action") { $0.action }
        f.text("household") { $0.form.household }
        f.text("name") { $0.form.name }
        f.text("email") { $0.form.email }
        f.model("errors") { AccountErrors(errors: $0.form.errors) }
        f.optional("problem") { $0.problem }
    }
}

/// `accounts/join`: a one-time link into a household.
struct JoinPage: PageModel {
    let action: String
    let invitation: OpenInvitation
    let expires: String
    let form: AccountForm
    let problem: Problem?

    static let fields = Fields<Self> { f in
        f.text("action") { $0.action }
        f.text("inviterName") { $0.invitation.inviterName }
        f.text("householdName") { $0.invitation.householdName }
        f.text("expires") { $0.expires }
        f.text("name") { $0.form.name }
        f.text("email") { $0.form.email }
        f.model("errors") { AccountErrors(errors: $0.form.errors) }
        f.optional("problem") { $0.problem }
    }
}

/// `accounts/sign-in`.
struct SignInPage: PageModel {
    let email: String
    let next: String
    /// The browser would drop the session's cookie here.
    let isInsecure: Bool
    let problem: Problem?

    static let fields = Fields<Self> { f in
        f.text("email") { $0.email }
        f.text("next") { $0.next }
        f.flag("isInsecure") { $0.isInsecure }
        f.optional("problem") { $0.problem }
    }
}

struct AccountErrors: PageModel {
    let errors: FieldErrors

    static let fields = Fields<Self> { f in
        for name in ["household", "name", "email", "password"] { f.optionalText(name) { $0.errors[name] } }
    }
}
