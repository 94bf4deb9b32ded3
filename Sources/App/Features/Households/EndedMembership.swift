import Domain
import HTTP
import Postgres

/// Answers a repeated form for leaving or deleting the household, for example after a double click. The first form has
/// ended the session. Without this answer, the person would read that nothing was changed.
struct EndedMembership: Sendable {
    let database: Database

    /// The name of the hidden field with `value`.
    private static let field = "membership"

    /// The household and the person, as the forms contain them.
    static func value(_ member: Member) -> String { "\(member.household) \(member.person)" }

    /// Runs the action of one of the forms. If it is refused because an earlier form has ended the membership, returns
    /// the answer of the earlier form.
    func respond(to request: MemberRequest, _ action: () async throws -> Response) async throws -> Response {
        let result: Result<Response, any Error>
        do {
            let response = try await action()
            guard response.status.code >= 400 else { return response }
            result = .success(response)
        } catch {
            result = .failure(error)
        }
        if let earlier = try await answer(request.head, request.form) { return earlier }
        return try result.get()
    }

    /// Returns the answer of an earlier form. Returns nil for other forms, and while the membership exists; for a
    /// deletion, while the household has any member.
    func answer(_ head: RequestHead, _ form: FormFields) async throws -> Response? {
        let path = "/" + head.segments.joined(separator: "/")
        let deletes = path == HouseholdDeletionController.path
        guard deletes || path == AccountController.leavingPath else { return nil }
        let ids = (form[Self.field] ?? "").split(separator: " ")
        guard ids.count == 2, let household = HouseholdID(ids[0]), let person = PersonID(ids[1]) else { return nil }
        let remaining = try await database.read(
            """
            SELECT 1 FROM membership WHERE household_id = \(household) AND (\(deletes) OR person_id = \(person)) LIMIT 1
            """)
        guard remaining.isEmpty else { return nil }
        return SignInController.signedOut().flashing(Flash(deletes ? "household-deleted" : "left"))
    }
}
