import Domain
import HTTP
import JSON
import Postgres

/// API routes that list, create and revoke the caller's own API keys.
struct KeyAPI: Sendable {
    private let keys: APIKeys

    init(_ database: Database) { keys = APIKeys(database: database) }

    func register(_ routes: inout Routes) throws {
        try routes.client(.get, "/api/v1/keys", "KeyAPI.list", scope: .admin, list)
        try routes.client(.post, "/api/v1/keys", "KeyAPI.create", scope: .admin, role: .viewer, create)
        try routes.client(.delete, "/api/v1/keys/{key}", "KeyAPI.revoke", scope: .admin, role: .viewer, revoke)
    }

    private func list(_ request: ClientRequest) async throws -> Response {
        let listed = try await keys.list(request.member.person, in: request.household)
        return request.answer(list: "keys", next: nil) { json in for key in listed { Self.write(key, &json) } }
    }

    /// Creates a key. Its scopes are among those of the calling key, and it expires no later than the calling key.
    private func create(_ request: ClientRequest) async throws -> Response {
        var fields = JSONFields(try request.object())
        let name = fields.requiredText("name", 1...TextLimit.name)
        let names = (fields.list("scopes", maximum: KeyScope.allCases.count) ?? []).map(\.string)
        let scopes = Set(names.compactMap { $0.flatMap(KeyScope.init(rawValue:)) })
        if scopes.isEmpty || scopes.count != names.count {
            let all = KeyScope.allCases.map(\.rawValue).joined(separator: ", ")
            fields.refuse("scopes", "must be a list of one or more of \(all)")
        } else if !scopes.isSubset(of: request.client.scopes) {
            fields.refuse("scopes", "must not exceed the scopes of the calling key")
        }
        let days = fields.integer("days", 1...3650)
        try fields.finish()
        let newKey = try await request.writingOnce {
            try await keys.create(
                name, scopes: scopes, days: days.map(Int.init), by: request.client.key, for: request.member.person,
                in: request.household)
        }
        let listed = try await keys.list(request.member.person, in: request.household)
        guard let key = listed.first(where: { $0.id == newKey.id }) else { throw Refusal.notFound }
        var json = JSONWriter()
        Self.write(key, &json, secret: newKey.secret)
        var response = request.answer(json, status: .created)
        response.headers[IdempotentRequests.secretMember] = "key"
        return response
    }

    private func revoke(_ request: ClientRequest) async throws -> Response {
        let key: KeyID = try request.identifier("key")
        guard try await keys.revoke(key, of: request.member.person, in: request.household) else {
            throw Refusal.notFound
        }
        return Response(.noContent)
    }

    private static func write(_ key: APIKeys.ListedKey, _ json: inout JSONWriter, secret: String? = nil) {
        func time(_ instant: PostgresInstant?) -> String? { instant.map { WallClock.iso($0.microsecondsSince1970) } }
        json.object { json in
            json.member("id", key.id.description)
            json.member("name", key.name)
            json.member("hint", key.hint)
            json.array("scopes") { json in for scope in key.scopes { json.value(scope.rawValue) } }
            json.member("created_at", time(key.createdAt))
            json.member("expires_at", time(key.expiresAt))
            json.member("used_at", time(key.usedAt))
            if let secret { json.member("key", secret) }
        }
    }
}
