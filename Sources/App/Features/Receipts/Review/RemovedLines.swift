import Templates

/// The lines that the button of the last request removed from the form, for browsers without scripts. The page contains
/// the fields of these lines as hidden inputs, so that the removal can be undone.
struct RemovedLines: PageModel {
    /// The position and the key of each removed line, such as `3:new1`.
    let places: [String]
    /// The fields of these lines with their typed values.
    let texts: [Field]

    struct Field: PageModel {
        let name: String
        let value: String

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.text("value") { $0.value }
        }
    }

    /// Returns nil when the button removed no line.
    init?(_ form: ReviewForm) {
        guard !form.removed.isEmpty else { return nil }
        places = form.removed.map { "\($0.index):\($0.key)" }
        let endings = form.removed.map { "-\($0.key)" }
        texts = form.texts.filter { text in endings.contains { text.key.hasSuffix($0) } }
            .map { Field(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
    }

    static let fields = Fields<Self> { f in
        f.number("count") { $0.places.count }
        f.flag("isOne") { $0.places.count == 1 }
        f.texts("places") { $0.places }
        f.list("texts") { $0.texts }
    }
}
