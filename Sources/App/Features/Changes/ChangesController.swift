import Domain
import HTTP

/// The stream of server-sent events that tells open pages about changes in the household.
struct ChangesController: Sendable {
    let database: Database
    /// The version of styles and scripts. A page that has an older version offers to reload.
    let version: String

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/changes/events", "ChangesController.events", events)
    }

    /// Sends the changes after the last one that the browser received. A new page sends its age in milliseconds
    /// instead, and receives the changes that are newer than the page.
    private func events(_ request: MemberRequest) async throws -> Response {
        let last = request.head.headers["Last-Event-ID"] ?? request.head.query("since")
        let age = request.head.query("age").flatMap { Int64($0) } ?? 0
        let events = ChangeEvents(
            database: database, member: request.member, version: version, since: last.flatMap { Int64($0) },
            age: max(0, min(age, 3_600_000)))
        return .events { try await events.send(to: $0) }
    }
}
