import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct RouteTableTests {
    /// Run `ALLESTEURER_WRITE_ROUTES=1 bin/test RouteTableTests` to accept a change.
    @Test(.database) func `routes and their access rights equal those of routes.txt`() async throws {
        try await AppHarness.run { harness in
            let path = TestSources.root + "/Tests/AppTests/routes.txt"
            let table = Self.lines(RoutesCommand.table(harness.app.routes.routes))
            let stored = Self.lines(try String(contentsOfFile: path, encoding: .utf8))
            guard getenv("ALLESTEURER_WRITE_ROUTES") == nil else {
                let text = Self.updated(stored, to: table).joined(separator: "\n") + "\n"
                return try text.write(toFile: path, atomically: true, encoding: .utf8)
            }
            let (now, then) = (Set(table.map(Self.plain)), Set(stored.map(Self.plain)))
            #expect(now.subtracting(then).sorted() == [], "routes that routes.txt does not list")
            #expect(then.subtracting(now).sorted() == [], "removed routes")
        }
    }

    private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    /// The line with single spaces between its columns.
    private static func plain(_ line: String) -> String { line.split(separator: " ").joined(separator: " ") }

    /// The stored lines without removed routes. Each new route follows the route registered before it.
    private static func updated(_ stored: [String], to table: [String]) -> [String] {
        let routes = Set(table.map(plain))
        var lines = stored.filter { routes.contains(plain($0)) }
        for (index, line) in table.enumerated() where !lines.contains(where: { plain($0) == plain(line) }) {
            let before = index == 0 ? nil : lines.firstIndex { plain($0) == plain(table[index - 1]) }
            lines.insert(line, at: before.map { $0 + 1 } ?? 0)
        }
        return lines
    }
}
