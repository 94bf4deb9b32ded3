import Domain
import HTTP
import Templates

/// The values that every page shows: language, styles and scripts, the member, the inbox, the message of the previous
/// request.
struct Frame: PageModel {
    let context: RequestContext
    let assets: Assets
    let csrf: String
    let flash: FlashNotice?
    /// The path to which the language form returns.
    let path: String

    static let fields = Fields<Self> { f in
        f.text("lang") { $0.context.language.rawValue }
        f.text("csrf") { $0.csrf }
        f.text("nonce") { $0.context.nonce }
        f.text("path") { $0.path }
        f.flag("isResponseToForm") { $0.context.isResponseToForm }
        f.flag("hidesAmounts") { $0.context.hidesAmounts }
        f.model("assets") { $0.assets }
        f.model("limits") { _ in TextLimits() }
        f.flag("isMember") { $0.context.signedIn != nil }
        // Whether the person may change the household's data; false for viewers.
        f.flag("mayEdit") { ($0.context.signedIn?.member.role ?? .viewer) >= .member }
        f.text("owner") { $0.context.signedIn.map { LocalOwner.name($0.member) } ?? "" }
        f.text("memberName") { $0.context.signedIn?.member.name ?? "" }
        f.text("memberInitials") { Frame.initials($0.context.signedIn?.member.name ?? "") }
        f.text("householdName") { $0.context.signedIn?.householdName ?? "" }
        f.optional("inbox") { frame in
            frame.context.signedIn.flatMap { $0.waiting > 0 ? WaitingCount(count: $0.waiting) : nil }
        }
        f.optional("flash") { $0.flash }
        f.flag("isGerman") { $0.context.language == .german }
        f.flag("isEnglish") { $0.context.language == .english }
    }

    /// The frame of a page that is the same for everyone, without values that change with each response.
    static func constant(_ assets: Assets, _ language: Language) -> Frame {
        let context = RequestContext(
            requestID: RequestID(0), language: language, region: nil, signedIn: nil, csrfSecret: [], visitorCookie: nil,
            nonce: "", flash: nil, path: "/", isResponseToForm: false)
        return Frame(context: context, assets: assets, csrf: "", flash: nil, path: "/")
    }

    /// The initials of the first and the last word.
    static func initials(_ name: String) -> String {
        let words = name.split(separator: " ")
        guard let first = words.first?.first else { return "" }
        guard words.count > 1, let last = words.last?.first else { return String(first).uppercased() }
        return "\(first)\(last)".uppercased()
    }
}
