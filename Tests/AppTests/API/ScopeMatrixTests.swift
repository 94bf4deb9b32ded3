import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Sends requests to every route of the API with every scope, with every role, and with identifiers of another
/// household.
@Suite(.timeLimit(.minutes(5))) struct ScopeMatrixTests {
    private struct ClientRoute {
        let route: Route<Endpoint>
        let scope: KeyScope
        let role: Member.Role

        var names: [String] {
            route.pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
        }

        func path(_ value: (String) -> String) -> String {
            names.reduce(route.pattern) { $0.replacing("{\($1)}", with: value($1)) }
        }

        func send(_ caller: Caller, _ path: String) async throws -> Answer {
            guard !route.method.isSafe else { return try await caller.send(route.method, path) }
            return try await caller.send(
                route.method, path, type: "application/json", Array(APIBodies.of(route, [:]).utf8),
                fields: ["If-Match": "*"])
        }
    }

    private static func routes(_ harness: AppHarness) -> [ClientRoute] {
        harness.app.routes.routes.compactMap { route in
            guard case .client(let scope, let role, _) = route.handler.handler else { return nil }
            return ClientRoute(route: route, scope: scope, role: role)
        }
    }

    @Test(.database) func `a key permits only requests that its scopes allow`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let unknownID = OperationID.new().description
            for scope in KeyScope.allCases {
                let caller = try await harness.caller(anna, scopes: [scope])
                for route in Self.routes(harness) {
                    let answer = try await route.send(caller, route.path { $0 == "day" ? "2026-02-01" : unknownID })
                    let request = "\(scope): \(route.route.method) \(route.route.pattern): \(answer.status)"
                    // Creating the database of another household is forbidden.
                    let isForeign = route.route.method == .put && route.route.pattern == "/api/v1/couch/{household}"
                    #expect((answer.status == .forbidden) == (scope != route.scope || isForeign), "\(request)")
                    #expect(answer.status.code < 500, "\(request)")
                }
            }
        }
    }

    @Test(.database) func `a key permits only requests that its owner's role allows`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let unknownID = OperationID.new().description
            for role in [Member.Role.viewer, .member] {
                let caller = try await harness.caller(try await harness.join(anna, as: role))
                for route in Self.routes(harness) where route.role > role {
                    let answer = try await route.send(caller, route.path { $0 == "day" ? "2026-02-01" : unknownID })
                    #expect(
                        answer.status == .forbidden, "\(role): \(route.route.method) \(route.route.pattern)")
                }
            }
        }
    }

    @Test(.database, arguments: [true, false])
    func `a request with a key finds no data of another household`(hasRowLevelSecurity: Bool) async throws {
        try await AppHarness.run { harness in
            let connection = try harness.owner()
            if !hasRowLevelSecurity {
                for table in try connection.query(
                    "SELECT relname::text FROM pg_class WHERE relrowsecurity AND relkind = 'r' ORDER BY 1"
                ).decode(String.self) {
                    try connection.query(SQL(uncheckedText: "ALTER TABLE \(table) DISABLE ROW LEVEL SECURITY"))
                }
            }
            let mine = try await Tenant.make(harness, mark: "Eigen")
            let theirs = try await Tenant.make(harness, mark: "Geheim")
            let caller = try await harness.caller(mine.owner)
            let checksumsBefore = try theirs.checksums(connection)
            var count = 0
            for route in Self.routes(harness) {
                // `SyncTenantTests` covers the addresses of documents, because the sync protocols answer differently.
                for name in route.names
                where !["day", "page", "currency"].contains(name) && !route.route.pattern.hasPrefix("/api/v1/couch/")
                    && !route.route.pattern.contains("/images/")
                {
                    let foreign = name == "household" ? theirs.household.description : theirs.first(name)
                    #expect(!foreign.isEmpty, "the tenant has no identifier for {\(name)}")
                    let answer = try await route.send(caller, route.path { $0 == name ? foreign : mine.first($0) })
                    let request = "\(route.route.method) \(route.route.pattern) with the other household's \(name)"
                    #expect(answer.status == .notFound, "\(request): \(answer.status)")
                    #expect(!answer.text.contains(theirs.mark), "\(request)")
                    count += 1
                }
            }
            #expect(try theirs.checksums(connection) == checksumsBefore)
            #expect(count > 25)
        }
    }
}
