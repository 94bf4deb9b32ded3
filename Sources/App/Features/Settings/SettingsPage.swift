import Templates

/// The model of the view `settings/index`: links to all settings.
struct SettingsPage: PageModel {
    let householdName: String
    let hasSecondEngine: Bool
    let isOwner: Bool
    /// Whether a merge discarded a value of a document other than a receipt.
    let hasLostValues: Bool

    static let fields = Fields<Self> { f in
        f.text("householdName") { $0.householdName }
        f.flag("hasSecondEngine") { $0.hasSecondEngine }
        f.flag("isOwner") { $0.isOwner }
        f.flag("hasLostValues") { $0.hasLostValues }
        f.text("version") { _ in ProgramVersion.number }
    }
}
