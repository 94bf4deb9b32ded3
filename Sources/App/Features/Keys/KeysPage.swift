import Templates

/// The model of the view `keys/index`.
struct KeysPage: PageModel {
    let new: NewKey?
    let problem: Problem?
    let keys: [Key]
    let form: KeyForm
    let words: LanguageTexts

    /// A new key, which is shown once.
    struct NewKey: PageModel {
        let name: String
        let key: String

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.text("key") { $0.key }
        }
    }

    struct Key: PageModel {
        let name: String
        let hint: String
        let scopes: String
        let expires: String?
        let used: String?
        let isExpired: Bool
        let revokeAction: String

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.text("hint") { $0.hint }
            f.text("scopes") { $0.scopes }
            f.optionalText("expires") { $0.expires }
            f.optionalText("used") { $0.used }
            f.flag("isExpired") { $0.isExpired }
            f.text("revokeAction") { $0.revokeAction }
        }
    }

    /// A scope that the form offers.
    struct Scope: PageModel {
        let name: String
        let label: String
        let hint: String
        let isChecked: Bool

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.text("label") { $0.label }
            f.text("hint") { $0.hint }
            f.flag("isChecked") { $0.isChecked }
        }
    }

    static let fields = Fields<Self> { f in
        f.optional("new") { $0.new }
        f.optional("problem") { $0.problem }
        f.flag("hasKeys") { !$0.keys.isEmpty }
        f.list("keys") { $0.keys }
        f.text("name") { $0.form.name }
        f.list("scopes") { page in
            KeyScope.allCases.map { scope in
                Scope(
                    name: "scope-\(scope.rawValue)", label: page.words["server.scope.\(scope.rawValue)"],
                    hint: page.words["server.scope-hint.\(scope.rawValue)"],
                    isChecked: page.form.scopes.contains(scope))
            }
        }
        f.list("days") { page in
            KeyForm.choices.map { days in
                Choice(
                    value: KeyForm.value(days),
                    label: days.map { page.words["server.key.days", ["count": .number(String($0))]] }
                        ?? page.words["server.key.never"],
                    isSelected: days == page.form.days)
            }
        }
        f.model("errors") { $0.form.errors }
    }
}
