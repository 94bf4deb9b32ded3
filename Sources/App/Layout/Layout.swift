import Domain
import HTTP
import Templates

/// What the frame around every page shows; templates find it under `layout`.
struct Layout: PageModel {
    let frame: Frame

    static let fields = Fields<Self> { f in
        f.model("layout") { $0.frame }
    }
}

/// Language, addresses of styles and scripts, the member, the inbox, a sentence from the page before.
struct Frame: PageModel {
    let context: RequestContext
    let assets: Assets
    let csrf: String
    let flash: FlashNotice?
    /// Path of this page, for the language form; `/` for answers to a form.
    let path: String

    static let fields = Fields<Self> { f in
        f.text("lang") { $0.context.language.rawValue }
        f.text("csrf") { $0.csrf }
        f.text("nonce") { $0.context.nonce }
        f.text("path") { $0.path }
        f.flag("isAnswer") { $0.context.isAnswer }
        f.model("assets") { $0.assets }
        f.model("limits") { _ in TextLimits() }
        f.flag("isMember") { $0.context.signedIn != nil }
        f.text("memberName") { $0.context.signedIn?.member.name ?? "" }
        f.text("memberInitials") { Frame.initials($0.context.signedIn?.member.name ?? "") }
        f.text("householdName") { $0.context.signedIn?.householdName ?? "" }
        f.optional("inbox") { frame in
            frame.context.signedIn.flatMap { $0.waiting > 0 ? Waiting(count: $0.waiting) : nil }
        }
        f.optional("flash") { $0.flash }
        f.flag("isGerman") { $0.context.language == .german }
        f.flag("isEnglish") { $0.context.language == .english }
    }

    /// The first letters of the first and the last word.
    static func initials(_ name: String) -> String {
        let words = name.split(separator: " ")
        guard let first = words.first?.first else { return "" }
        guard words.count > 1, let last = words.last?.first else { return String(first).uppercased() }
        return "\(first)\(last)".uppercased()
    }
}

/// How many receipts wait.
struct Waiting: PageModel {
    let count: Int64

    static let fields = Fields<Self> { f in
        f.text("count") { String($0.count) }
    }
}

/// A sentence shown once, with a form that undoes what it tells of, or a way to it.
struct FlashNotice: PageModel {
    let text: String
    let undo: Undo?
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
