import Domain
import EventLoop
import Postgres

/// Deletes a household in two steps: first all members lose access, then the data is erased.
///
/// The data is erased in batches, because a household can have more rows than one statement can delete in time. The
/// sweeper completes an erasure that was interrupted.
struct HouseholdDeletion: Sendable {
    let database: Database
    /// The folder with the archives of all households; nil for none.
    let archivesRoot: String?

    /// The maximum number of log rows, and of revisions, that one statement deletes.
    private static let historyBatch: Int32 = 2_000
    /// The maximum number of receipts or pictures that one statement deletes.
    private static let contentBatch: Int64 = 200

    /// Ends all memberships, with their sessions and API keys, and the accounts of members without another household.
    /// Deletes invitations, jobs and webhooks.
    ///
    /// - Parameter owner: the person who deletes the household; nil for the operator.
    /// - Throws: `Refusal.forbidden` if the person is not an owner; `Refusal.notFound`.
    func begin(_ household: HouseholdID, by owner: PersonID?) async throws {
        try await database.write(household, by: owner) { changes in
            let members = try await changes.query(
                "SELECT person_id, role FROM membership WHERE household_id = \(household)"
            ).decode((PersonID, Member.Role).self)
            guard owner == nil || members.contains(where: { $0.0 == owner && $0.1 == .owner }) else {
                throw Refusal.forbidden
            }
            try await changes.query(batch: [
                Self.beginning(household),
                // No person can join without an invitation. People who joined before are in `members`.
                "DELETE FROM invitation WHERE household_id = \(household)",
                "DELETE FROM job WHERE household_id = \(household)",
                "DELETE FROM webhook WHERE household_id = \(household)",
                "DELETE FROM membership WHERE household_id = \(household)",
            ])
            try await changes.query(batch: Memberships.closingAccounts(of: members.map(\.0)))
        }
    }

    /// Stores that the household is being deleted, with its present and former members. Each of them has or had a
    /// document of preferences, and the person's identifier is also that of the document. People who left before such
    /// documents existed are found by their receipts.
    private static func beginning(_ household: HouseholdID) -> SQL {
        """
        INSERT INTO household_deletion (household_id, people) VALUES (\(household), ARRAY(
            SELECT person_id FROM membership WHERE household_id = \(household)
            UNION SELECT document_id FROM sync_document
                WHERE household_id = \(household) AND document_type = 'preferences'
            UNION SELECT person_id FROM receipt WHERE household_id = \(household) AND person_id IS NOT NULL))
        ON CONFLICT DO NOTHING
        """
    }

    /// The households whose data has not been erased completely.
    static func unfinishedDeletions(_ database: Database) async throws -> [HouseholdID] {
        try await database.read("SELECT household_id FROM household_deletion ORDER BY requested_at")
            .decode(HouseholdID.self)
    }

    /// Erases the data of a household that `begin` has deleted. Does nothing for other households.
    ///
    /// - Parameter time: the time after which the rest is left to the sweeper; nil for no limit.
    /// - Throws: `PostgresError`; `SystemError` if the archives cannot be deleted.
    func finish(_ household: HouseholdID, within time: Duration? = nil) async throws {
        let deadline = time.map { EventLoop.monotonicNow() + $0.nanoseconds }
        let begun = try await database.read(
            """
            SELECT 1 FROM household_deletion d WHERE d.household_id = \(household)
                AND NOT EXISTS (SELECT 1 FROM membership m WHERE m.household_id = d.household_id)
            """)
        guard !begun.isEmpty else { return }
        let archives = archivesRoot.map { HouseholdArchives(root: $0, household) }
        // The folder is deleted again at the end, because an archive may be written in the meantime.
        _ = try? archives?.removeFolder()
        guard try await eraseInBatches(household, until: deadline) else { return }
        try await database.pool.transaction(household: household) { transaction in
            // Wait for jobs that are storing results.
            try await transaction.query("SELECT 1 FROM household WHERE id = \(household) FOR UPDATE")
            try await transaction.query(batch: Self.erasing(household))
        }
        try await deleteFormerPeople(of: household)
        try archives?.removeFolder()
        try await database.query("DELETE FROM household_deletion WHERE household_id = \(household)")
    }

