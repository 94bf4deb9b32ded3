import Domain
import HTTP
import Postgres

/// Switches the session to another household of the same person.
struct OtherHouseholdController: Sendable {
    private let database: Database

    init(_ database: Database) { self.database = database }

    func register(_ routes: inout Routes) throws {
        try routes.member(.post, "/settings/households", "OtherHouseholdController.open", role: .viewer, open)
    }

    /// Opens a household of which the person is a member.
    private func open(_ request: MemberRequest) async throws -> Response {
        guard let household = HouseholdID(try request.form.required("household")) else { throw Refusal.notFound }
        let member = request.member
        // The membership may end while the statement runs.
        let update = try await onConstraint(["session_membership_fkey": Refusal.notFound]) {
            try await database.query(
                """
                UPDATE session s SET household_id = m.household_id FROM membership m
                WHERE s.id = \(member.session) AND s.person_id = \(member.person)
                    AND m.person_id = s.person_id AND m.household_id = \(household)
                """)
        }
        guard update.affected == 1 else { throw Refusal.notFound }
        return .redirect(to: "/").flashing(Flash("household-opened"))
    }
}
