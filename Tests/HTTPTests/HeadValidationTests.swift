import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(5))) struct HeadValidationTests {
    private func validate(
        _ line: String, _ fields: String = "Host: allesteurer.test\r\n", hosts: Set<String> = ["allesteurer.test"]
    ) throws -> RequestHead {
        let trace = ParserTrace("\(line)\r\n\(fields)\r\n")
        let message = try #require(trace.heads.first, "\(trace)")
        return try RequestHead(
            validating: message, id: RequestID(1), peer: .loopback, isSecure: false, hosts: AllowedHosts(hosts))
    }

    private func status(_ body: () throws -> RequestHead) throws -> Status? {
        do {
            _ = try body()
            return nil
        } catch let refusal as RequestRefusal {
            return refusal.status
        }
    }

    @Test(
        "decodes a target segment by segment",
        arguments: [
            ("/", []), ("/a", ["a"]), ("/a/", ["a", ""]), ("/a//b", ["a", "", "b"]), ("/b%20c/%C3%A4", ["b c", "ä"]),
            ("/a;x", ["a;x"]), ("/100%25", ["100%"]), ("/%252e%252e", ["%2e%2e"]), ("/a+b", ["a+b"]),
            ("http://allesteurer.test/x", ["x"]), ("http://allesteurer.test", []), ("HTTP://AllesTeurer.test/", []),
        ] as [(String, [String])])
    func segments(_ target: String, _ expected: [String]) throws {
        #expect(try validate("GET \(target) HTTP/1.1").segments == expected)
    }

    @Test(
        "refuses malformed targets and targets that could leave their folder",
        arguments: [
            "/%00", "/%2e%2e%2fsecret", "/..", "/../x", "/a/./b", "/..%5cx", "/..\\x", "/%ff", "/%c0%af", "/%",
            "/%4", "/%zz", "/a%2Fb", "/a%0d%0ab", "/%ED%A0%80", "/x#y", "x", "//evil@/..", "ftp://allesteurer.test/",
            "/?a=%ff", "/?%c0%ae=1", "/?a=%", "http:///x", "http://u@allesteurer.test/",
        ])
    func refusedTargets(_ target: String) throws {
        #expect(try status { try validate("GET \(target) HTTP/1.1") } == .badRequest)
    }

    @Test(
        "refuses methods, hosts and fields with the right status",
        arguments: [
            ("GET http://evil/ HTTP/1.1", "Host: allesteurer.test\r\n", Status.misdirectedRequest),
            ("CONNECT a:1 HTTP/1.1", "Host: allesteurer.test\r\n", .notImplemented),
            ("TRACE / HTTP/1.1", "Host: allesteurer.test\r\n", .methodNotAllowed),
            ("OPTIONS * HTTP/1.1", "Host: allesteurer.test\r\n", .methodNotAllowed),
            ("GET / HTTP/1.1", "", .badRequest),
            ("GET / HTTP/1.1", "Host: \r\n", .badRequest),
            ("GET / HTTP/1.1", "Host: evil.com\r\n", .misdirectedRequest),
            ("GET / HTTP/1.1", "Host: allesteurer.test\r\nHost: allesteurer.test\r\n", .badRequest),
            ("GET / HTTP/1.1", "Host: a,b\r\n", .badRequest),
            ("GET / HTTP/1.1", "Host: allesteurer.test:99999\r\n", .badRequest),
            ("GET / HTTP/1.1", "Host: allesteurer.test:\r\n", .badRequest),
            ("GET / HTTP/1.1", "Host: localhost@evil\r\n", .badRequest),
            ("GET / HTTP/1.1", "Host: [::1\r\n", .badRequest),
            ("GET / HTTP/1.1", "Host: allesteurer.test\r\nExpect: 200-ok\r\n", .expectationFailed),
            ("POST / HTTP/1.1", "Host: allesteurer.test\r\nContent-Length: 010\r\n", .badRequest),
            ("POST / HTTP/1.1", "Host: allesteurer.test\r\nContent-Encoding: br\r\n", .unsupportedMediaType),
            ("POST / HTTP/1.1", "Host: allesteurer.test\r\nTransfer-Encoding: gzip, chunked\r\n", .notImplemented),
            (
                "GET / HTTP/1.1", "Host: allesteurer.test\r\nCookie: \(String(repeating: "a=b; ", count: 1000))\r\n",
                .requestHeaderFieldsTooLarge
            ),
            (
                "GET /?\(Array(repeating: "a=b", count: 101).joined(separator: "&")) HTTP/1.1",
                "Host: allesteurer.test\r\n", .badRequest
            ),
        ])
    func refusedHeads(_ line: String, _ fields: String, _ expected: Status) throws {
        #expect(try status { try validate(line, fields) } == expected)
    }

    @Test("refuses a field value that is not UTF-8")
    func invalidField() throws {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8) + [0xC0, 0xAF] + Array("\r\n\r\n".utf8)
        let message = try #require(ParserTrace(bytes).heads.first)
        #expect(throws: RequestRefusal.self) {
            try RequestHead(
                validating: message, id: RequestID(1), peer: .loopback, isSecure: false, hosts: AllowedHosts())
        }
    }

    @Test("separates host, port and query")
    func hosts() throws {
        let head = try validate("GET /?a=1&b=x+y%26 HTTP/1.1", "Host: [::1]:8080\r\n", hosts: [])
        #expect(head.host == "[::1]")
        #expect(head.port == 8080)
        #expect(head.query == [NamedValue("a", "1"), NamedValue("b", "x y&")])
        #expect(try validate("GET / HTTP/1.0", "").host == "")
    }
}
