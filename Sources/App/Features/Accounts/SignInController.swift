import Crypto
import Domain
import HTTP
import Templates

/// Sign-in and sign-out.
struct SignInController: Sendable {
    private let signIn: SignIn
    private let page: View<SignInPage>
    private let signInAgain: SignInAgain
    private let invitations: Invitations

    init(_ signIn: SignIn, _ signInAgain: SignInAgain, _ invitations: Invitations, _ views: Views) throws {
        self.signIn = signIn
        self.signInAgain = signInAgain
        self.invitations = invitations
        page = try views.page("accounts/sign-in", SignInPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.visitor(.get, "/sign-in", "SignInController.show", show)
        try routes.visitor(.post, "/sign-in", "SignInController.begin", body: KeptForm.carrier, begin)
        try routes.visitor(.post, "/sign-out", "SignInController.end", end)
    }

    private func show(_ request: VisitorRequest) async throws -> Response {
        let next = Redirect.ownPath(request.head.query("next"))
        if request.member != nil { return .redirect(to: next) }
        return response(
            request, email: "", next: next, problem: nil, hasNoHousehold: try await invitations.hasNoHousehold())
    }

    private func begin(_ request: VisitorRequest) async throws -> Response {
        let email = AccountForm.login(request.form["email"] ?? "")
        let next = Redirect.ownPath(request.form["next"])
        let kept = KeptForm(carriedBy: request.form)
        let outcome = try await signIn.attempt(
            login: email, password: request.form["password"] ?? "", from: request.head.peer.network,
            client: Client.name(request.head), device: KnownDevice.token(request.head))
        let words = page.texts[request.language]
        switch outcome {
        case .signedIn(let cookie, let device):
            try await signIn.sessions.endReplaced(by: request)
            var response: Response
            if let kept, let signedIn = try await signIn.sessions.find(cookie.value) {
                response = signInAgain.resending(kept, next: next, request.context.signedIn(signedIn))
                response.headers.append(cookie)
            } else {
                response = .signedIn(cookie, to: next)
            }
            response.headers.append(device)
            return response
        case .wrong:
            // Known and unknown e-mail addresses get the same response.
            let problem = Problem(title: words["server.sign-in.wrong"], text: words["server.sign-in.wrong-text"])
            return response(
                request, email: email, next: next, problem: problem, kept: kept, status: .unprocessableContent)
        case .blocked(let seconds):
            let problem = Problem(title: words["errors.429"], text: Self.waitingTime(seconds, words))
            var response = response(
                request, email: email, next: next, problem: problem, kept: kept, status: .tooManyRequests)
            response.headers[.retryAfter] = String(seconds)
            return response
        }
    }

    private func end(_ request: VisitorRequest) async throws -> Response {
        if let member = request.member { try await signIn.sessions.end(member.session, of: member.person) }
        return Self.signedOut()
    }

    /// The response to a browser whose session has ended.
    static func signedOut() -> Response {
        var response = Response.redirect(to: "/sign-in")
        response.headers.append(Sessions.endingCookie)
        // Delete cached pictures and the scripts' offline data.
        response.headers.append("Clear-Site-Data", "\"cache\", \"storage\"")
        return response
    }

    /// The waiting time as text: in seconds below a minute, else in minutes, rounded up.
    static func waitingTime(_ seconds: Int, _ words: LanguageTexts) -> String {
        let minutes = (seconds + 59) / 60
        let (key, count) =
            seconds <= 1
            ? ("-second", 1) : seconds < 60 ? ("-seconds", seconds) : minutes == 1 ? ("-minute", 1) : ("", minutes)
        return words["server.sign-in.slow\(key)", count == 1 ? [:] : ["count": .number(String(count))]]
    }

    private func response(
        _ request: VisitorRequest, email: String, next: String, problem: Problem?, kept: KeptForm? = nil,
        hasNoHousehold: Bool = false, status: Status = .ok
    ) -> Response {
        let model = SignInPage(
            email: email, next: next, isInsecure: ThisMachine.dropsCookies(request.head),
            hasNoHousehold: hasNoHousehold, problem: problem, kept: kept)
        return page.response(model, for: request, status: status)
    }
}
