import Templates

/// The model of the views in `errors`. There is one view for each status.
struct ErrorPage: PageModel {
    /// A sentence about the error, if the text of the status is not enough.
    let detail: String?
    /// For server errors: an identifier to quote in a report.
    let requestID: String?
    /// The page that sent the request, if the browser named it.
    var backHref: String?
    /// Whether the request was a GET, so that reloading is safe.
    var reloads = true
    var resend: Resend?

    /// The submitted form as hidden fields, with a button that sends it again.
    struct Resend: PageModel {
        let form: UnsentForm

        static let fields = Fields<Self> { f in
            f.text("path") { $0.form.content.path }
            f.text("token") { $0.form.token }
            f.list("fields") { $0.form.content.fields.map(ResendPage.KeptField.init) }
        }
    }

    static let fields = Fields<Self> { f in
        f.optionalText("detail") { $0.detail }
        f.optionalText("requestId") { $0.requestID }
        f.optionalText("backHref") { $0.backHref }
        f.flag("reloads") { $0.reloads }
        f.flag("keepsForm") { $0.resend != nil }
        // Whether the request sent data that the page does not keep.
        f.flag("isUnsaved") { !$0.reloads && $0.resend == nil }
        f.optional("resend") { $0.resend }
    }
}