    /// Returns false if the deadline, in nanoseconds of the monotonic clock, has passed.
    private func eraseInBatches(_ household: HouseholdID, until deadline: Int64?) async throws -> Bool {
        let history: SQL = "SELECT erase_history(\(household), \(Self.historyBatch))"
        var erasedCount: Int32? = Self.historyBatch
        while erasedCount == Self.historyBatch {
            guard Self.hasTime(deadline) else { return false }
            erasedCount = try await database.store(household, history).first(Int32.self)
        }
        let links: [SQL] = [
            "UPDATE receipt SET duplicate_of = NULL WHERE household_id = \(household) AND duplicate_of IS NOT NULL",
            // A page of a joined receipt can belong to a file of another receipt.
            "UPDATE receipt_page SET file_id = NULL WHERE household_id = \(household) AND file_id IS NOT NULL",
        ]
        try await database.store(household, batch: links)
        let receipts: SQL = """
            DELETE FROM receipt WHERE household_id = \(household) AND id IN (
                SELECT id FROM receipt WHERE household_id = \(household) LIMIT \(Self.contentBatch))
            """
        let pictures: SQL = """
            DELETE FROM blob WHERE household_id = \(household) AND id IN (
                SELECT id FROM blob WHERE household_id = \(household) LIMIT \(Self.contentBatch))
            """
        for batch in [receipts, pictures] {
            var isComplete = false
            while !isComplete {
                guard Self.hasTime(deadline) else { return false }
                isComplete = try await database.store(household, batch).affected < Int(Self.contentBatch)
            }
        }
        return Self.hasTime(deadline)
    }

    private static func hasTime(_ deadline: Int64?) -> Bool {
        guard let deadline else { return true }
        return EventLoop.monotonicNow() < deadline
    }

    /// Returns statements that delete a household with all its rows, in the order that the foreign keys require. Rows
    /// of other tables are deleted with the rows that they refer to.
    static func erasing(_ household: HouseholdID) -> [SQL] {
        [
            "DELETE FROM expense WHERE household_id = \(household)",
            "DELETE FROM expense_rule WHERE household_id = \(household)",
            "DELETE FROM recurring_expense WHERE household_id = \(household)",
            "DELETE FROM budget WHERE household_id = \(household)",
            "DELETE FROM price WHERE household_id = \(household)",
            "UPDATE receipt SET duplicate_of = NULL WHERE household_id = \(household)",
            "DELETE FROM receipt WHERE household_id = \(household)",
            "DELETE FROM blob WHERE household_id = \(household)",
            "DELETE FROM product WHERE household_id = \(household)",
            "DELETE FROM comparison_group WHERE household_id = \(household)",
            "DELETE FROM store WHERE household_id = \(household)",
            "UPDATE category SET parent_id = NULL WHERE household_id = \(household)",
            "DELETE FROM category WHERE household_id = \(household)",
            "DELETE FROM household WHERE id = \(household)",
        ]
    }

    /// Deletes the present and former members of the household who belong to no other household. Keeps people whose
    /// names are shown by rows of another household.
    private func deleteFormerPeople(of household: HouseholdID) async throws {
        let people = try await database.read(
            """
            SELECT p.id FROM household_deletion d JOIN person p ON p.id = ANY(d.people)
            WHERE d.household_id = \(household)
                AND NOT EXISTS (SELECT 1 FROM membership m WHERE m.person_id = p.id)
            """
        ).decode(PersonID.self)
        for person in people {
            guard try await delete(person) else { return }
        }
    }

    /// Deletes a person, unless rows of another household show their name. Returns false if the statement has timed
    /// out, which can happen because PostgreSQL searches the tables of all households for the person. The row of the
    /// person then stays; `closingAccounts` has removed everything but the name.
    private func delete(_ person: PersonID) async throws -> Bool {
        // With the row locked, the person cannot become a member of a household that is being restored.
        let lock: SQL = "SELECT 1 FROM person WHERE id = \(person) FOR UPDATE"
        let deletion: SQL = """
            DELETE FROM person WHERE id = \(person)
                AND NOT EXISTS (SELECT 1 FROM membership m WHERE m.person_id = person.id)
            """
        do {
            try await database.query(batch: [lock, deletion])
        } catch {
            if error.kind == .timedOut { return false }
            guard error.sqlState == .foreignKeyViolation else { throw error }
        }
        return true
    }
}
