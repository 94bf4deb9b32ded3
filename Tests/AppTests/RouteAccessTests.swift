import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct RouteAccessTests {
    /// The list does not contain routes with the usual access rights: GET routes for viewers, other routes for members.
    /// Run `ALLESTEURER_WRITE_ROUTES=1 bin/test RouteAccessTests` to accept a change.
    @Test(.database) func `routes with unusual access rights equal those of route-access.txt`() async throws {
        try await AppHarness.run { harness in
            let path = TestSources.root + "/Tests/AppTests/route-access.txt"
            let unusual = harness.app.routes.routes.filter { $0.handler.access != Self.usualAccess($0) }
            let table = RoutesCommand.table(
                unusual.sorted { ($0.pattern, $0.method.name) < ($1.pattern, $1.method.name) })
            guard getenv("ALLESTEURER_WRITE_ROUTES") == nil else {
                return try (table + "\n").write(toFile: path, atomically: true, encoding: .utf8)
            }
            let (current, listed) = (Self.lines(table), Self.lines(try String(contentsOfFile: path, encoding: .utf8)))
            #expect(current.subtracting(listed).sorted() == [], "routes that route-access.txt does not list")
            #expect(listed.subtracting(current).sorted() == [], "removed routes")
        }
    }

    /// Viewers may call GET routes, members all others. Routes of the API have a scope too.
    private static func usualAccess(_ route: Route<Endpoint>) -> String {
        switch (route.handler.handler, route.method.isSafe) {
        case (.client, true): "read:viewer"
        case (.client, false): "write:member"
        case (_, true): "viewer"
        case (_, false): "member"
        }
    }

    /// The lines with single spaces between their columns.
    private static func lines(_ text: String) -> Set<String> {
        Set(text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") })
    }
}
