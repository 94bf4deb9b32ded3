import Crypto
import Domain
import HTTP
import Postgres
import Templates

/// The settings of the household: name, members, invitations.
struct HouseholdController: Sendable {
    private let config: Config
    private let database: Database
    private let invitations: Invitations
    private let memberships: Memberships
    private let page: View<HouseholdPage>

    init(_ config: Config, _ database: Database, _ invitations: Invitations, _ views: Views) throws {
        self.config = config
        self.database = database
        self.invitations = invitations
        memberships = Memberships(database: database)
        page = try views.page("settings/household", HouseholdPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/settings/household", "HouseholdController.show", show)
        try routes.member(.post, "/settings/household", "HouseholdController.rename", role: .owner, rename)
        try routes.member(
            .post, "/settings/personal-details", "HouseholdController.setPersonalDetails", role: .owner,
            setPersonalDetails)
        try routes.member(.post, "/settings/invitations", "HouseholdController.invite", role: .owner, invite)
        try routes.member(
            .post, "/settings/invitations/{invitation}/revocation", "HouseholdController.revoke", role: .owner, revoke)
        try routes.member(
            .post, "/settings/members/{person}/removal", "HouseholdController.removeMember", role: .owner, removeMember)
        try routes.member(
            .post, "/settings/members/{person}/ownership", "HouseholdController.makeOwner", role: .owner, makeOwner)
        try routes.member(
            .post, "/settings/members/{person}/ownership/removal", "HouseholdController.makeMember", role: .owner,
            makeMember)
    }

    private func show(_ request: MemberRequest) async throws -> Response { try await response(request) }

    private func rename(_ request: MemberRequest) async throws -> Response {
        let name = request.form.trimmed("household") ?? ""
        if let sentence = TextLimit.problem(name, TextLimit.name, page.texts[request.language]) {
            var errors = FieldErrors()
            errors["household"] = sentence
            return try await response(request, errors: errors, status: .unprocessableContent)
        }
        try await database.write(request.household, by: request.member.person) { changes in
            _ = try await changes.query("UPDATE household SET name = \(name) WHERE id = \(request.household)")
        }
        return .redirect(to: "/settings/household").flashing(Flash("saved"))
    }

    /// Sets whether personal details are covered on the pictures of receipts that are read from now on.
    private func setPersonalDetails(_ request: MemberRequest) async throws -> Response {
        let keeps = request.form["cover"] == nil
        try await database.write(request.household, by: request.member.person) { changes in
            _ = try await changes.query(
                "UPDATE household SET keeps_personal_details = \(keeps) WHERE id = \(request.household)")
        }
        return .redirect(to: "/settings/household").flashing(Flash("saved"))
    }

    /// The link is shown once, in this response: only its hash is stored.
    private func invite(_ request: MemberRequest) async throws -> Response {
        let token = try await invitations.invite(
            into: request.household, by: request.member.person, role: .member)
        return try await response(request, link: "\(config.baseURL)/join/\(token.secret)").withoutReferrer()
    }

    private func revoke(_ request: MemberRequest) async throws -> Response {
        let id: InvitationID = try request.identifier("invitation")
        let rows = try await database.query(
            "DELETE FROM invitation WHERE id = \(id) AND household_id = \(request.household) RETURNING id")
        guard !rows.isEmpty else { throw Refusal.notFound }
        return .redirect(to: "/settings/household").flashing(Flash("invitation-revoked"))
    }

    /// Refused for the owner's own membership.
    private func removeMember(_ request: MemberRequest) async throws -> Response {
        try await memberships.remove(try request.identifier("person"), by: request.member)
        return .redirect(to: "/settings/household").flashing(Flash("member-removed"))
    }

    private func makeOwner(_ request: MemberRequest) async throws -> Response { try await setRole(.owner, request) }

    private func makeMember(_ request: MemberRequest) async throws -> Response { try await setRole(.member, request) }

    private func setRole(_ role: Member.Role, _ request: MemberRequest) async throws -> Response {
        do {
            try await memberships.setRole(role, of: try request.identifier("person"), by: request.member)
        } catch MembershipError.lastOwner {
            let words = page.texts[request.language]
            return try await response(
                request,
                problem: Problem(
                    title: words["server.members.last-owner"], text: words["server.members.last-owner-text"]),
                status: .unprocessableContent)
        }
        return .redirect(to: "/settings/household").flashing(Flash("saved"))
    }

    private func response(
        _ request: MemberRequest, link: String? = nil, errors: FieldErrors = FieldErrors(), problem: Problem? = nil,
        status: Status = .ok
    ) async throws -> Response {
        let household = request.household
        let isOwner = request.member.role == .owner
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT p.id, p.name, p.login, m.role FROM membership m JOIN person p ON p.id = m.person_id
                WHERE m.household_id = \(household) ORDER BY m.joined_at, p.id
                """,
                """
                SELECT i.id, p.name, i.expires_at FROM invitation i JOIN person p ON p.id = i.created_by
                WHERE i.household_id = \(household) AND i.used_at IS NULL AND i.expires_at > now()
                ORDER BY i.expires_at
                """,
                "SELECT keeps_personal_details FROM household WHERE id = \(household)",
            ])
        let people = try rows[0].decode((PersonID, String, String, Member.Role).self)
        let owners = people.count { $0.3 == .owner }
        let model = HouseholdPage(
            householdName: request.context.signedIn?.householdName ?? "", isOwner: isOwner,
            newInvitation: link.map {
                HouseholdPage.NewInvitation(
                    link: $0, expires: WallClock.today().adding(days: 7).formatted(request.language))
            },
            members: people.map { Self.person($0, request.member, hasOtherOwners: owners > 1) },
            invitations: try rows[1].decode((InvitationID, String, PostgresInstant).self).map { row in
                Self.invited(row, request.language)
            },
            coversPersonalDetails: !(try rows[2].first?[0, as: Bool.self] ?? false), errors: errors, problem: problem)
        return page.response(model, for: request, status: status)
    }

    private static func person(
        _ row: (id: PersonID, name: String, login: String, role: Member.Role), _ member: Member, hasOtherOwners: Bool
    ) -> HouseholdPage.Person {
        let isYou = row.id == member.person
        let mayChange = member.role == .owner
        let path = "/settings/members/\(row.id)"
        return HouseholdPage.Person(
            name: row.name, email: row.login, isYou: isYou, isOwner: row.role == .owner,
            removeAction: mayChange && !isYou ? "\(path)/removal" : nil,
            promoteAction: mayChange && row.role == .member ? "\(path)/ownership" : nil,
            demoteAction: mayChange && row.role == .owner && hasOtherOwners ? "\(path)/ownership/removal" : nil)
    }

    private static func invited(
        _ row: (id: InvitationID, name: String, expires: PostgresInstant), _ language: Language
    ) -> HouseholdPage.Invited {
        HouseholdPage.Invited(
            inviterName: row.name, expires: DisplayDate.day(row.expires, language),
            revokeAction: "/settings/invitations/\(row.id)/revocation")
    }
}
