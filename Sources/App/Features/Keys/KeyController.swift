import Domain
import HTTP
import Postgres
import Templates

/// The member's own API keys.
struct KeyController: Sendable {
    private let database: Database
    private let keys: APIKeys
    private let page: View<KeysPage>

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        keys = APIKeys(database: database)
        page = try views.page("keys/index", KeysPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/settings/keys", "KeyController.show", show)
        try routes.member(.post, "/settings/keys", "KeyController.create", role: .viewer, create)
        try routes.member(.post, "/settings/keys/{key}/revocation", "KeyController.revoke", role: .viewer, revoke)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        try await response(request, KeyForm(name: "", scopes: [.read], days: 365))
    }

    /// Shows the new key in this response only.
    private func create(_ request: MemberRequest) async throws -> Response {
        var form = try KeyForm(request.form)
        let words = page.texts[request.language]
        form.errors["name"] = TextLimit.problem(form.name, TextLimit.name, words)
        if form.scopes.isEmpty { form.errors["scopes"] = words["server.key.no-scope"] }
        guard form.errors.isEmpty else {
            return try await response(request, form, status: .unprocessableContent)
        }
        let newKey: (id: KeyID, secret: String)
        do {
            newKey = try await keys.create(
                form.name, scopes: form.scopes, days: form.days, for: request.member.person, in: request.household)
        } catch is TooMany {
            let text = words["server.key.too-many-text", ["count": .number(String(APIKeys.limit))]]
            return try await response(
                request, form, problem: Problem(title: words["server.key.too-many"], text: text),
                status: .unprocessableContent)
        }
        return try await response(
            request, KeyForm(name: "", scopes: [.read], days: 365),
            new: KeysPage.NewKey(name: form.name, key: newKey.secret)
        )
    }

    private func revoke(_ request: MemberRequest) async throws -> Response {
        let key: KeyID = try request.identifier("key")
        try await request.runOnce(database) { changes in
            let revoked = try await changes.query(
                APIKeys.revocation(of: key, request.member.person, request.household))
            guard !revoked.isEmpty else { throw Refusal.notFound }
        }
        return .redirect(to: "/settings/keys").flashing(Flash("key-revoked"))
    }

    private func response(
        _ request: MemberRequest, _ form: KeyForm, new: KeysPage.NewKey? = nil, problem: Problem? = nil,
        status: Status = .ok
    ) async throws -> Response {
        let words = page.texts[request.language]
        let listed = try await keys.list(request.member.person, in: request.household)
        let now = WallClock.microseconds()
        let model = KeysPage(
            new: new, problem: problem,
            keys: listed.map { key in
                let isExpired = key.expiresAt.map { $0.microsecondsSince1970 <= now } ?? false
                return KeysPage.Key(
                    name: key.name, hint: key.hint,
                    scopes: key.scopes.map { words["server.scope.\($0.rawValue)"] }.joined(separator: ", "),
                    expires: key.expiresAt.map { DisplayDate.dayAndTime($0, request.language) },
                    used: key.usedAt.map { DisplayDate.dayAndTime($0, request.language) }, isExpired: isExpired,
                    revokeAction: "/settings/keys/\(key.id)/revocation")
            },
            form: form, words: words)
        var response = page.response(model, for: request, status: status)
        // Uncompressed, because the page contains a secret and text that a person typed (decision 0009).
        response.isCompressible = new == nil
        return response
    }
}
