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

    /// - Parameter sentAgain: the form that was not stored.
    func response(
        _ refusal: Refusal, _ context: RequestContext, backHref: String? = nil, sentAgain: UnsentForm? = nil
    ) -> Response {
        let words = texts[context.language]
        let key = "server.error.\(refusal.key)"
        let model = ErrorPage(
            detail: words.has(key) ? words[key] : nil,
            requestID: refusal.status.code >= 500 ? context.requestID.description : nil,
            backHref: backHref, reloads: !context.isAnswer, resend: sentAgain.map(ErrorPage.Resend.init))
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
    /// It was asked for by its address: asking again is harmless.
    var reloads = true
    var resend: Resend?

    /// The form that was sent, hidden, with a button.
    struct Resend: PageModel {
        let form: UnsentForm

        static let fields = Fields<Self> { f in
            f.text("path") { $0.form.kept.path }
            f.text("token") { $0.form.token }
            f.list("fields") { $0.form.kept.fields.map(ResendPage.KeptField.init) }
        }
    }

    static let fields = Fields<Self> { f in
        f.optionalText("detail") { $0.detail }
        f.optionalText("requestId") { $0.requestID }
        f.optionalText("backHref") { $0.backHref }
        f.flag("reloads") { $0.reloads }
        f.flag("keepsForm") { $0.resend != nil }
        f.optional("resend") { $0.resend }
    }
}
