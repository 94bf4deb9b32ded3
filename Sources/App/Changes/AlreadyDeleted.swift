import Domain
import Postgres

/// The requested document was deleted, so the requested action is done already or no longer possible.
struct AlreadyDeleted: Error {}

extension HouseholdTransaction {
    /// Returns the error for a missing document: `AlreadyDeleted` if the household deleted it, else `Refusal.notFound`.
    func errorForMissing<Tag>(_ id: Identifier<Tag>) async throws -> any Error {
        try await wasDeleted(id) ? AlreadyDeleted() : Refusal.notFound
    }

    /// Checks that a document exists and has the revision that the form's page showed.
    ///
    /// - Parameters:
    ///   - selection: selects the document's revision.
    ///   - shown: nil for any revision.
    /// - Returns: the stored revision.
    /// - Throws: `Conflict`, `AlreadyDeleted`, `Refusal.notFound`.
    @discardableResult
    func requireRevision<Tag>(of id: Identifier<Tag>, _ selection: SQL, shown: Int64?) async throws -> Int64 {
        guard let stored = try await query(selection).first(Int64.self) else { throw try await errorForMissing(id) }
        try Conflict.requireRevision(stored, shown: shown)
        return stored
    }
}
