import Crypto
import Domain
import HTTP
import JSON
import Postgres

/// Members and invitations in the API.
struct MemberAPI: Sendable {
    private let config: Config
    private let database: Database
    private let invitations: Invitations
    private let memberships: Memberships

    init(_ config: Config, _ database: Database, _ invitations: Invitations) {
        self.config = config
        self.database = database
        self.invitations = invitations
        memberships = Memberships(database: database)
    }

    func register(_ routes: inout Routes) throws {
        try routes.client(.get, "/api/v1/members/me", "MemberAPI.me", scope: .read, me)
        try routes.client(.get, "/api/v1/members", "MemberAPI.list", scope: .read, list)
        let person = "/api/v1/members/{person}"
        try routes.client(.patch, person, "MemberAPI.setRole", scope: .admin, role: .owner, setRole)
        try routes.client(.delete, person, "MemberAPI.remove", scope: .admin, role: .owner, remove)
        try routes.client(
            .get, "/api/v1/invitations", "MemberAPI.listInvitations", scope: .admin, role: .owner, listInvitations)
        try routes.client(
            .post, "/api/v1/invitations", "MemberAPI.invite", scope: .admin, role: .owner, invite)
        try routes.client(
            .delete, "/api/v1/invitations/{invitation}", "MemberAPI.revoke", scope: .admin, role: .owner, revoke)
    }

    /// Returns the caller and the household. Paths of other operations contain the household's identifier. Programs
    /// show this answer when they are set up.
    private func me(_ request: ClientRequest) async throws -> Response {
        let member = request.member
        var json = JSONWriter()
        json.object { json in
            json.member("id", member.person.description)
            json.member("name", member.name)
            json.member("role", member.role.rawValue)
            json.member("language", member.language.rawValue)
            json.member("household", member.household.description)
            json.member("country", member.country.rawValue)
            json.array("scopes") { json in
                for scope in KeyScope.allCases where request.client.scopes.contains(scope) {
                    json.value(scope.rawValue)
                }
            }
        }
        return request.answer(json)
    }

    private func list(_ request: ClientRequest) async throws -> Response {
        let members = try await database.read(
            request.household,
            """
            SELECT p.id, p.name, m.role FROM membership m JOIN person p ON p.id = m.person_id
            WHERE m.household_id = \(request.household) ORDER BY m.joined_at, p.id
            """
        ).decode((PersonID, String, Member.Role).self)
        return request.answer(list: "members", next: nil) { json in
            for (id, name, role) in members {
                json.object { json in
                    json.member("id", id.description)
                    json.member("name", name)
                    json.member("role", role.rawValue)
                }
            }
        }
    }

    /// Makes a person an owner or a member.
    private func setRole(_ request: ClientRequest) async throws -> Response {
        let person: PersonID = try request.identifier("person")
        var fields = JSONFields(try request.object())
        let role: Member.Role? = fields.choice("role")
        if role == nil || role == .viewer, fields.errors.isEmpty { fields.refuse("role", "must be owner or member") }
        try fields.finish()
        guard let role else { throw Refusal.badRequest }
        if role == .member { try await memberships.promoteViewer(person, by: request.member) }
        try await memberships.setRole(role, of: person, by: request.member)
        return Response(.noContent)
    }

    private func remove(_ request: ClientRequest) async throws -> Response {
        try await memberships.remove(try request.identifier("person"), by: request.member)
        return Response(.noContent)
    }

    /// Lists the invitations that can still be used. Their links are not stored.
    private func listInvitations(_ request: ClientRequest) async throws -> Response {
        let open = try await database.read(request.household, Invitations.open(in: request.household))
            .decode((InvitationID, String, Member.Role, PostgresInstant).self)
        return request.answer(list: "invitations", next: nil) { json in
            for (id, author, role, expires) in open {
                json.object { json in
                    json.member("id", id.description)
                    json.member("created_by", author)
                    json.member("role", role.rawValue)
                    json.member("expires_at", WallClock.iso(expires.microsecondsSince1970))
                }
            }
        }
    }

    /// The link is only in this response, because only its hash is stored.
    private func invite(_ request: ClientRequest) async throws -> Response {
        var fields = JSONFields(try request.object())
        let role: Member.Role = fields.choice("role") ?? .member
        if role == .owner { fields.refuse("role", "must be member or viewer") }
        try fields.finish()
        let newInvitation = try await request.writingOnce {
            try await invitations.invite(into: request.household, by: request.member.person, role: role)
        }
        var json = JSONWriter()
        json.object { json in
            json.member("id", newInvitation.id.description)
            json.member("role", role.rawValue)
            json.member("expires_at", WallClock.iso(newInvitation.expiresAt.microsecondsSince1970))
            json.member("link", "\(config.baseURL)/join/\(newInvitation.token.secret)")
        }
        var response = request.answer(json, status: .created)
        response.headers[IdempotentRequests.secretMember] = "link"
        return response
    }

    private func revoke(_ request: ClientRequest) async throws -> Response {
        let id: InvitationID = try request.identifier("invitation")
        guard try await invitations.revoke(id, by: request.member) else { throw Refusal.notFound }
        return Response(.noContent)
    }
}
