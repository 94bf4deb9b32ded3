import HTTP

/// `allesteurer routes`: prints the route table.
enum RoutesCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.isEmpty else { throw UsageError(description: "takes no arguments") }
        let app = try App(config: try program.config(), database: Database(pools: []), log: Log(level: .error))
        Console.print(table(app.routes.routes))
        return 0
    }

    /// Returns method, path, lowest role and handler, one route on each line.
    static func table(_ routes: [Route<Endpoint>]) -> String {
        let rows = routes.map { [$0.method.name, $0.pattern, $0.handler.access, $0.handler.name] }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            (0..<3).map { row[$0] + String(repeating: " ", count: widths[$0] - row[$0].count + 2) }.joined() + row[3]
        }.joined(separator: "\n")
    }
}
