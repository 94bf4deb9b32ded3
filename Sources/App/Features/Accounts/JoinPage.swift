import Templates

/// The model of the view `accounts/join`: accepting an invitation.
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
