import Templates

/// An alternative reading of a figure. A person may choose it instead of the value in the form.
struct Proposal: PageModel {
    /// The field's name in the form.
    let name: String
    let value: String
    /// The printed reading, and the other printed text from which the proposed value follows.
    let why: String

    static let fields = Fields<Self> { f in
        f.text("name") { $0.name }
        f.text("value") { $0.value }
        f.text("why") { $0.why }
    }
}
