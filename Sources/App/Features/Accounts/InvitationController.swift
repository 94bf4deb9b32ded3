import Crypto
import Domain
import HTTP
import Templates

/// The pages of one-time links, for setting up or joining a household.
struct InvitationController: Sendable {
    private let accounts: Accounts
    private let setupPage: View<SetupPage>
    private let joinPage: View<JoinPage>

    init(_ accounts: Accounts, _ views: Views) throws {
        self.accounts = accounts
        setupPage = try views.page("accounts/setup", SetupPage.self)
        joinPage = try views.page("accounts/join", JoinPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.visitor(.get, "/setup/{token}", "InvitationController.showSetup", showSetup)
        try routes.visitor(.post, "/setup/{token}", "InvitationController.setUp", setUp)
        try routes.visitor(.get, "/join/{token}", "InvitationController.showJoin", showJoin)
        try routes.visitor(.post, "/join/{token}", "InvitationController.join", join)
    }

    private func showSetup(_ request: VisitorRequest) async throws -> Response {
        let (token, _) = try await invitation(request, joins: false)
        let page = SetupPage(action: "/setup/\(token.secret)", form: AccountForm(), problem: nil)
        return setupPage.response(page, for: request).withoutReferrer()
    }

    private func setUp(_ request: VisitorRequest) async throws -> Response {
        let (token, invitation) = try await invitation(request, joins: false)
        var form = AccountForm(request.form, wantsHousehold: true, words: setupPage.texts[request.language])
        if form.errors.isEmpty, let password = form.password {
            do {
                let cookie = try await accounts.setUp(
                    form, password, invitation, language: request.language, client: Client.name(request.head))
                try await accounts.sessions.endReplaced(by: request)
                return .signedIn(cookie, to: "/")
            } catch {
                try explain(error, setupPage.texts[request.language]["server.form.email-known"], &form)
            }
        }
        let page = SetupPage(
            action: "/setup/\(token.secret)", form: form, problem: .invalidFields(setupPage.texts[request.language]))
        return setupPage.response(page, for: request, status: .unprocessableContent).withoutReferrer()
    }

    private func showJoin(_ request: VisitorRequest) async throws -> Response {
        let (token, invitation) = try await invitation(request, joins: true)
        return joinResponse(request, token, invitation, AccountForm(), problem: nil)
    }

    private func join(_ request: VisitorRequest) async throws -> Response {
        let (token, invitation) = try await invitation(request, joins: true)
        guard let household = invitation.household else { throw Refusal.notFound }
        var form = AccountForm(request.form, wantsHousehold: false, words: joinPage.texts[request.language])
        if form.errors.isEmpty, let password = form.password {
            do {
                let cookie = try await accounts.join(
                    form, password, invitation, household: household, language: request.language,
                    client: Client.name(request.head))
                try await accounts.sessions.endReplaced(by: request)
                return .signedIn(cookie, to: "/")
            } catch {
                try explain(error, joinPage.texts[request.language]["server.form.email-known"], &form)
            }
        }
        return joinResponse(
            request, token, invitation, form, problem: .invalidFields(joinPage.texts[request.language]),
            status: .unprocessableContent)
    }

    // MARK: Parts

    /// Returns the token in the path and its invitation.
    ///
    /// - Parameter joins: whether the link must be for joining a household; if false, for setting one up.
    /// - Throws: `Refusal` 404 for any other link.
    private func invitation(_ request: VisitorRequest, joins: Bool) async throws -> (Token, OpenInvitation) {
        guard let text = request.parameters["token"], let token = Token(text),
            let invitation = try await accounts.invitations.find(token), (invitation.household != nil) == joins
        else { throw Refusal(.notFound, "linkOver") }
        return (token, invitation)
    }

    private func joinResponse(
        _ request: VisitorRequest, _ token: Token, _ invitation: OpenInvitation, _ form: AccountForm, problem: Problem?,
        status: Status = .ok
    ) -> Response {
        let page = JoinPage(
            action: "/join/\(token.secret)", invitation: invitation,
            expires: DisplayDate.day(invitation.expiresAt, request.language), form: form, problem: problem)
        return joinPage.response(page, for: request, status: status).withoutReferrer()
    }

    /// Shows the text `taken` at the e-mail field if the address is taken. Throws a `Refusal` 404 if the link is used,
    /// and rethrows other errors.
    private func explain(_ error: any Error, _ taken: String, _ form: inout AccountForm) throws {
        switch error {
        case AccountError.loginTaken: form.errors["email"] = taken
        case AccountError.invitationUsed: throw Refusal(.notFound, "linkOver")
        default: throw error
        }
    }
}
