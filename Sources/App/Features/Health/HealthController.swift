import EventLoop
import HTTP
import Postgres

/// Health checks for containers, load balancers and `bin/run`.
struct HealthController: Sendable {
    let database: Database

    func register(_ routes: inout Routes) throws {
        try routes.withoutSession("/healthz", "HealthController.alive") { _ in alive() }
        try routes.withoutSession("/readyz", "HealthController.ready") { _ in await ready() }
    }

    /// Whether the process answers.
    private func alive() -> Response { .text(.ok, "alive\n") }

    /// Whether requests can be served: PostgreSQL answers, is migrated, and has not recently refused a write for lack
    /// of space.
    private func ready() async -> Response {
        guard !database.diskSpace.isFull else {
            var response = Response.text(.serviceUnavailable, "the database's disk is full\n")
            response.headers[.retryAfter] = "60"
            return response
        }
        do {
            let rows = try await database.read("SELECT 1 FROM installation")
            return rows.isEmpty ? .text(.serviceUnavailable, "the database is not migrated\n") : .text(.ok, "ready\n")
        } catch {
            var response = Response.text(.serviceUnavailable, "the database does not answer or is not migrated\n")
            response.headers[.retryAfter] = "5"
            return response
        }
    }
}
