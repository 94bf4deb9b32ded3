import Domain
import Templates

/// The model of the view `settings/household`.
struct HouseholdPage: PageModel {
    let householdName: String
    let isOwner: Bool
    /// A new invitation link, shown once.
    let newInvitation: NewInvitation?
    /// A new link for setting a password, shown once.
    let newReset: NewReset?
    let members: [Person]
    let invitations: [OpenInvitationRow]
    /// Whether card numbers and names are covered on pictures of receipts that are read from now on.
    let coversPersonalDetails: Bool
    let region: Region
    /// The household's folder within the watched folder.
    let watchedFolder: String?
    let errors: FieldErrors
    var problem: Problem?

    struct NewInvitation: PageModel {
        let link: String
        /// Whether the link names this machine, so that no other device can open it.
        let opensOnlyHere: Bool
        let expires: String

        static let fields = Fields<Self> { f in
            f.text("link") { $0.link }
            f.flag("opensOnlyHere") { $0.opensOnlyHere }
            f.optional("qr") { $0.opensOnlyHere ? nil : QRCode($0.link).map(PhonesPage.Picture.init) }
            f.text("expires") { $0.expires }
        }
    }

    struct NewReset: PageModel {
        let link: String
        let name: String

        static let fields = Fields<Self> { f in
            f.text("link") { $0.link }
            f.text("name") { $0.name }
        }
    }

    /// Currency, country and time zone.
    struct Region: PageModel {
        let currency: Currency
        let country: Country
        let timeZone: String
        let words: LanguageTexts

        /// Suggestions; any zone in the system's database is accepted.
        private static let zones = ["Europe/Vienna", "Europe/Berlin", "Europe/Zurich"]

        static let fields = Fields<Self> { f in
            f.list("currencies") { region in
                Currency.ofHouseholds.map {
                    Choice(value: $0.rawValue, label: $0.rawValue, isSelected: $0 == region.currency)
                }
            }
            f.list("countries") { region in
                Country.allCases.map {
                    Choice(
                        value: $0.rawValue, label: region.words[textKey(of: $0)], isSelected: $0 == region.country)
                }
            }
            f.text("timeZone") { $0.timeZone }
            f.texts("timeZones") { _ in zones }
        }

        private static func textKey(of country: Country) -> String {
            switch country {
            case .austria: "server.country.austria"
            case .germany: "server.country.germany"
            case .switzerland: "server.country.switzerland"
            }
        }
    }

    struct Person: PageModel {
        let name: String
        let email: String
        let isYou: Bool
        let isOwner: Bool
        let isViewer: Bool
        /// The action that creates a link for setting a new password. This and the other actions are nil if the page
        /// does not offer them for this person.
        let resetAction: String?
        let removeAction: String?
        /// The action that makes a viewer a member.
        let editAction: String?
        /// The action that makes the member an owner.
        let promoteAction: String?
        let demoteAction: String?

        static let fields = Fields<Self> { f in
            f.text("initials") { Frame.initials($0.name) }
            f.text("name") { $0.name }
            f.text("email") { $0.email }
            f.flag("isYou") { $0.isYou }
            f.flag("isOwner") { $0.isOwner }
            f.flag("isViewer") { $0.isViewer }
            f.optionalText("resetAction") { $0.resetAction }
            f.optionalText("removeAction") { $0.removeAction }
            f.optionalText("editAction") { $0.editAction }
            f.optionalText("promoteAction") { $0.promoteAction }
            f.optionalText("demoteAction") { $0.demoteAction }
        }
    }

    struct OpenInvitationRow: PageModel {
        let inviterName: String
        let isViewer: Bool
        let expires: String
        let revokeAction: String

        static let fields = Fields<Self> { f in
            f.text("inviterName") { $0.inviterName }
            f.flag("isViewer") { $0.isViewer }
            f.text("expires") { $0.expires }
            f.text("revokeAction") { $0.revokeAction }
        }
    }

    static let fields = Fields<Self> { f in
        f.text("householdName") { $0.householdName }
        f.flag("isOwner") { $0.isOwner }
        f.optional("newInvitation") { $0.newInvitation }
        f.optional("newReset") { $0.newReset }
        f.list("members") { $0.members }
        f.flag("hasInvitations") { !$0.invitations.isEmpty }
        f.list("invitations") { $0.invitations }
        f.flag("coversPersonalDetails") { $0.coversPersonalDetails }
        f.model("region") { $0.region }
        f.optionalText("watchedFolder") { $0.watchedFolder }
        f.model("errors") { $0.errors }
        f.optional("problem") { $0.problem }
    }
}
