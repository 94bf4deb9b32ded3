import Templates

/// An error message about a whole form, shown above it.
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

extension Problem {
    /// Some fields are invalid; each shows its message.
    static func invalidFields(_ words: LanguageTexts) -> Problem {
        Problem(title: words["server.form.problem"], text: words["server.form.problem-text"])
    }

    /// Another request has changed the document, and nothing was stored. The form now shows the stored values.
    static func changed(_ words: LanguageTexts) -> Problem {
        Problem(title: words["server.form.changed"], text: words["server.form.changed-text"])
    }
}
