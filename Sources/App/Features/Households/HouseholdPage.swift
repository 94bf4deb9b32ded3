import Templates

/// `settings/household`.
struct HouseholdPage: PageModel {
    let householdName: String
    let isOwner: Bool
    /// A new link, shown once.
    let newInvitation: NewInvitation?
    let members: [Person]
    let invitations: [Invited]
    /// Whether card numbers and names are covered on new pictures.
    let coversPersonalDetails: Bool
    let errors: FieldErrors
    var problem: Problem?

    struct NewInvitation: PageModel {
        let link: String
        let expires: String

        static let fields = Fields<Self> { f in
            f.text("link") { $0.link }
            f.text("expires") { $0.expires }
        }
    }

    struct Person: PageModel {
        let name: String
        let email: String
        let isYou: Bool
        let isOwner: Bool
        let removeAction: String?
        /// Makes a member an owner.
        let promoteAction: String?
        let demoteAction: String?

        static let fields = Fields<Self> { f in
            f.text("initials") { Frame.initials($0.name) }
            f.text("name") { $0.name }
            f.text("email") { $0.email }
            f.flag("isYou") { $0.isYou }
            f.flag("isOwner") { $0.isOwner }
            f.optionalText("removeAction") { $0.removeAction }
            f.optionalText("promoteAction") { $0.promoteAction }
            f.optionalText("demoteAction") { $0.demoteAction }
        }
    }

    struct Invited: PageModel {
        let inviterName: String
        let expires: String
        let revokeAction: String

        static let fields = Fields<Self> { f in
            f.text("inviterName") { $0.inviterName }
            f.text("expires") { $0.expires }
            f.text("revokeAction") { $0.revokeAction }
        }
    }

    static let fields = Fields<Self> { f in
        f.text("householdName") { $0.householdName }
        f.flag("isOwner") { $0.isOwner }
        f.optional("newInvitation") { $0.newInvitation }
        f.list("members") { $0.members }
        f.flag("hasInvitations") { !$0.invitations.isEmpty }
        f.list("invitations") { $0.invitations }
        f.flag("coversPersonalDetails") { $0.coversPersonalDetails }
        f.model("errors") { $0.errors }
        f.optional("problem") { $0.problem }
    }
}
