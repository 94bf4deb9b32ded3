import Domain

/// The requested document was deleted, so the requested action is done already or no longer possible.
struct AlreadyDeleted: Error {}

extension HouseholdTransaction {
    /// Returns the error for a missing document: `AlreadyDeleted` if the household deleted it, else `Refusal.notFound`.
    func errorForMissing<Tag>(_ id: Identifier<Tag>) async throws -> any Error {
        try await wasDeleted(id) ? AlreadyDeleted() : Refusal.notFound
    }
}
