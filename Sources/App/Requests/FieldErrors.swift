import Templates

/// Sentences beside the fields of a form, by the field's name.
struct FieldErrors: PageModel {
    private var sentences: [String: String] = [:]

    var isEmpty: Bool { sentences.isEmpty }
    var count: Int { sentences.count }

    subscript(field: String) -> String? {
        get { sentences[field] }
        set { sentences[field] = newValue }
    }

    /// Every field name that a template asks for.
    private static let names = ["household", "name", "email", "password", "current", "amount", "from"]

    static let fields = Fields<Self> { f in
        for name in names { f.optionalText(name) { $0[name] } }
    }
}
