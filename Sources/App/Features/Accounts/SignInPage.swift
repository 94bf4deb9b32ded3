import Templates

/// The model of the view `accounts/sign-in`.
struct SignInPage: PageModel {
    let email: String
    /// The path of the page that follows after sign-in.
    let next: String
    /// Whether the browser would reject the session cookie because the connection is not secure.
    let isInsecure: Bool
    /// Whether no household exists yet, so that nobody can sign in.
    let hasNoHousehold: Bool
    let problem: Problem?
    /// The form that was submitted after the session had ended.
    var kept: KeptForm?

    static let fields = Fields<Self> { f in
        f.text("email") { $0.email }
        f.text("next") { $0.next }
        f.flag("isInsecure") { $0.isInsecure }
        f.flag("hasNoHousehold") { $0.hasNoHousehold }
        f.optional("problem") { $0.problem }
        // Shown once, not again with the message about a wrong password.
        f.flag("showsKeptNotice") { $0.kept != nil && $0.problem == nil }
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
