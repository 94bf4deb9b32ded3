import Domain
import HTTP
import Postgres

/// Answers requests for documents that were deleted or merged with others, instead of "not found".
struct EndedDocument<Tag>: Sendable {
    /// The name of the path parameter with the document's identifier.
    let parameter: String
    /// The response for a deleted or merged document; nil if the household never had it.
    let answer: @Sendable (Identifier<Tag>, MemberRequest) async throws -> Response?

    /// Wraps a handler. If it does not find the document, `answer` supplies the response.
    ///
    /// - Parameter repeated: the response if the handler throws `AlreadyDeleted`, which means that an earlier request
    ///   has done the same. If nil, `answer` supplies the response.
    func wrap(
        repeated: Response? = nil, _ handler: @escaping @Sendable (MemberRequest) async throws -> Response
    ) -> @Sendable (MemberRequest) async throws -> Response {
        { request in
            do {
                return try await handler(request)
            } catch is AlreadyDeleted where repeated != nil {
                return repeated ?? .redirect(to: "/")
            } catch {
                guard error is AlreadyDeleted || (error as? Refusal)?.status == .notFound else { throw error }
                guard let answer = try await answer(request.identifier(parameter), request) else {
                    throw Refusal.notFound
                }
                return answer
            }
        }
    }
}

extension EndedDocument {
    /// Redirects the addresses of deleted and merged documents to the path `list`, with a message.
    ///
    /// - Parameter parameter: the name of the path parameter with the document's identifier.
    init(_ parameter: String, list: String, _ flash: Flash, _ database: Database) {
        self.init(parameter: parameter) { id, request in
            let tombstone = HouseholdTransaction.tombstone(id, request.household)
            guard try await !database.read(request.household, tombstone).isEmpty else { return nil }
            return .redirect(to: list).flashing(flash)
        }
    }
}
