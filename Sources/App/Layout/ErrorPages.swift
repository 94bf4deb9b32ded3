import Domain
import HTTP
import Templates

/// Pages that say what happened, that nothing was lost, and what to do next.
struct ErrorPages: Sendable {
    private let views: [Int: View<ErrorPage>]
    private let fallback: View<ErrorPage>
    private let texts: TextCatalogue

    /// Statuses with a page of their own.
    private static let statuses = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503]

    init(_ views: Views) throws {
        var pages: [Int: View<ErrorPage>] = [:]
        for status in Self.statuses { pages[status] = try views.page("errors/\(status)", ErrorPage.self) }
        self.views = pages
        fallback = try views.page("errors/500", ErrorPage.self)
        texts = views.catalogue.texts
    }

    func response(_ refusal: Refusal, _ context: RequestContext, backHref: String? = nil) -> Response {
        let words = texts[context.language]
        let key = "server.error.\(refusal.key)"
        let model = ErrorPage(
            detail: words.has(key) ? words[key] : nil,
            requestID: refusal.status.code >= 500 ? context.requestID.description : nil,
            backHref: backHref)
        let view = views[refusal.status.code] ?? (refusal.status.code < 500 ? views[400] : nil) ?? fallback
        var response = view.response(model, context, status: refusal.status)
        if let seconds = refusal.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }
}

struct ErrorPage: PageModel {
    /// What exactly happened, where the status alone does not say it.
    let detail: String?
    /// For faults of ours: what to quote.
    let requestID: String?
    /// The page the form was on, if the browser says so.
    var backHref: String?

    static let fields = Fields<Self> { f in
        f.optionalText("detail") { $0.detail }
        f.optionalText("requestId") { $0.requestID }
        f.optionalText("backHref") { $0.backHref }
    }
}
