import Crypto
import Domain
import HTTP
import Templates

/// The page of a one-time link to set a new password.
struct PasswordResetController: Sendable {
    private let resets: PasswordResets
    private let passwords: PasswordHasher
    private let page: View<PasswordResetPage>

    init(_ resets: PasswordResets, _ passwords: PasswordHasher, _ views: Views) throws {
        self.resets = resets
        self.passwords = passwords
        page = try views.page("accounts/reset", PasswordResetPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.visitor(.get, "/reset/{token}", "PasswordResetController.show", show)
        try routes.visitor(.post, "/reset/{token}", "PasswordResetController.reset", reset)
    }

    private func show(_ request: VisitorRequest) async throws -> Response {
        let (token, reset) = try await open(request)
        return response(request, token, reset)
    }

    private func reset(_ request: VisitorRequest) async throws -> Response {
        let (token, reset) = try await open(request)
        let password: Password
        do {
            password = try Password(
                choosing: request.form["password"] ?? "", personal: [reset.name, reset.login],
                minimum: AccountForm.passwordCharacters)
        } catch {
            let sentence = PasswordSentence.of(error, page.texts[request.language])
            return response(request, token, reset, error: sentence, status: .unprocessableContent)
        }
        guard try await resets.resetPassword(token, try await passwords.hash(password)) else {
            throw Refusal(.notFound, "linkOver")
        }
        // Do not sign the person in: signing in confirms that they know the new password.
        return .redirect(to: "/sign-in").flashing(Flash("password-reset"))
    }

    /// Returns the token of the address and its valid link.
    ///
    /// - Throws: `Refusal` 404 if the link is unknown, used, expired or revoked.
    private func open(_ request: VisitorRequest) async throws -> (Token, OpenPasswordReset) {
        guard let text = request.parameters["token"], let token = Token(text), let reset = try await resets.find(token)
        else { throw Refusal(.notFound, "linkOver") }
        return (token, reset)
    }

    private func response(
        _ request: VisitorRequest, _ token: Token, _ reset: OpenPasswordReset, error: String? = nil,
        status: Status = .ok
    ) -> Response {
        let model = PasswordResetPage(action: "/reset/\(token.secret)", login: reset.login, error: error)
        return page.response(model, for: request, status: status).withoutReferrer()
    }
}
