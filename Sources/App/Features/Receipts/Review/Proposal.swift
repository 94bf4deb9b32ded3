import Templates

/// Another reading of a figure, which a person may take instead of the one in the form.
struct Proposal: PageModel {
    /// The field's name in the form.
    let name: String
    let value: String
    /// What was read, and which other print says the value.
    let why: String

    static let fields = Fields<Self> { f in
        f.text("name") { $0.name }
        f.text("value") { $0.value }
        f.text("why") { $0.why }
    }
}
