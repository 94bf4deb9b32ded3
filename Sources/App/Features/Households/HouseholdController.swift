import Crypto
import Domain
import HTTP
import Postgres
import Templates

/// The settings of the household: name, members, invitations, region, and personal details on pictures.
struct HouseholdController: Sendable {
    private let config: Config
    private let database: Database
    private let invitations: Invitations
    private let memberships: Memberships
    private let resets: PasswordResets
    private let page: View<HouseholdPage>

    init(
        _ config: Config, _ database: Database, _ invitations: Invitations, _ resets: PasswordResets, _ views: Views
    ) throws {
        self.config = config
        self.database = database
        self.invitations = invitations
        self.resets = resets
        memberships = Memberships(database: database)
        page = try views.page("settings/household", HouseholdPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/settings/household", "HouseholdController.show", show)
        try routes.member(.post, "/settings/household", "HouseholdController.rename", role: .owner, rename)
        try routes.member(
            .post, "/settings/personal-details", "HouseholdController.setPersonalDetails", role: .owner,
            setPersonalDetails)
        try routes.member(.post, "/settings/region", "HouseholdController.setRegion", role: .owner, setRegion)
        try routes.member(.post, "/settings/invitations", "HouseholdController.invite", role: .owner, invite)
        try routes.member(
            .post, "/settings/invitations/{invitation}/revocation", "HouseholdController.revoke", role: .owner, revoke)
        try routes.member(
            .post, "/settings/members/{person}/removal", "HouseholdController.removeMember", role: .owner, removeMember)
        try routes.member(
            .post, "/settings/members/{person}/reset-link", "HouseholdController.makeResetLink", role: .owner,
            makeResetLink)
        try routes.member(
            .post, "/settings/members/{person}/membership", "HouseholdController.promoteViewer", role: .owner,
            promoteViewer)
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
            try changes.requireOwner()
            _ = try await changes.query("UPDATE household SET name = \(name) WHERE id = \(request.household)")
        }
        return .redirect(to: "/settings/household").flashing(Flash("saved"))
    }

    /// Sets whether personal details are covered on pictures of receipts that are read from now on.
    private func setPersonalDetails(_ request: MemberRequest) async throws -> Response {
        let keeps = request.form["cover"] == nil
        try await database.write(request.household, by: request.member.person) { changes in
            try changes.requireOwner()
            _ = try await changes.query(
                "UPDATE household SET keeps_personal_details = \(keeps) WHERE id = \(request.household)")
        }
        return .redirect(to: "/settings/household").flashing(Flash("saved"))
    }

    /// Shows the link once, in this response, because only its hash is stored.
    private func invite(_ request: MemberRequest) async throws -> Response {
        let role = request.form["role"].map(Member.Role.init(rawValue:)) ?? .member
        guard let role, role != .owner else { throw Refusal.badRequest }
        let newInvitation: NewInvitation
        do {
            newInvitation = try await invitations.invite(
                into: request.household, by: request.member.person, role: role)
        } catch let full as TooMany {
            let words = page.texts[request.language]
            let text = words["server.invite.too-many-text", ["count": .number(String(full.limit))]]
            return try await response(
                request, problem: Problem(title: words["server.invite.too-many"], text: text),
                status: .unprocessableContent)
        }
        let address = address(for: request)
        return try await response(
            request,
            invitation: (
                link: "\(address.text)/join/\(newInvitation.token.secret)", opensOnlyHere: address.opensOnlyHere
            )
        ).withoutReferrer()
    }

    /// Returns the address for links, and whether it can be opened only on this machine.
    private func address(for request: MemberRequest) -> (text: String, opensOnlyHere: Bool) {
        let head = request.head
        return Self.address(
            config.baseURL, askedAt: head.host, authority: head.headers[.host], isSecure: head.isSecure)
    }

