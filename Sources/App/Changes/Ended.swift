import Domain

/// The requested document was deleted, so the requested action is done already or no longer possible.
struct Ended: Error {}

extension HouseholdTransaction {
    /// Returns the error for a missing document: `Ended` if the household deleted it, else `Refusal.notFound`.
    func missing<Tag>(_ id: Identifier<Tag>) async throws -> any Error {
        try await wasDeleted(id) ? Ended() : Refusal.notFound
    }
}
