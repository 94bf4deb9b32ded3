import Crypto
import Domain
import HTTP
import Templates

/// Signing in and out.
struct SignInController: Sendable {
    private let signIn: SignIn
    private let page: View<SignInPage>

    init(_ signIn: SignIn, _ views: Views) throws {
        self.signIn = signIn
        page = try views.page("accounts/sign-in", SignInPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.visitor(.get, "/sign-in", "SignInController.show", show)
        try routes.visitor(.post, "/sign-in", "SignInController.begin", begin)
        try routes.visitor(.post, "/sign-out", "SignInController.end", end)
    }

    private func show(_ request: VisitorRequest) async throws -> Response {
        let next = Redirect.ownPath(request.head.query("next"))
        if request.member != nil { return .redirect(to: next) }
        return response(request, email: "", next: next, problem: nil)
    }

    private func begin(_ request: VisitorRequest) async throws -> Response {
        let email = AccountForm.login(request.form["email"] ?? "")
        let next = Redirect.ownPath(request.form["next"])
        let outcome = try await signIn.attempt(
            login: email, password: request.form["password"] ?? "", from: request.head.peer.network,
            client: Client.name(request.head))
        let words = page.texts[request.language]
        switch outcome {
        case .signedIn(let cookie): return .signedIn(cookie, to: next)
        case .wrong:
            // The same answer, whether the name is known or not.
            let problem = Problem(title: words["server.sign-in.wrong"], text: words["server.sign-in.wrong-text"])
            return response(request, email: email, next: next, problem: problem, status: .unprocessableContent)
        case .blocked(let seconds):
            let problem = Problem(title: words["errors.429"], text: Self.wait(seconds, words))
            var response = response(request, email: email, next: next, problem: problem, status: .tooManyRequests)
            response.headers[.retryAfter] = String(seconds)
            return response
        }
    }

    private func end(_ request: VisitorRequest) async throws -> Response {
        if let member = request.member { try await signIn.sessions.end(member.session, of: member.person) }
        var response = Response.redirect(to: "/sign-in")
        response.headers.append(Sessions.endingCookie)
        return response
    }

    /// How long to wait: below a minute in seconds, else in minutes begun.
    static func wait(_ seconds: Int, _ words: LanguageTexts) -> String {
        let minutes = (seconds + 59) / 60
        let (key, count) =
            seconds <= 1
            ? ("-second", 1) : seconds < 60 ? ("-seconds", seconds) : minutes == 1 ? ("-minute", 1) : ("", minutes)
        return words["server.sign-in.slow\(key)", count == 1 ? [:] : ["count": .number(String(count))]]
    }

    private func response(
        _ request: VisitorRequest, email: String, next: String, problem: Problem?, status: Status = .ok
    ) -> Response {
        let isInsecure = !request.head.isSecure && !ThisMachine.isNamed(request.head.host)
        return page.response(
            SignInPage(email: email, next: next, isInsecure: isInsecure, problem: problem), for: request,
            status: status)
    }
}