    /// Returns the address at which other devices can reach the server. This is the configured address, or the address
    /// in this request if the configured address is a name of this machine.
    ///
    /// - Parameter authority: the Host field of the request, with its port.
    static func address(
        _ base: BaseURL, askedAt host: String, authority: String?, isSecure: Bool
    ) -> (text: String, opensOnlyHere: Bool) {
        guard ThisMachine.isNamed(base.host) else { return (base.description, false) }
        guard !ThisMachine.isNamed(host), let authority else { return (base.description, true) }
        return ("\(isSecure ? "https" : "http")://\(authority)", false)
    }

    /// Shows the link once, in this response.
    private func makeResetLink(_ request: MemberRequest) async throws -> Response {
        let person: PersonID = try request.identifier("person")
        let token = try await resets.create(for: person, by: request.member)
        return try await response(request, reset: (person, "\(address(for: request).text)/reset/\(token.secret)"))
            .withoutReferrer()
    }

    /// Sets currency, country and time zone. Changing the currency recomputes the spending of all months.
    private func setRegion(_ request: MemberRequest) async throws -> Response {
        let form = request.form
        guard let currency = Currency(rawValue: try form.required("currency")),
            Currency.ofHouseholds.contains(currency),
            let country = Country(rawValue: try form.required("country"))
        else { throw Refusal.badRequest }
        let zone = try form.required("zone")
        guard zone.isEmpty || TimeZone.named(zone) != nil else {
            var errors = FieldErrors()
            errors["zone"] = page.texts[request.language]["server.household.time-zone"]
            return try await response(request, errors: errors, status: .unprocessableContent)
        }
        let household = request.household
        try await database.write(household, by: request.member.person) { changes in
            try changes.requireOwner()
            let before = try await changes.query("SELECT currency FROM household WHERE id = \(household)")
            try await changes.query(
                """
                UPDATE household SET currency = \(currency), country = \(country),
                    time_zone = \(zone.isEmpty ? nil : zone) WHERE id = \(household)
                """)
            guard try before.first(Currency.self) != currency else { return }
            try await PublishedRates.publish(changes)
            let months = try await changes.query(
                """
                SELECT booked_month FROM receipt WHERE household_id = \(household) AND booked_month IS NOT NULL
                UNION SELECT month FROM spending_month WHERE household_id = \(household)
                UNION SELECT date_trunc('month', day)::date FROM expense
                WHERE household_id = \(household) AND receipt_id IS NULL AND discarded_at IS NULL ORDER BY 1
                """
            ).decode(LocalDate.self)
            let sums = RollUps.spending(months, household)
            if !sums.isEmpty { try await changes.query(batch: sums) }
        }
        return .redirect(to: "/settings/household").flashing(Flash("saved"))
    }

    private func revoke(_ request: MemberRequest) async throws -> Response {
        let id: InvitationID = try request.identifier("invitation")
        do {
            try await request.runOnce(database) { changes in
                try changes.requireOwner()
                let rows = try await changes.query(batch: [
                    Invitations.revocation(of: id, in: request.household),
                    "SELECT 1 FROM invitation WHERE id = \(id) AND household_id = \(request.household)",
                ])
                guard rows[0].isEmpty else { return }
                throw rows[1].isEmpty ? Refusal.notFound as any Error : AlreadyDeleted()
            }
        } catch is AlreadyDeleted {
            return .redirect(to: "/settings/household").flashing(Flash("invitation-used"))
        }
        return .redirect(to: "/settings/household").flashing(Flash("invitation-revoked"))
    }

    /// Refuses to remove the caller's own membership.
    private func removeMember(_ request: MemberRequest) async throws -> Response {
        let person: PersonID = try request.identifier("person")
        do {
            try await memberships.remove(person, form: request.sentForm, by: request.member)
        } catch is RepeatedForm {
            // The first form has removed the member.
        }
        return .redirect(to: "/settings/household").flashing(Flash("member-removed"))
    }

