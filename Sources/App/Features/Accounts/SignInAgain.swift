import Domain
import HTTP
import Templates

/// What a form is answered with whose session has ended: signing in, and the form again.
struct SignInAgain: Sendable {
    private let signInPage: View<SignInPage>
    private let resendPage: View<ResendPage>

    init(_ views: Views) throws {
        signInPage = try views.page("accounts/sign-in", SignInPage.self)
        resendPage = try views.page("accounts/resend", ResendPage.self)
    }

    /// The page to sign in on, with the form inside: 401.
    func response(_ kept: KeptForm, _ head: RequestHead, _ context: RequestContext) -> Response {
        let page = SignInPage(
            email: "", next: context.path, isInsecure: ThisMachine.dropsCookies(head), isUntouched: false,
            problem: nil, kept: kept)
        return signInPage.response(page, context, status: .unauthorized)
    }

    /// Right after signing in: who it is now, and the button that sends the form again.
    func resending(_ kept: KeptForm, next: String, _ context: RequestContext) -> Response {
        resendPage.response(ResendPage(kept: kept, next: next), context, status: .ok)
    }
}

/// `accounts/resend`.
struct ResendPage: PageModel {
    let kept: KeptForm
    /// Where it leads not to send it.
    let next: String

    static let fields = Fields<Self> { f in
        f.text("path") { $0.kept.path }
        f.list("fields") { $0.kept.fields.map(KeptField.init) }
        f.text("next") { $0.next }
    }

    struct KeptField: PageModel {
        let field: NamedValue

        static let fields = Fields<Self> { f in
            f.text("name") { $0.field.name }
            f.text("value") { $0.field.value }
        }
    }
}
