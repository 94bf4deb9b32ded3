/// Error messages by field name.
struct FieldErrors: Sendable {
    private var sentences: [String: String] = [:]

    var isEmpty: Bool { sentences.isEmpty }

    subscript(field: String) -> String? {
        get { sentences[field] }
        set { sentences[field] = newValue }
    }
}
