import Templates

/// One entry of a select box.
struct Choice: PageModel {
    let value: String
    let label: String
    let isSelected: Bool

    static let fields = Fields<Self> { f in
        f.text("value") { $0.value }
        f.text("label") { $0.label }
        f.flag("isSelected") { $0.isSelected }
    }
}
