import Templates

/// `accounts/setup`: the first page of a new installation.
struct SetupPage: PageModel {
    let action: String
    let form: AccountForm
    let problem: Problem?

    static let fields = Fields<Self> { f in
        f.text("action") { $0.action }
        f.text("household") { $0.form.household }
        f.account({ $0.form }, { $0.problem })
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
        f.account({ $0.form }, { $0.problem })
    }
}

extension FieldList {
    /// What `forms/account` shows, and the problem above it.
    fileprivate mutating func account(
        _ form: @escaping @Sendable (Model) -> AccountForm, _ problem: @escaping @Sendable (Model) -> Problem?
    ) {
        text("name") { form($0).name }
        text("email") { form($0).email }
        model("errors") { form($0).errors }
        optional("problem", problem)
    }
}

/// `accounts/sign-in`.
struct SignInPage: PageModel {
    let email: String
    let next: String
    /// The browser would drop the session's cookie here.
    let isInsecure: Bool
    /// Nobody has set anything up yet: there is no account to sign in with.
    let isUntouched: Bool
    let problem: Problem?
    /// What was typed when the session had ended.
    var kept: KeptForm?

    static let fields = Fields<Self> { f in
        f.text("email") { $0.email }
        f.text("next") { $0.next }
        f.flag("isInsecure") { $0.isInsecure }
        f.flag("isUntouched") { $0.isUntouched }
        f.optional("problem") { $0.problem }
        // Said once: beside a wrong password it is one word too many.
        f.flag("saysKept") { $0.kept != nil && $0.problem == nil }
        f.optional("kept") { $0.kept.map(Kept.init) }
    }

    struct Kept: PageModel {
        let form: KeptForm

        static let fields = Fields<Self> { f in
            f.text("path") { $0.form.path }
            f.text("text") { $0.form.encoded }
        }
    }
}
