import Domain
import HTTP
import Postgres

/// A deletion cannot be undone: it is too long ago, the name is taken by now, the household has reached a limit, or
/// something to which the document refers no longer exists.
struct NotRestored: Error {}

extension HouseholdTransaction {
    /// How many days the identifiers of operations are kept.
    static let operationDays: Int32 = 30

    /// Returns the last logged contents of a deleted document, so that the caller can store them as a new document. A
    /// deletion can be undone once, and only within `operationDays`, because an undo is recorded only for this time.
    ///
    /// - Parameter table: the table with the rows of this type.
    /// - Returns: the row with its parts; nil if the document exists, or if its deletion was undone before.
    /// - Throws: `NotRestored` after `operationDays`; `Refusal.notFound` if the household never had the document.
    func deletedContents<Tag>(
        of id: Identifier<Tag>, _ type: DocumentType, in table: SQL
    ) async throws -> PostgresJSON? {
        let rows = try await query(batch: [
            "SELECT 1 FROM \(table) WHERE household_id = \(household) AND id = \(id)",
            """
            SELECT l.body FROM change_log l WHERE l.household_id = \(household) AND l.document_id = \(id)
                AND l.document_type = \(type.rawValue) AND NOT l.deleted ORDER BY l.revision DESC LIMIT 1
            """,
            """
            SELECT 1 FROM change_log l WHERE l.household_id = \(household) AND l.document_id = \(id)
                AND l.document_type = \(type.rawValue) AND l.deleted
                AND l.changed_at > now() - \(Self.operationDays) * interval '1 day' LIMIT 1
            """,
        ])
        guard rows[0].isEmpty else { return nil }
        guard let body = try rows[1].first(PostgresJSON?.self) ?? nil else { throw Refusal.notFound }
        let first = try await query(
            "INSERT INTO operation (household_id, id) VALUES (\(household), \(id)) ON CONFLICT DO NOTHING RETURNING 1")
        guard !first.isEmpty else { return nil }
        guard !rows[2].isEmpty else { throw NotRestored() }
        return body
    }
}

extension Response {
    /// Runs an action that undoes a deletion or another change. Redirects to the path `page`, with a message about the
    /// result.
    ///
    /// - Parameter action: returns false if there was nothing to undo; may throw `NotRestored`.
    static func restored(_ page: String, _ action: () async throws -> Bool) async throws -> Response {
        do {
            let isUndone = try await action()
            return .redirect(to: page).flashing(Flash(isUndone ? "undone" : "already"))
        } catch is NotRestored {
            return .redirect(to: page).flashing(Flash("not-undone"))
        }
    }
}
