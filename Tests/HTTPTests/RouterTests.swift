import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(5))) struct RouterTests {
    private func router() throws -> Router<String> {
        var router = Router<String>()
        try router.add(.get, "/", "home")
        try router.add(.get, "/receipts", "list")
        try router.add(.post, "/receipts", "upload")
        try router.add(.get, "/receipts/new", "scan")
        try router.add(.get, "/receipts/{id}", "show")
        try router.add(.post, "/receipts/{id}/lines/{line}", "line")
        try router.add(.get, "/receipts/new/help", "help")
        return router
    }

    @Test(
        "finds handler and parameters",
        arguments: [
            ("GET", [], "home"), ("HEAD", [], "home"), ("POST", ["receipts"], "upload"),
            ("GET", ["receipts", "new"], "scan"), ("GET", ["receipts", "7"], "show 7"),
            ("POST", ["receipts", "7", "lines", "2"], "line 7 2"),
            ("POST", ["receipts", "new", "lines", "2"], "line new 2"),
            ("DELETE", ["receipts"], "405 GET POST HEAD"), ("POST", ["receipts", "new"], "405 GET HEAD"),
            ("GET", ["receipts", ""], "404"), ("GET", ["receipts", "7", "x"], "404"), ("GET", ["*"], "404"),
        ] as [(String, [String], String)])
    func matching(_ method: String, _ segments: [String], _ expected: String) throws {
        let found: String
        switch try router().match(Method(method), segments) {
        case .found(let route, let parameters):
            found = ([route.handler] + ["id", "line"].compactMap { parameters[$0] }).joined(separator: " ")
        case .methodNotAllowed(_, let allow): found = "405 " + allow.map(\.name).joined(separator: " ")
        case .notFound: found = "404"
        }
        #expect(found == expected)
    }

    @Test(
        "refuses ambiguous, repeated and malformed patterns",
        arguments: [
            ("/receipts", RouteError.duplicate(.get, "/receipts")),
            ("/receipts/{number}", .ambiguous("/receipts/{id}", "/receipts/{number}")),
            ("/receipts/{a}/help", nil), ("/{a}/new/help", nil), ("/{a}/{b}/help", nil),
            ("/{section}/7", .ambiguous("/receipts/{id}", "/{section}/7")),
            ("receipts", .malformed("receipts")), ("/a//b", .malformed("/a//b")), ("/a/", .malformed("/a/")),
            ("/{a}/{a}", .malformed("/{a}/{a}")), ("/{}", .malformed("/{}")), ("/a{b}", .malformed("/a{b}")),
        ] as [(String, RouteError?)])
    func conflicts(_ pattern: String, _ expected: RouteError?) throws {
        var router = try router()
        do throws(RouteError) {
            try router.add(.get, pattern, "x")
            #expect(expected == nil)
        } catch {
            #expect(error == expected)
        }
    }

    @Test("lists routes in the order of registration")
    func listing() throws {
        #expect(
            try router().routes.map { "\($0.method) \($0.pattern) \($0.handler)" }.prefix(3)
                == ["GET / home", "GET /receipts list", "POST /receipts upload"])
    }
}
