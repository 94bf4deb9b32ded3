import Postgres

/// Limits the number of uploaded files that wait for a person's confirmation.
enum WaitingFiles {
    /// Deletes a person's oldest files, so that at most `maximum` files wait after the next file is stored. The
    /// transaction has locked the household, so simultaneous uploads are counted one after another.
    ///
    /// - Parameters:
    ///   - table: a table with the columns `household_id`, `id`, `person_id` and `created_at`.
    ///   - condition: a condition on the rows that wait.
    ///   - kept: a condition on rows that are counted but not deleted. These rows must have the latest `created_at`.
    static func makeRoom(
        in table: SQL, maximum: Int64, for member: Member, where condition: SQL = "true", keeping kept: SQL = "false",
        _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        try await changes.query(
            """
            WITH gone AS (
                DELETE FROM \(table) WHERE household_id = \(household) AND NOT (\(kept)) AND id = ANY(ARRAY(
                    SELECT id FROM \(table) WHERE household_id = \(household) AND person_id = \(member.person)
                        AND \(condition) ORDER BY created_at DESC, id DESC OFFSET \(maximum - 1)))
                RETURNING id)
            INSERT INTO operation (household_id, id) SELECT \(household), id FROM gone ON CONFLICT DO NOTHING
            """)
    }
}
