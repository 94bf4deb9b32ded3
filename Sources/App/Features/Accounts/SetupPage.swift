import Templates

/// The model of the view `accounts/setup`: setting up a household by a one-time link.
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
