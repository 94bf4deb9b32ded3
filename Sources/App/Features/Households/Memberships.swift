import Domain
import Postgres

/// Changes to memberships and roles.
struct Memberships: Sendable {
    let database: Database

    /// - Throws: `MembershipError.lastOwner`; `Refusal.forbidden` if `member` is no longer an owner;
    ///   `Refusal.notFound`.
    func setRole(_ role: Member.Role, of person: PersonID, by member: Member) async throws {
        try await change(person, by: member) { changes, current in
            // A request to end ownership must not promote a viewer to member.
            guard current != role, role == .owner || current == .owner else { return }
            try await changes.query(
                """
                UPDATE membership SET role = \(role.rawValue)
                WHERE household_id = \(changes.household) AND person_id = \(person)
                """)
            if role != .owner { try await changes.query(batch: Self.deletingLinks(of: person, changes.household)) }
        }
    }

    /// Makes a viewer a member. Does nothing for members and owners.
    ///
    /// - Throws: the errors of `setRole`.
    func promoteViewer(_ person: PersonID, by member: Member) async throws {
        try await change(person, by: member) { changes, current in
            guard current == .viewer else { return }
            try await changes.query(
                """
                UPDATE membership SET role = \(Member.Role.member.rawValue)
                WHERE household_id = \(changes.household) AND person_id = \(person)
                """)
        }
    }

    /// Ends the membership and the person's sessions, API keys and open invitations in this household. Removes default
    /// splits of categories that name the person, and the data that only the person may see: see ``PrivateData``. The
    /// name stays on receipts. If the person has no other household, the account is deleted: see
    /// ``closingAccounts(of:)``.
    ///
    /// - Throws: the errors of `setRole`; `RepeatedForm`; `Refusal.forbidden` for the caller's own membership.
    func remove(_ person: PersonID, form: OperationID? = nil, by member: Member) async throws {
        guard person != member.person else { throw Refusal.forbidden }
        try await change(person, form: form, by: member) { changes, _ in try await Self.end(person, changes) }
    }

    /// Ends the caller's own membership, with the consequences that `remove` describes.
    ///
    /// - Throws: `MembershipError.lastOwner`; `Refusal.forbidden` if the membership has ended already.
    func leave(by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            try await Self.end(member.person, changes)
            guard try await Self.roles(changes).values.contains(.owner) else { throw MembershipError.lastOwner }
        }
    }

    /// Ends a membership with the consequences that `remove` describes.
    private static func end(_ person: PersonID, _ changes: HouseholdTransaction) async throws {
        try await CategorySplit.removeAll(with: person, changes)
        try await PrivateData.delete(of: person, changes)
        try await changes.query(
            batch: deletingLinks(of: person, changes.household) + [
                "DELETE FROM membership WHERE household_id = \(changes.household) AND person_id = \(person)"
            ] + closingAccounts(of: [person]))
    }

    /// Returns statements that delete the accounts of those people who belong to no household. They delete the e-mail
    /// address, which can then be used again, the password, the known devices, and links to set a password. Only the
    /// name stays.
    static func closingAccounts(of people: [PersonID]) -> [SQL] {
        [
            // If a person leaves two households at the same time, the second transaction waits here and then sees that
            // no membership is left.
            "SELECT 1 FROM person WHERE id = ANY(\(people)) ORDER BY id FOR UPDATE",
            """
            UPDATE person SET login = 'removed ' || id WHERE id = ANY(\(people))
                AND NOT EXISTS (SELECT 1 FROM membership m WHERE m.person_id = person.id)
            """,
            "SELECT forget_passwords(\(people)::uuid[])",
            """
            DELETE FROM known_device d WHERE d.person_id = ANY(\(people))
                AND NOT EXISTS (SELECT 1 FROM membership m WHERE m.person_id = d.person_id)
            """,
            """
            DELETE FROM password_reset r WHERE r.person_id = ANY(\(people))
                AND NOT EXISTS (SELECT 1 FROM membership m WHERE m.person_id = r.person_id)
            """,
        ]
    }

    /// Returns statements that delete links which the person created. An invitation would let the person return. A link
    /// to set a password would give the person another member's account.
    private static func deletingLinks(of person: PersonID, _ household: HouseholdID) -> [SQL] {
        [
            "DELETE FROM invitation WHERE household_id = \(household) AND created_by = \(person) AND used_at IS NULL",
            "DELETE FROM password_reset WHERE created_by = \(person)",
        ]
    }

    /// Reads the roles after locking the household's row. If two owners demote each other, the second request is
    /// refused, because its sender is no longer an owner.
    private func change(
        _ person: PersonID, form: OperationID? = nil, by member: Member,
        _ body: (HouseholdTransaction, Member.Role) async throws -> Void
    ) async throws {
        try await database.write(member.household, by: member.person) { changes in
            try await changes.requireFirst(form)
            let before = try await Self.roles(changes)
            guard before[member.person] == .owner else { throw Refusal.forbidden }
            guard let current = before[person] else { throw Refusal.notFound }
            try await body(changes, current)
            guard try await Self.roles(changes).values.contains(.owner) else { throw MembershipError.lastOwner }
        }
    }

    private static func roles(_ changes: HouseholdTransaction) async throws -> [PersonID: Member.Role] {
        let rows = try await changes.query(
            "SELECT person_id, role FROM membership WHERE household_id = \(changes.household)")
        return Dictionary(try rows.decode((PersonID, Member.Role).self).map { ($0.0, $0.1) }) { $1 }
    }
}
