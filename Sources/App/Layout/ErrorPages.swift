import Domain
import HTTP
import Templates

/// Error pages that tell what happened, whether data was lost, and what to do next.
struct ErrorPages: Sendable {
    private let views: [Int: View<ErrorPage>]
    private let fallback: View<ErrorPage>
    private let texts: Texts

    /// The statuses with their own page.
    private static let statuses = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503, 507]

    init(_ views: Views) throws {
        var pages: [Int: View<ErrorPage>] = [:]
        for status in Self.statuses { pages[status] = try views.page("errors/\(status)", ErrorPage.self) }
        self.views = pages
        fallback = try views.page("errors/500", ErrorPage.self)
        texts = views.library.texts
    }

    /// - Parameter sentAgain: the submitted form, which the page offers to send again.
    func response(
        _ refusal: Refusal, _ context: RequestContext, backHref: String? = nil, sentAgain: UnsentForm? = nil
    ) -> Response {
        let words = texts[context.language]
        let key = "server.error.\(refusal.key)"
        let model = ErrorPage(
            detail: words.has(key) ? words[key] : nil,
            requestID: refusal.status.code >= 500 ? context.requestID.description : nil,
            backHref: backHref, reloads: !context.isResponseToForm, resend: sentAgain.map(ErrorPage.Resend.init))
        let view = views[refusal.status.code] ?? (refusal.status.code < 500 ? views[400] : nil) ?? fallback
        var response = view.response(model, context, status: refusal.status)
        if let seconds = refusal.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }
}
