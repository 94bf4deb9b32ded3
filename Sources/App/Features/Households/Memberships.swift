import Domain
import Postgres

/// Why a member's role could not be changed, for the page that asked.
enum MembershipError: Error {
    /// A household without an owner could invite and remove nobody.
    case lastOwner
}

/// Who belongs to a household, and as what.
struct Memberships: Sendable {
    let database: Database

    /// - Throws: `MembershipError.lastOwner`; `Refusal.forbidden` when the one who asks is no owner any more;
    ///   `Refusal.notFound`.
    func setRole(_ role: Member.Role, of person: PersonID, by member: Member) async throws {
        try await change(person, by: member) { changes, current in
            // Who only looks on is made an owner, and is never raised by taking that away.
            guard current != role, role == .owner || current == .owner else { return }
            try await changes.query(
                """
                UPDATE membership SET role = \(role.rawValue)
                WHERE household_id = \(changes.household) AND person_id = \(person)
                """)
            if role != .owner { try await changes.query(Self.endInvitations(of: person, changes.household)) }
        }
    }

    /// Ends the membership and with it the person's sessions and open invitations here; the name stays on what was bought. The e-mail address
    /// of somebody who belongs to no household any more is forgotten, so that it can be invited again.
    ///
    /// - Throws: as `setRole`; `Refusal.forbidden` for oneself.
    func remove(_ person: PersonID, by member: Member) async throws {
        guard person != member.person else { throw Refusal.forbidden }
        try await change(person, by: member) { changes, _ in
            try await changes.query(batch: [
                Self.endInvitations(of: person, changes.household),
                "DELETE FROM membership WHERE household_id = \(changes.household) AND person_id = \(person)",
                """
                UPDATE person SET login = 'removed ' || id WHERE id = \(person)
                    AND NOT EXISTS (SELECT 1 FROM membership m WHERE m.person_id = person.id)
                """,
            ])
        }
    }

    /// A link kept back would be a way in again.
    private static func endInvitations(of person: PersonID, _ household: HouseholdID) -> SQL {
        "DELETE FROM invitation WHERE household_id = \(household) AND created_by = \(person) AND used_at IS NULL"
    }

    /// The household's row is locked and everything is read behind it: owners who take each other's role away stand in
    /// line, and the second one is no owner any more.
    private func change(
        _ person: PersonID, by member: Member,
        _ body: (HouseholdTransaction, Member.Role) async throws -> Void
    ) async throws {
        try await database.write(member.household, by: member.person) { changes in
            func roles() async throws -> [PersonID: Member.Role] {
                let rows = try await changes.query(
                    "SELECT person_id, role FROM membership WHERE household_id = \(changes.household)")
                return Dictionary(try rows.decode((PersonID, Member.Role).self).map { ($0.0, $0.1) }) { $1 }
            }
            let before = try await roles()
            guard before[member.person] == .owner else { throw Refusal.forbidden }
            guard let current = before[person] else { throw Refusal.notFound }
            try await body(changes, current)
            guard try await roles().values.contains(.owner) else { throw MembershipError.lastOwner }
        }
    }
}
