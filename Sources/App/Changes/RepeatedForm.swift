import Crypto
import Domain
import HTTP
import Postgres

/// A form was sent twice within a minute, for example by a double click. Only the first form counts.
struct RepeatedForm: Error {}

extension MemberRequest {
    /// Identifies the submitted form. A person who adds the same thing again from a new page sends another form,
    /// because each page has its own CSRF token.
    var sentForm: OperationID? {
        let fields = form.fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return OperationID(derivedFrom: sha256("\(head.target) \(fields)".utf8))
    }
}

extension MemberRequest {
    /// Runs an action in one transaction, unless the same form was already handled within the last minute.
    func runOnce(_ database: Database, _ action: (HouseholdTransaction) async throws -> Void) async throws {
        do {
            try await database.write(household, by: member.person) { changes in
                try await changes.requireFirst(sentForm)
                try await action(changes)
            }
        } catch is RepeatedForm {
            // The first form has run the action.
        }
    }
}

extension HouseholdTransaction {
    /// - Parameter form: nil if the request has no form.
    /// - Throws: `RepeatedForm` if the form was already handled within the last minute.
    func requireFirst(_ form: OperationID?) async throws {
        guard let form else { return }
        let rows = try await query(batch: [
            """
            DELETE FROM operation WHERE household_id = \(household) AND id = \(form)
                AND done_at <= now() - interval '1 minute'
            """,
            """
            INSERT INTO operation (household_id, id) VALUES (\(household), \(form)) ON CONFLICT DO NOTHING RETURNING 1
            """,
        ])
        guard !rows[1].isEmpty else { throw RepeatedForm() }
    }
}
