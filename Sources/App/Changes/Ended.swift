import Domain
import HTTP
import Postgres

/// The document that a request names was deleted before, so what it asks for is done or can no longer be done.
struct Ended: Error {}

extension HouseholdTransaction {
    /// The error for a document that is not there: `Ended` when it was this household's, else `Refusal.notFound`.
    func missing<Tag>(_ id: Identifier<Tag>) async throws -> any Error {
        try await wasDeleted(id) ? Ended() : Refusal.notFound
    }
}

/// Answers requests for documents that were deleted or joined with others, instead of "not found".
struct EndedDocument<Tag>: Sendable {
    /// The name in the route's pattern.
    let parameter: String
    /// The answer for a document that has ended; nil when it was never this household's.
    let answer: @Sendable (Identifier<Tag>, MemberRequest) async throws -> Response?

    /// Calls the handler. If it does not find the document, answers with `answer`.
    ///
    /// - Parameter repeated: the answer when the handler's own action was done before; the same as for other requests when nil.
    func leadingOn(
        repeated: Response? = nil, _ handler: @escaping @Sendable (MemberRequest) async throws -> Response
    ) -> @Sendable (MemberRequest) async throws -> Response {
        { request in
            do {
                return try await handler(request)
            } catch is Ended where repeated != nil {
                return repeated ?? .redirect(to: "/")
            } catch {
                guard error is Ended || (error as? Refusal)?.status == .notFound else { throw error }
                guard let answer = try await answer(request.identifier(parameter), request) else {
                    throw Refusal.notFound
                }
                return answer
            }
        }
    }
}
