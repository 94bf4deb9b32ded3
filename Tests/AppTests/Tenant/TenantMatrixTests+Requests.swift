import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The requests to every route, with the identifiers of a household.
extension TenantMatrixTests {
    /// The names in the braces of a pattern.
    static func names(_ pattern: String) -> [String] {
        pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    static func path(_ pattern: String, _ value: (String) -> String) -> String {
        pattern.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            segment.hasPrefix("{") ? value(String(segment.dropFirst().dropLast())) : String(segment)
        }.joined(separator: "/")
    }

    /// The fields of all forms together. Each route reads only the fields of its own form.
    static func fields(_ route: Route<Endpoint>, _ tenant: Tenant) -> [String: String] {
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
        // would ask whether both receipts are the same purchase.
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
    static let emptyList = #"{"pages": [], "entries": []}"#

    static func role(_ route: Route<Endpoint>) -> Member.Role? {
        switch route.handler.handler {
        case .member(let role, _), .client(_, let role, _): role
        case .withoutSession, .visitor: nil
        }
    }

    static func isClient(_ route: Route<Endpoint>) -> Bool {
        if case .client = route.handler.handler { true } else { false }
    }

    static func send(
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
    struct Visitor {
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

    static func visitors(_ harness: AppHarness, _ mine: Tenant, _ theirs: Tenant) async throws -> [Visitor] {
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
}
