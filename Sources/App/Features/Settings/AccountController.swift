import Crypto
import Domain
import HTTP
import Postgres
import Templates

/// The settings of the member's own account: name, language, e-mail address, password, sessions, leaving the household.
struct AccountController: Sendable {
    private let database: Database
    private let signIn: SignIn
    private let memberships: Memberships
    private let endedMembership: EndedMembership
    private let page: View<AccountPage>

    static let leavingPath = "/settings/account/removal"

    init(_ database: Database, _ signIn: SignIn, _ views: Views) throws {
        self.database = database
        self.signIn = signIn
        memberships = Memberships(database: database)
        endedMembership = EndedMembership(database: database)
        page = try views.page("settings/account", AccountPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/settings/account", "AccountController.show", show)
        try routes.member(.post, "/settings/account", "AccountController.rename", role: .viewer, rename)
        try routes.member(.post, Self.leavingPath, "AccountController.leave", role: .viewer) { request in
            try await endedMembership.respond(to: request) { try await leave(request) }
        }
        try routes.member(
            .post, "/settings/language", "AccountController.changeLanguage", role: .viewer, changeLanguage)
        try routes.member(.post, "/settings/email", "AccountController.changeEmail", role: .viewer, changeEmail)
        try routes.member(
            .post, "/settings/password", "AccountController.changePassword", role: .viewer, changePassword)
        try routes.member(
            .post, "/settings/sessions/{session}/end", "AccountController.endSession", role: .viewer, endSession)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        try await response(request, FieldErrors(), problem: nil)
    }

    private func rename(_ request: MemberRequest) async throws -> Response {
        let name = request.form.trimmed("name") ?? ""
        let language = request.form["language"].flatMap(Language.init(rawValue:)) ?? request.language
        if let sentence = TextLimit.problem(name, TextLimit.name, page.texts[request.language]) {
            var errors = FieldErrors()
            errors["name"] = sentence
            return try await response(request, errors, problem: nil, status: .unprocessableContent)
        }
        try await PersonPreferences.set(language, name: name, of: request.member, database)
        return .redirect(to: "/settings/account").flashing(Flash("saved"))
    }

    private func changeLanguage(_ request: MemberRequest) async throws -> Response {
        guard let language = Language(rawValue: try request.form.required("language")) else { throw Refusal.badRequest }
        try await PersonPreferences.set(language, of: request.member, database)
        return .redirect(to: Redirect.ownPath(request.form["return"]))
    }

    /// Requires the current password.
    private func changeEmail(_ request: MemberRequest) async throws -> Response {
        let words = page.texts[request.language]
        let person = request.member.person
        let email = AccountForm.login(request.form["email"] ?? "")
        var errors = FieldErrors()
        if AccountForm.isLogin(email) {
            switch try await signIn.confirm(request.form["current"] ?? "", person, from: request.head.peer.network) {
            case .right(let verified):
                do {
                    if try await signIn.changeLogin(verified, to: email, person) {
                        return .redirect(to: "/settings/account").flashing(Flash("saved"))
                    }
                    errors["current"] = words["server.form.password-wrong"]
                } catch AccountError.loginTaken {
                    errors["email"] = words["server.form.email-taken"]
                }
            case .wrong: errors["current"] = words["server.form.password-wrong"]
            case .blocked(let seconds): return try await blockedResponse(request, seconds, typedEmail: email)
            }
        } else {
            errors["email"] = words["server.form.email"]
        }
        return try await response(
            request, FieldErrors(), emailErrors: errors, typedEmail: email, problem: nil,
            status: .unprocessableContent)
    }

    /// Requires the current password. Ends all other sessions. Revokes the API keys if the person has ticked that
    /// option.
    private func changePassword(_ request: MemberRequest) async throws -> Response {
        let words = page.texts[request.language]
        let member = request.member
        let revokesKeys = request.form["revoke-keys"] != nil
        var errors = FieldErrors()
        let login = try await database.read("SELECT login FROM person WHERE id = \(member.person)").first(String.self)
        do {
            let password = try Password(
                choosing: request.form["password"] ?? "",
                personal: [member.name, login ?? "", request.context.signedIn?.householdName ?? ""],
                minimum: AccountForm.passwordCharacters)
            let network = request.head.peer.network
            switch try await signIn.confirm(request.form["current"] ?? "", member.person, from: network) {
            case .right(let verified):
                if try await signIn.change(
                    verified, to: password, member.person, keeping: member.session, revokesKeys: revokesKeys)
                {
                    return .redirect(to: "/settings/account")
                        .flashing(Flash(revokesKeys ? "password-keys" : "password"))
                }
                errors["current"] = words["server.form.password-wrong"]
            case .wrong: errors["current"] = words["server.form.password-wrong"]
            case .blocked(let seconds): return try await blockedResponse(request, seconds)
            }
        } catch let problem as Password.Problem {
            errors["password"] = PasswordSentence.of(problem, words)
        }
        return try await response(request, errors, problem: nil, status: .unprocessableContent)
    }

    /// Ends the member's membership. Requires the current password.
    private func leave(_ request: MemberRequest) async throws -> Response {
        let words = page.texts[request.language]
        let network = request.head.peer.network
        var errors = FieldErrors()
        switch try await signIn.confirm(request.form["current"] ?? "", request.member.person, from: network) {
        case .right:
            do {
                try await memberships.leave(by: request.member)
            } catch MembershipError.lastOwner {
                let others = try await database.read(
                    request.household,
                    """
                    SELECT count(*) FROM membership
                    WHERE household_id = \(request.household) AND person_id <> \(request.member.person)
                    """
                ).first(Int64.self)
                let key = others == 0 ? "server.members.alone-text" : "server.members.last-owner-text"
                let problem = Problem(title: words["server.members.last-owner"], text: words[key])
                return try await response(request, FieldErrors(), problem: problem, status: .unprocessableContent)
            }
            return SignInController.signedOut().flashing(Flash("left"))
        case .wrong: errors["current"] = words["server.form.password-wrong"]
        case .blocked(let seconds): return try await blockedResponse(request, seconds)
        }
        return try await response(
            request, FieldErrors(), leaveErrors: errors, problem: nil, status: .unprocessableContent)
    }

    private func endSession(_ request: MemberRequest) async throws -> Response {
        let session: SessionID = try request.identifier("session")
        try await request.runOnce(database) { changes in
            let ended = try await changes.query(Sessions.ending(session, of: request.member.person))
            guard !ended.isEmpty else { throw Refusal.notFound }
        }
        return .redirect(to: "/settings/account").flashing(Flash("session-ended"))
    }

    /// The response after too many wrong passwords.
    private func blockedResponse(
        _ request: MemberRequest, _ seconds: Int, typedEmail: String? = nil
    ) async throws -> Response {
        let words = page.texts[request.language]
        let problem = Problem(title: words["errors.429"], text: SignInController.waitingTime(seconds, words))
        var response = try await response(
            request, FieldErrors(), typedEmail: typedEmail, problem: problem, status: .tooManyRequests)
        response.headers[.retryAfter] = String(seconds)
        return response
    }

    private func response(
        _ request: MemberRequest, _ errors: FieldErrors, emailErrors: FieldErrors = FieldErrors(),
        leaveErrors: FieldErrors = FieldErrors(), typedEmail: String? = nil, problem: Problem?, status: Status = .ok
    ) async throws -> Response {
        let person = request.member.person
        let rows = try await database.read(
            request.household,
            batch: [
                "SELECT login FROM person WHERE id = \(person)",
                """
                SELECT id, client, seen_at FROM session WHERE person_id = \(person) AND expires_at > now()
                ORDER BY seen_at DESC LIMIT 50
                """,
                APIKeys.valid(of: person),
            ])
        // A refused form is shown again with its values.
        let language = request.form["language"].flatMap(Language.init(rawValue:)) ?? request.language
        let model = AccountPage(
            name: request.form["name"] ?? request.member.name, isGerman: language == .german,
            email: try rows[0].first.map { try $0[0, as: String.self] } ?? "", typedEmail: typedEmail,
            sessions: try rows[1].decode((SessionID, String, PostgresInstant).self).map { id, client, seen in
                AccountPage.Device(
                    device: client.isEmpty ? page.texts[request.language]["server.session.unknown"] : client,
                    lastSeen: DisplayDate.dayAndTime(seen, request.language),
                    isCurrent: id == request.member.session,
                    endAction: id == request.member.session ? nil : "/settings/sessions/\(id)/end")
            },
            keys: try rows[2].decode((String, String, PostgresInstant?).self).map { name, hint, used in
                AccountPage.Key(
                    name: name, hint: hint, used: used.map { DisplayDate.dayAndTime($0, request.language) })
            },
            revokesKeys: request.form["revoke-keys"] != nil, membership: EndedMembership.value(request.member),
            errors: errors, emailErrors: emailErrors,
            leaveErrors: leaveErrors, problem: problem)
        return page.response(model, for: request, status: status)
    }
}
