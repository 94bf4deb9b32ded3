import Templates

/// A message shown once, with an optional link and an optional button that undoes the action.
struct FlashNotice: PageModel {
    let text: String
    let undo: Undo?
    /// The address of a related page.
    let link: String?

    struct Undo: PageModel {
        let action: String

        static let fields = Fields<Self> { f in
            f.text("action") { $0.action }
        }
    }

    static let fields = Fields<Self> { f in
        f.text("text") { $0.text }
        f.optional("undo") { $0.undo }
        f.optionalText("link") { $0.link }
    }
}