    private func promoteViewer(_ request: MemberRequest) async throws -> Response {
        try await memberships.promoteViewer(try request.identifier("person"), by: request.member)
        return .redirect(to: "/settings/household").flashing(Flash("saved"))
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
        _ request: MemberRequest, invitation: (link: String, opensOnlyHere: Bool)? = nil,
        reset: (person: PersonID, link: String)? = nil, errors: FieldErrors = FieldErrors(), problem: Problem? = nil,
        status: Status = .ok
    ) async throws -> Response {
        let household = request.household
        let isOwner = request.member.role == .owner
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT p.id, p.name, p.login, m.role,
                    EXISTS (SELECT 1 FROM membership o WHERE o.person_id = p.id AND o.household_id <> m.household_id)
                FROM membership m JOIN person p ON p.id = m.person_id
                WHERE m.household_id = \(household) ORDER BY m.joined_at, p.id
                """,
                Invitations.open(in: household),
                """
                SELECT keeps_personal_details, currency, country, coalesce(time_zone, '') FROM household
                WHERE id = \(household)
                """,
            ])
        guard let (keepsDetails, currency, country, zone) = try rows[2].first((Bool, Currency, Country, String).self)
        else { throw Refusal.notFound }
        let people = try rows[0].decode((PersonID, String, String, Member.Role, Bool).self)
        let owners = people.count { _, _, _, role, _ in role == .owner }
        // A refused form is shown again with its values.
        let form = request.form
        let model = HouseholdPage(
            householdName: form["household"] ?? request.context.signedIn?.householdName ?? "", isOwner: isOwner,
            newInvitation: invitation.map {
                HouseholdPage.NewInvitation(
                    link: $0.link, opensOnlyHere: $0.opensOnlyHere,
                    expires: WallClock.today().adding(days: 7).formatted(request.language))
            },
            newReset: reset.map { reset in
                HouseholdPage.NewReset(link: reset.link, name: people.first { $0.0 == reset.person }?.1 ?? "")
            },
            members: people.map { Self.person($0, request.member, hasOtherOwners: owners > 1) },
            invitations: try rows[1].decode((InvitationID, String, Member.Role, PostgresInstant).self).map { row in
                Self.invited(row, request.language)
            },
            coversPersonalDetails: !keepsDetails,
            region: HouseholdPage.Region(
                currency: form["currency"].flatMap(Currency.init(rawValue:)) ?? currency,
                country: form["country"].flatMap(Country.init(rawValue:)) ?? country, timeZone: form["zone"] ?? zone,
                words: page.texts[request.language]),
            watchedFolder: config.watchedFolder.map { "\($0)/\(request.household)" }, errors: errors, problem: problem)
        return page.response(model, for: request, status: status)
    }

    private static func person(
        _ row: (id: PersonID, name: String, login: String, role: Member.Role, hasOtherHousehold: Bool),
        _ member: Member, hasOtherOwners: Bool
    ) -> HouseholdPage.Person {
        let isYou = row.id == member.person
        let mayChange = member.role == .owner
        let path = "/settings/members/\(row.id)"
        return HouseholdPage.Person(
            name: row.name, email: row.login, isYou: isYou, isOwner: row.role == .owner,
            isViewer: row.role == .viewer,
            resetAction: mayChange && !isYou && !row.hasOtherHousehold ? "\(path)/reset-link" : nil,
            removeAction: mayChange && !isYou ? "\(path)/removal" : nil,
            editAction: mayChange && row.role == .viewer ? "\(path)/membership" : nil,
            promoteAction: mayChange && row.role == .member ? "\(path)/ownership" : nil,
            demoteAction: mayChange && row.role == .owner && hasOtherOwners ? "\(path)/ownership/removal" : nil)
    }

    private static func invited(
        _ row: (id: InvitationID, name: String, role: Member.Role, expires: PostgresInstant), _ language: Language
    ) -> HouseholdPage.OpenInvitationRow {
        HouseholdPage.OpenInvitationRow(
            inviterName: row.name, isViewer: row.role == .viewer, expires: DisplayDate.day(row.expires, language),
            revokeAction: "/settings/invitations/\(row.id)/revocation")
    }
}
