import Crypto
import Domain
import HTTP
import Templates

/// Data about a request that the pipeline collects for pages and the log.
struct RequestContext: Sendable {
    let requestID: RequestID
    let language: Language
    /// The country code in lower case, such as `at`, for terms that differ between countries. It is the household's
    /// country or, for a visitor, the country that the browser sends with this language.
    let region: String?
    /// The signed-in person; nil for a visitor.
    let signedIn: SignedIn?
    /// The secret for CSRF tokens: the session's, or the one in the visitor's cookie.
    let csrfSecret: [UInt8]
    /// The visitor's cookie, if this response has to set it.
    let visitorCookie: SetCookie?
    /// A random value for each response, which scripts must contain.
    let nonce: String
    /// The message from the cookie of a previous redirect.
    let flash: Flash?
    /// The page to which the language form leads back.
    let path: String
    /// Whether the request submitted a form. If so, the page in the response cannot be reloaded by its address.
    let isResponseToForm: Bool
    /// Whether this browser hides the amounts of expenses.
    var hidesAmounts = false

    /// A token for one page, masked with new random bytes each time. Empty without a secret.
    var csrfToken: String { csrfTokens?.make(session: csrfSecret) ?? "" }

    /// - Parameter earlierSecret: the secret that the browser had before it signed in; empty for none.
    func accepts(csrf token: String?, earlierSecret: [UInt8] = []) -> Bool {
        guard let token else { return false }
        return [csrfSecret, earlierSecret].contains { secret in
            SecretKey(secret).map { CSRFTokens(key: $0).isValid(token, session: secret) } ?? false
        }
    }

    /// The context of the new session, for the response to a sign-in.
    func signedIn(_ signedIn: SignedIn) -> RequestContext {
        RequestContext(
            requestID: requestID, language: signedIn.member.language, region: signedIn.member.country.region,
            signedIn: signedIn,
            csrfSecret: signedIn.member.csrfSecret, visitorCookie: nil, nonce: nonce, flash: nil, path: path,
            isResponseToForm: true)
    }

    /// The context of a page that is the same for everyone, in the given language.
    func anonymous(in language: Language) -> RequestContext {
        RequestContext(
            requestID: requestID, language: language, region: nil, signedIn: nil, csrfSecret: [], visitorCookie: nil,
            nonce: nonce, flash: nil, path: path, isResponseToForm: false)
    }

    private var csrfTokens: CSRFTokens? { SecretKey(csrfSecret).map(CSRFTokens.init(key:)) }

    /// The context of an error page if the session has not been loaded, for example while the database is unavailable.
    static func unknown(_ head: RequestHead) -> RequestContext {
        RequestContext(
            requestID: head.id, language: language(head), region: region(head, language(head)), signedIn: nil,
            csrfSecret: [], visitorCookie: nil,
            nonce: newNonce(), flash: nil,
            path: "/", isResponseToForm: head.method == .post)
    }

    /// The language that the browser's Accept-Language prefers; German if the header names no supported language.
    static func language(_ head: RequestHead) -> Language {
        Negotiation.language(head.headers.list(.acceptLanguage), available: Language.allCases.map(\.rawValue))
            .flatMap(Language.init(rawValue:)) ?? .german
    }

    /// The country that Accept-Language names with this language, in lower case.
    static func region(_ head: RequestHead, _ language: Language) -> String? {
        Negotiation.region(head.headers.list(.acceptLanguage), of: language.rawValue)
    }

    static func newNonce() -> String { Base64URL.encode(Random.bytes(16)) }
}

/// The person and household of a session, and the data that every page shows about them.
struct SignedIn: Sendable {
    let member: Member
    let householdName: String
    /// The number of receipts in the inbox.
    let waiting: Int64
    /// When the session was last used, in microseconds since 1970 UTC; updated at most every ten minutes.
    let seenAt: Int64
    let tokenHash: [UInt8]
}
