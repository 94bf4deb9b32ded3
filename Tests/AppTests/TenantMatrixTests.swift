import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Identifiers of another household are not found. The routes are taken from the router, so new routes are tested, too.
@Suite(.timeLimit(.minutes(5))) struct TenantMatrixTests {
    /// Fields of forms and queries that contain identifiers, each with the kind of document.
    private static let identifierFields = [
        "receipt": "receipt", "receipts": "receipt", "known": "receipt", "instead": "receipt", "with": "receipt",
        "product": "product",
        "into": "product", "line": "line",
        "lines": "line", "alias": "alias", "category": "category", "store": "store", "group": "group",
        "member": "person", "session": "session", "file": "file", "files": "receipt-file", "household_id": "household",
        "other-store": "store", "other-category": "category", "expense": "expense", "paid-by": "person",
        "person": "person",
        "deposit": "deposit",
        "from-person": "person", "to-person": "person",
    ]
    /// Routes, each with a field in which an identifier of another household must be "not found". Other routes may
    /// ignore such an identifier.
    private static let refusingPaths: Set<String> = [
        "/api/v1/stores/{store}/removal other-store", "/api/v1/categories/{category}/removal other-category",
        "/settings/stores/{store}/removal other-store", "/settings/categories/{category}/removal other-category",
        "/matching alias", "/matching product", "/products/{product}/merge into", "/products/{product}/splits alias",
    ]

    /// Parameters of paths that are not identifiers of rows, or are identifiers of documents, which `SyncTenantTests`
    /// tests.
    private static let excludedParameters: Set<String> = [
        "day", "page", "currency", "id", "document", "attachment", "image",
    ]

    private static func isDocumentRoute(_ route: Route<Endpoint>) -> Bool {
        !excludedParameters.subtracting(["day", "page", "currency"]).isDisjoint(with: names(route.pattern))
            || route.pattern.hasPrefix("/api/v1/couch/") && !route.method.isSafe
    }

    private static func disableRowLevelSecurity(_ connection: SynchronousConnection) throws {
        let tables = try connection.query(
            "SELECT relname::text FROM pg_class WHERE relrowsecurity AND relkind = 'r' ORDER BY 1"
        ).decode(String.self)
        try #require(tables.count > 10)
        for table in tables {
            try connection.query(SQL(uncheckedText: "ALTER TABLE \(table) DISABLE ROW LEVEL SECURITY"))
        }
    }

    @Test(.database, arguments: [true, false])
    func `an id of another household in an address is not found and changes nothing in that household`(
        hasRowLevelSecurity: Bool
    ) async throws {
        try await AppHarness.run { harness in
            let connection = try harness.owner()
            if !hasRowLevelSecurity { try Self.disableRowLevelSecurity(connection) }
            let mine = try await Tenant.make(harness, mark: "Eigen")
            let theirs = try await Tenant.make(harness, mark: "Geheim")
            let visitors = try await Self.visitors(harness, mine, theirs)
            let checksumsBefore = try theirs.checksums(connection)
            var count = 0
            for route in harness.app.routes.routes {
                for name in Self.names(route.pattern)
                where !Self.excludedParameters.contains(name) && !Self.isDocumentRoute(route) {
                    let foreign = try #require(
                        theirs.ids[name], "\(route.pattern): the tenant has no identifier for {\(name)}")
                    // ScopeMatrixTests covers calls of the API with keys.
                    for id in Self.isClient(route) ? Array(foreign.prefix(1)) : foreign {
                        let path = Self.path(route.pattern) { $0 == name ? id : mine.first($0) }
                        for visitor in visitors {
                            let answer = try await Self.send(
                                visitor.browser, route, path, Self.fields(route, mine), token: visitor.token)
                            let request =
                                "\(visitor.name): \(route.method.name) \(route.pattern) with the other \(name)"
                            #expect(
                                answer.status == visitor.expected(Self.role(route), route), "\(request)")
                            #expect(!answer.text.contains(theirs.mark), "\(request)")
                            count += 1
                        }
                    }
                    #expect(
                        try theirs.checksums(connection) == checksumsBefore, "\(route.method.name) \(route.pattern)")
                }
            }
            #expect(count > 200)
        }
    }

    /// The number of parts of the routes with forms. Each part is a test case with its own time limit.
    private static let formParts = 4

    @Test(.database, arguments: [true, false], 0..<formParts)
    func `an id of another household in a form changes and reveals nothing of that household`(
        hasRowLevelSecurity: Bool, part: Int
    ) async throws {
        try await AppHarness.run { harness in
            let connection = try harness.owner()
            if !hasRowLevelSecurity { try Self.disableRowLevelSecurity(connection) }
            let theirs = try await Tenant.make(harness, mark: "Geheim")
            let checksumsBefore = try theirs.checksums(connection)
            var count = 0
            let routes = harness.app.routes.routes.filter { route in
                !route.method.isSafe && Self.role(route) != nil && route.handler.body != .stream
            }
            for route in routes.enumerated().filter({ $0.offset % Self.formParts == part }).map(\.element) {
                let owner = try await harness.signUp()
                let token = try await owner.get("/settings").token ?? ""
                for (field, kind) in Self.identifierFields.sorted(by: { $0.key < $1.key }) {
                    if Self.isClient(route), APIBodies.of(route, [field: "x"]) == APIBodies.of(route, [:]) { continue }
                    // Each request gets a new household, because some requests delete rows that the next request needs.
                    count += 1
                    let mine = try Tenant.addDocuments(connection, of: owner, mark: "Eigen\(count)")
                    var fields = Self.fields(route, mine)
                    let foreign = kind == "household" ? theirs.household.description : theirs.first(kind)
                    if field == "line" { Self.replaceLine(&fields, by: foreign) }
                    fields[field] = foreign
                    // Mass assignment: no form may read these fields.
                    fields["id"] = theirs.first("receipt")
                    fields["role"] = "owner"
                    fields["is_admin"] = "true"
                    let path = Self.path(route.pattern) { mine.first($0) }
                    let answer = try await Self.send(owner, route, path, fields, token: token)
                    let request = "\(route.method.name) \(route.pattern) with the other \(kind) as \(field)"
                    #expect(answer.status.code < 500, "\(request): \(answer.status)")
                    #expect(!answer.text.contains(theirs.mark), "\(request)")
                    if Self.refusingPaths.contains("\(route.pattern) \(field)") {
                        #expect(answer.status == .notFound, "\(request): \(answer.status)")
                    }
                }
                #expect(try theirs.checksums(connection) == checksumsBefore, "\(route.method.name) \(route.pattern)")
                try Self.expectNoReferences(from: owner.household, to: theirs, connection)
            }
        }
    }

    /// Checks that no row of the household refers to a row of the other household.
    private static func expectNoReferences(
        from household: HouseholdID, to theirs: Tenant, _ connection: SynchronousConnection
    ) throws {
        for (table, column, kind) in [
            ("receipt_line", "product_id", "product"), ("receipt_line", "category_id", "category"),
            ("receipt_line", "receipt_id", "receipt"), ("product", "category_id", "category"),
            ("product", "comparison_group_id", "group"), ("product_alias", "product_id", "product"),
            ("receipt", "store_id", "store"), ("price", "store_id", "store"), ("category", "parent_id", "category"),
            ("receipt", "duplicate_of", "receipt"),
            ("receipt_file", "receipt_id", "receipt"),
        ] {
            let references = try connection.query(
                SQL(uncheckedText: "SELECT count(*) FROM \(table) WHERE \(column)::text = ANY(")
                    + "\(theirs.ids[kind] ?? [])) AND household_id = \(household)")
            #expect(try references.first(Int64.self) == 0, "\(table).\(column)")
        }
    }

    private static func replaceLine(_ fields: inout [String: String], by id: String) {
        for name in ["name", "quantity", "total"] {
            fields["\(name)-\(id)"] = fields["\(name)-new1"]
            fields["\(name)-new1"] = nil
        }
        fields["line"] = id
    }

    @Test(.database, arguments: [true, false])
    func `no page or filter shows data of another household`(hasRowLevelSecurity: Bool) async throws {
        try await AppHarness.run { harness in
            let connection = try harness.owner()
            if !hasRowLevelSecurity { try Self.disableRowLevelSecurity(connection) }
            let mine = try await Tenant.make(harness, mark: "Eigen")
            let theirs = try await Tenant.make(harness, mark: "Geheim")
            let checksumsBefore = try theirs.checksums(connection)
            var shown = 0
            for route in harness.app.routes.routes
            where route.method == .get && Self.role(route) != nil && !Self.isDocumentRoute(route) {
                // A progress stream ends when the receipt is read. No reader runs here, so use a receipt that is
                // already read.
                let receipt = route.pattern.hasSuffix("/events") ? 0 : 2
                let path = Self.path(route.pattern) {
                    $0 == "receipt" ? mine.ids["receipt"]?[receipt] ?? "" : mine.first($0)
                }
                var queries = Self.identifierFields.map { "?\($0.key)=\(theirs.first($0.value))" }.sorted()
                queries += [
                    "", "?search=produkt", "?search=199", "?chain=spar", "?search=%25", "?sort=rise", "?after=0",
                ]
                for query in queries {
                    let answer = try await mine.owner.get(path + query)
                    #expect(answer.status.code < 400, "GET \(path)\(query): \(answer.status)")
                    #expect(!answer.text.contains(theirs.mark), "GET \(path)\(query)")
                    if answer.text.contains(mine.mark) { shown += 1 }
                }
            }
            #expect(try theirs.checksums(connection) == checksumsBefore)
            // Pages show texts with the mark of the member's household, so they would also show texts with the mark of
            // the other household.
            #expect(shown > 100)
        }
    }

    @Test(.database) func `requests with ids of the member's own household are answered`() async throws {
        try await AppHarness.run { harness in
            let connection = try harness.owner()
            let owner = try await harness.signUp()
            let token = try await owner.get("/settings").token ?? ""
            var count = 0
            for route in harness.app.routes.routes
            where !Self.names(route.pattern).isEmpty && Self.role(route) != nil && !Self.isDocumentRoute(route) {
                // Each request gets a new household, because some requests delete rows that the next request needs.
                count += 1
                let mine = try Tenant.addDocuments(connection, of: owner, mark: "Eigen\(count)")
                let path = Self.path(route.pattern) { mine.first($0) }
                let answer = try await Self.send(owner, route, path, Self.fields(route, mine), token: token)
                let code = answer.status.code
                #expect([200, 201, 202, 204, 303].contains(code), "\(route.method.name) \(route.pattern): \(code)")
            }
        }
    }
}
