import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct RouteTableTests {
    /// To accept a change: `allesteurer routes > Tests/AppTests/routes.txt`.
    @Test(.database) func `routes and who may call them are those of routes.txt`() async throws {
        try await AppHarness.run { harness in
            let table = RoutesCommand.table(harness.app.routes.routes)
            let stored = try String(contentsOfFile: TestSources.root + "/Tests/AppTests/routes.txt", encoding: .utf8)
            let (now, then) = (Self.rows(table), Self.rows(stored))
            #expect(now.subtracting(then).sorted() == [], "routes that routes.txt does not list")
            #expect(then.subtracting(now).sorted() == [], "routes that are gone")
        }
    }

    /// Without the spaces between the columns.
    private static func rows(_ table: String) -> Set<String> {
        Set(table.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") })
    }
}
