import Domain
import HTTP
import Templates

/// Handles a form that was sent after the session had ended: shows the sign-in page, then offers to send the form
/// again.
struct SignInAgain: Sendable {
    private let signInPage: View<SignInPage>
    private let resendPage: View<ResendPage>

    init(_ views: Views) throws {
        signInPage = try views.page("accounts/sign-in", SignInPage.self)
        resendPage = try views.page("accounts/resend", ResendPage.self)
    }

    /// The sign-in page, which contains the form; status 401.
    func response(_ kept: KeptForm, _ head: RequestHead, _ context: RequestContext) -> Response {
        let page = SignInPage(
            email: "", next: context.path, isInsecure: ThisMachine.dropsCookies(head), hasNoHousehold: false,
            problem: nil, kept: kept)
        return signInPage.response(page, context, status: .unauthorized)
    }

    /// The page after sign-in with a button that sends the form again.
    func resending(_ kept: KeptForm, next: String, _ context: RequestContext) -> Response {
        resendPage.response(ResendPage(kept: kept, next: next), context, status: .ok)
    }
}
