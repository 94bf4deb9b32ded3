import Templates

/// An error of a form as a whole, shown above it.
struct Problem: PageModel {
    let title: String
    let text: String
    /// One sentence for each affected item.
    var details: [String] = []

    static let fields = Fields<Self> { f in
        f.text("title") { $0.title }
        f.text("text") { $0.text }
        f.flag("hasDetails") { !$0.details.isEmpty }
        f.texts("details") { $0.details }
    }
}

/// Error messages by field name.
struct FieldErrors: Sendable {
    private var sentences: [String: String] = [:]

    var isEmpty: Bool { sentences.isEmpty }

    subscript(field: String) -> String? {
        get { sentences[field] }
        set { sentences[field] = newValue }
    }
}
