import Templates

/// What is wrong with a form as a whole, shown above it.
struct Problem: PageModel {
    let title: String
    let text: String
    /// What it is about, one by one.
    var details: [String] = []

    static let fields = Fields<Self> { f in
        f.text("title") { $0.title }
        f.text("text") { $0.text }
        f.flag("hasDetails") { !$0.details.isEmpty }
        f.texts("details") { $0.details }
    }
}

/// Sentences beside the fields of a form, by the field's name.
struct FieldErrors: Sendable {
    private var sentences: [String: String] = [:]

    var isEmpty: Bool { sentences.isEmpty }

    subscript(field: String) -> String? {
        get { sentences[field] }
        set { sentences[field] = newValue }
    }
}
