import Domain
import HTTP

/// The stream that tells open pages what other members change.
struct ChangesController: Sendable {
    let database: Database
    /// Of the styles and scripts; a page of an older version offers to load again.
    let version: String

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/changes/events", "ChangesController.events", events)
    }

    /// Starts after the change that the browser saw last. A new page names its age in milliseconds instead: what others
    /// changed since then is not on it.
    private func events(_ request: MemberRequest) async throws -> Response {
        let last = request.head.headers["Last-Event-ID"] ?? request.head.query("since")
        let age = request.head.query("age").flatMap { Int64($0) } ?? 0
        let events = ChangeEvents(
            database: database, member: request.member, version: version, since: last.flatMap { Int64($0) },
            age: max(0, min(age, 3_600_000)))
        return .events { try await events.send(to: $0) }
    }
}
