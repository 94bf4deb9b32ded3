import EventLoop
import HTTP
import Postgres

/// Health checks for containers, load balancers and `bin/run`.
struct HealthController: Sendable {
    let database: Database

    func register(_ routes: inout Routes) throws {
        try routes.bare("/healthz", "HealthController.alive") { _ in alive() }
        try routes.bare("/readyz", "HealthController.ready") { _ in await ready() }
    }

    /// The process is running. Does not use the database.
    private func alive() -> Response { .text(.ok, "alive\n") }

    /// Pages can be served: PostgreSQL answers and has the schema.
    private func ready() async -> Response {
        do {
            let rows = try await database.read("SELECT 1 FROM installation")
            return rows.isEmpty ? .text(.serviceUnavailable, "no installation\n") : .text(.ok, "ready\n")
        } catch {
            var response = Response.text(.serviceUnavailable, "the database does not answer\n")
            response.headers[.retryAfter] = "5"
            return response
        }
    }
}
