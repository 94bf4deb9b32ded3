import Templates

/// The model of the view `settings/deletion`.
struct HouseholdDeletionPage: PageModel {
    let householdName: String
    /// See ``EndedMembership``.
    let membership: String
    /// The name in a refused form.
    let typedName: String
    /// Whether the household can be archived first.
    let hasArchives: Bool
    let errors: FieldErrors

    static let fields = Fields<Self> { f in
        f.text("householdName") { $0.householdName }
        f.text("membership") { $0.membership }
        f.text("typedName") { $0.typedName }
        f.flag("hasArchives") { $0.hasArchives }
        f.model("errors") { $0.errors }
    }
}
