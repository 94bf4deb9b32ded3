import Domain
import HTTP
import Templates

/// The page on which an owner deletes the household.
struct HouseholdDeletionController: Sendable {
    private let deletion: HouseholdDeletion
    private let endedMembership: EndedMembership
    private let signIn: SignIn
    private let page: View<HouseholdDeletionPage>

    static let path = "/settings/household/deletion"

    init(_ config: Config, _ database: Database, _ signIn: SignIn, _ views: Views) throws {
        deletion = HouseholdDeletion(database: database, archivesRoot: config.backupFolder)
        endedMembership = EndedMembership(database: database)
        self.signIn = signIn
        page = try views.page("settings/deletion", HouseholdDeletionPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, Self.path, "HouseholdDeletionController.show", role: .owner) { request in
            response(request)
        }
        try routes.member(.post, Self.path, "HouseholdDeletionController.delete", role: .owner) { request in
            try await endedMembership.respond(to: request) { try await delete(request) }
        }
    }

    /// Requires the name of the household and the password.
    private func delete(_ request: MemberRequest) async throws -> Response {
        let words = page.words(request)
        let member = request.member
        var errors = FieldErrors()
        guard request.form.trimmed("household") == request.context.signedIn?.householdName else {
            errors["household"] = words["server.household.other-name"]
            return response(request, errors, status: .unprocessableContent)
        }
        switch try await signIn.confirm(
            request.form["current"] ?? "", member.person, from: request.head.peer.network)
        {
        case .right: break
        case .wrong:
            errors["current"] = words["server.form.password-wrong"]
            return response(request, errors, status: .unprocessableContent)
        case .blocked(let seconds): throw Refusal(.tooManyRequests, "tooMany", retryAfter: seconds)
        }
        try await deletion.begin(request.household, by: member.person)
        // Best effort: the sweeper completes the deletion later.
        _ = try? await deletion.finish(request.household, within: .seconds(10))
        return SignInController.signedOut().flashing(Flash("household-deleted"))
    }

    private func response(
        _ request: MemberRequest, _ errors: FieldErrors = FieldErrors(), status: Status = .ok
    ) -> Response {
        let model = HouseholdDeletionPage(
            householdName: request.context.signedIn?.householdName ?? "",
            membership: EndedMembership.value(request.member),
            typedName: request.form["household"] ?? "", hasArchives: deletion.archivesRoot != nil, errors: errors)
        return page.response(model, for: request, status: status)
    }
}
