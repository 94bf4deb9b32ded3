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

    /// The names in the braces of a pattern.
    private static func names(_ pattern: String) -> [String] {
        pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    private static func path(_ pattern: String, _ value: (String) -> String) -> String {
        pattern.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            segment.hasPrefix("{") ? value(String(segment.dropFirst().dropLast())) : String(segment)
        }.joined(separator: "/")
    }

    /// The fields of all forms together. Each route reads only the fields of its own form.
    private static func fields(_ route: Route<Endpoint>, _ tenant: Tenant) -> [String: String] {
        var fields = [
            "revision": "1", "name": "Anders", "amount": "250", "unit": "kg", "from": "2026-04-01", "action": "save",
            "store": "Greissler", "day": "2026-03-05", "total": "1,00", "line": "new1", "name-new1": "SEMMEL",
            "quantity-new1": "1", "total-new1": "1,00", "category": "", "language": "de", "household": "Haus",
            "into": tenant.second("product"), "product": tenant.second("product"), "with": tenant.second("receipt"),
            "receipt": tenant.second("receipt"), "alias": tenant.first("alias"), "lines": tenant.first("line"),
            "page": "2",
            "own": tenant.first("receipt"), "other-store": tenant.second("store"),
            "other-category": tenant.second("category"), "role": "member", "currency": "EUR", "country": "AT",
            "zone": "", "paid-by": tenant.owner.person.description, "with-\(tenant.owner.person)": "on", "what": "Kino",
            "person": tenant.owner.person.description,
            "expense": tenant.second("expense"), "column-0": "day", "column-2": "amount",
            "contains": "wirt", "labels": "Wort", "until": "2099-01-01", "due": "2026-03-01",
            "deposit": tenant.first("deposit"),
            "url": "http://127.0.0.1:1/", "percent": "10", "receipt-read": "1",
            "list": Self.emptyList, "count": "2", "points": "90",
        ]
        // An earlier request of a test may have saved a receipt with these values. With the same day, the confirmation
        // would ask whether both are one purchase.
        if route.pattern.hasSuffix("/confirmation") { fields["day"] = "2026-03-06" }
        // The forms of pages store `Anders`. Names of categories and stores are unique, so the API stores another name.
        if route.pattern.hasPrefix("/api/v1/categories/") || route.pattern.hasPrefix("/api/v1/stores/") {
            fields["name"] = "Noch anders"
        }
        if route.pattern.hasPrefix("/wines") { fields["into"] = tenant.second("wine") }
        // The matching page identifies a printed name by one of its lines.
        if route.pattern.hasPrefix("/matching") { fields["alias"] = tenant.first("line") }
        return fields
    }

    /// An empty wine list, as the wine page sends it back.
    private static let emptyList = #"{"pages": [], "entries": []}"#

    private static func role(_ route: Route<Endpoint>) -> Member.Role? {
        switch route.handler.handler {
        case .member(let role, _), .client(_, let role, _): role
        case .withoutSession, .visitor: nil
        }
    }

    private static func isClient(_ route: Route<Endpoint>) -> Bool {
        if case .client = route.handler.handler { true } else { false }
    }

    private static func send(
        _ browser: Browser, _ route: Route<Endpoint>, _ path: String, _ fields: [String: String], token: String
    ) async throws -> Answer {
        guard !route.method.isSafe else { return try await browser.send(route.method, path, type: nil, []) }
        if isClient(route) {
            return try await browser.send(
                route.method, path, type: "application/json", Array(APIBodies.of(route, fields).utf8),
                fields: ["X-CSRF-Token": token, "If-Match": "*"])
        }
        if route.pattern == "/uploads/{upload}/parts" {
            return try await browser.send(
                route.method, path + "?offset=0", type: "application/octet-stream", [], fields: ["X-CSRF-Token": token])
        }
        var all = [("csrf", token)]
        // Joining needs several receipts.
        if route.pattern == "/receipts/joins", let own = fields["own"] { all.append(("receipt", own)) }
        all += fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let body = all.map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
        return try await browser.send(
            route.method, path, type: "application/x-www-form-urlencoded", Array(body.utf8))
    }

    /// A browser that sends requests to every route. Failures show its name.
    private struct Visitor {
        let name: String
        let browser: Browser
        /// The role of the person; nil for a former member.
        let role: Member.Role?
        let token: String

        /// The expected status for an identifier of another household.
        func expected(_ needed: Member.Role?, _ route: Route<Endpoint>) -> Status {
            guard let needed else { return .notFound }
            guard let role else { return route.method.isSafe && !isClient(route) ? .seeOther : .unauthorized }
            return role >= needed ? .notFound : .forbidden
        }
    }

    private static func visitors(_ harness: AppHarness, _ mine: Tenant, _ theirs: Tenant) async throws -> [Visitor] {
        var visitors: [Visitor] = []
        func add(_ name: String, _ browser: Browser, _ role: Member.Role?) async throws {
            let token = try await browser.get("/settings").token ?? ""
            visitors.append(Visitor(name: name, browser: browser, role: role, token: token))
        }
        try await add("owner", mine.owner, .owner)
        for role in [Member.Role.member, .viewer] {
            try await add(role.rawValue, try await harness.join(mine.owner, as: role), role)
        }
        let former = try await harness.join(theirs.owner, as: .member)
        let removal = try await theirs.owner.post("/settings/members/\(former.person)/removal")
        try #require(removal.status == .seeOther)
        // Use the form token of a visitor without session, because the former member's session has ended.
        let token = try await former.get("/sign-in").token ?? ""
        visitors.append(Visitor(name: "former member", browser: former, role: nil, token: token))
        return visitors
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

    // MARK: Tests

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
                    // Each request gets a new household, because some requests delete rows that the next one needs.
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
                // Each request gets a new household, because some requests delete rows that the next one needs.
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
