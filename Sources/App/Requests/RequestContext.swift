import Crypto
import Domain
import HTTP

/// Facts about a request, collected by the pipeline for pages and the log.
struct RequestContext: Sendable {
    let requestID: RequestID
    let language: Language
    /// Country code in lower case, such as `at`, for words that differ between countries: the household's country, or
    /// for a visitor the one that the browser names with this language.
    let region: String?
    /// The signed-in person; nil for a visitor.
    let signedIn: SignedIn?
    /// Secret of this browser's CSRF tokens: the session's, or the visitor's cookie.
    let csrfSecret: [UInt8]
    /// The visitor's cookie, when this response sets it.
    let visitorCookie: SetCookie?
    /// Random per response; scripts carry it.
    let nonce: String
    /// A sentence to show once, from the cookie of the redirect before.
    let flash: Flash?
    /// Where the language form leads back to.
    let path: String
    /// Whether the request sent a form. The page that answers it cannot be loaded again by its address.
    let isAnswer: Bool
    /// Whether this browser hides the amounts of expenses, until they are shown again.
    var hidesAmounts = false

    /// For one page, masked with new random bytes each time. Empty when there is no secret.
    var csrfToken: String { csrfTokens?.make(session: csrfSecret) ?? "" }

    /// - Parameter other: another secret of the same browser; empty for none.
    func accepts(csrf token: String?, orOf other: [UInt8] = []) -> Bool {
        guard let token else { return false }
        return [csrfSecret, other].contains { secret in
            SecretKey(secret).map { CSRFTokens(key: $0).isValid(token, session: secret) } ?? false
        }
    }

    /// The context of the new session, for the page that answers the sign-in.
    func signedIn(_ signedIn: SignedIn) -> RequestContext {
        RequestContext(
            requestID: requestID, language: signedIn.member.language, region: signedIn.member.country.region,
            signedIn: signedIn,
            csrfSecret: signedIn.member.csrfSecret, visitorCookie: nil, nonce: nonce, flash: nil, path: path,
            isAnswer: true)
    }

    /// The context of a page that is the same for everyone, in a language.
    func anonymous(in language: Language) -> RequestContext {
        RequestContext(
            requestID: requestID, language: language, region: nil, signedIn: nil, csrfSecret: [], visitorCookie: nil,
            nonce: nonce, flash: nil, path: path, isAnswer: false)
    }

    private var csrfTokens: CSRFTokens? { SecretKey(csrfSecret).map(CSRFTokens.init(key:)) }

    /// For an error page while the database is not available.
    static func unknown(_ head: RequestHead) -> RequestContext {
        RequestContext(
            requestID: head.id, language: language(head), region: region(head, language(head)), signedIn: nil,
            csrfSecret: [], visitorCookie: nil,
            nonce: newNonce(), flash: nil,
            path: "/", isAnswer: head.method == .post)
    }

    /// From the browser's Accept-Language; German when it names none of ours.
    static func language(_ head: RequestHead) -> Language {
        Negotiation.language(head.headers[.acceptLanguage], available: Language.allCases.map(\.rawValue))
            .flatMap(Language.init(rawValue:)) ?? .german
    }

    static func region(_ head: RequestHead, _ language: Language) -> String? {
        Negotiation.region(head.headers[.acceptLanguage], of: language.rawValue)
    }

    static func newNonce() -> String { Base64URL.encode(Random.bytes(16)) }
}

/// A session's person and household, and what the frame of every page shows about them.
struct SignedIn: Sendable {
    let member: Member
    let householdName: String
    /// Receipts that wait in the inbox.
    let waiting: Int64
    /// When the session was last used, in microseconds since 1970 UTC; updated at most every few minutes.
    let seenAt: Int64
    let tokenHash: [UInt8]
}

/// A sentence shown once after a redirect, by its key in the texts, with a button that undoes the action or a link to
/// its result.
struct Flash: Sendable, Equatable {
    /// `server.flash.<key>` in the texts.
    let key: String
    /// What `{{count}}` says in it.
    let count: Int
    /// A path that undoes the action by a POST without fields.
    let undo: String?
    /// A page that shows the result.
    let link: String?

    static let cookie = "flash"

    init(_ key: String, count: Int = 0, undo: String? = nil, link: String? = nil) {
        self.key = key
        self.count = count
        self.undo = undo
        self.link = link
    }

    /// Reads `key!count!/undo!/link`; nil for anything else.
    init?(cookie: String) {
        let parts = cookie.split(separator: "!", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let key = parts.first, (1...60).contains(key.utf8.count), let count = Int(parts[1]),
            key.utf8.allSatisfy({ ($0 >= 97 && $0 <= 122) || $0 == 45 })
        else { return nil }
        self.key = String(key)
        self.count = count
        undo = parts[2].isEmpty ? nil : Redirect.ownPath(String(parts[2]))
        link = parts[3].isEmpty ? nil : Redirect.ownPath(String(parts[3]))
    }

    var cookieValue: String { "\(key)!\(count)!\(undo ?? "")!\(link ?? "")" }
}

extension Response {
    /// Shows a sentence on the next page.
    func flashing(_ flash: Flash) -> Response {
        var response = self
        response.headers.append(SetCookie(host: Flash.cookie, value: flash.cookieValue, maxAge: 60))
        return response
    }
}
