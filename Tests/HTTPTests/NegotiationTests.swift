import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(5))) struct NegotiationTests {
    @Test(
        "selects the preferred language",
        arguments: [
            (nil, "de"), ("en", "en"), ("en-GB,en;q=0.9,de;q=0.8", "en"), ("fr, de-AT;q=0.7, en;q=0.6", "de"),
            ("fr", "de"), ("en;q=0", "de"), ("*", "de"), ("de;q=0.1,en;q=0.11", "en"), (";;;,,q=9", "de"),
            ("en;q=2", "de"),
        ] as [(String?, String)])
    func language(_ field: String?, _ expected: String) {
        #expect(Negotiation.language(field, available: ["de", "en"]) == expected)
    }

    @Test(
        "takes the region from the preferred entry for the language",
        arguments: [
            (nil, nil), ("de", nil), ("de-AT,de;q=0.9,en;q=0.8", "at"), ("de-DE, de-AT;q=0.5", "de"),
            ("en-GB,en;q=0.9,de-CH;q=0.8", "ch"), ("de-Latn-AT", "at"), ("en-AT", nil), ("de-AT;q=0", nil),
            ("de,de-AT;q=0.9", nil),
        ] as [(String?, String?)])
    func region(_ field: String?, _ expected: String?) {
        #expect(Negotiation.region(field, of: "de") == expected)
    }

    @Test(
        "uses gzip only if it is accepted",
        arguments: [
            (nil, false), ("gzip", true), ("br, GZIP;q=0.5", true), ("gzip;q=0", false), ("*", true),
            ("gzip;q=0, *", false), ("identity", false), ("", false), ("gzip;q=0.000", false),
        ] as [(String?, Bool)])
    func gzip(_ field: String?, _ expected: Bool) {
        var headers = Headers()
        headers[.acceptEncoding] = field
        #expect(Negotiation.acceptsGzip(headers) == expected)
    }

    @Test("reads a list from several fields of the same name")
    func severalFields() {
        #expect(Negotiation.acceptsGzip(["Accept-Encoding": "br", "Accept-Encoding": "gzip"]))
        #expect(!Negotiation.acceptsGzip(["Accept-Encoding": "br", "Accept-Encoding": "gzip;q=0"]))
    }

    @Test(
        "selects an available media type",
        arguments: [
            (nil, "text/html"), ("*/*", "text/html"), ("application/json", "application/json"),
            ("text/*;q=0.5, application/json", "application/json"), ("image/png", nil),
        ] as [(String?, String?)])
    func mediaType(_ field: String?, _ expected: String?) {
        #expect(Negotiation.mediaType(field, available: ["text/html", "application/json"]) == expected)
    }

    @Test(
        "formats and parses dates",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_795_219_199, "Fri, 20 Nov 2026 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        ])
    func dates(_ seconds: Int, _ text: String) {
        #expect(HTTPDate.format(seconds) == text)
        #expect(HTTPDate.parse(text) == seconds)
    }

    @Test(
        "does not parse invalid dates",
        arguments: [
            "", "Sun, 31 Feb 2026 00:00:00 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 CET", "Sun, -6 Nov 1994 08:49:37 GMT",
        ])
    func invalidDates(_ text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    @Test(
        "serves at most one range",
        arguments: [
            ("bytes=0-0", .part(0..<1)), ("bytes=5-", .part(5..<10)), ("bytes=-3", .part(7..<10)),
            ("bytes=-99", .part(0..<10)), ("bytes=2-99", .part(2..<10)), ("bytes=10-", .unsatisfiable),
            ("bytes=-0", .unsatisfiable), ("bytes=5-2", .whole), ("bytes=0-1,3-4", .whole), ("items=0-1", .whole),
            ("bytes=", .whole), ("bytes=-", .whole), ("bytes=a-b", .whole), ("bytes=0-1-2", .whole),
            ("bytes=" + Array(repeating: "0-", count: 1000).joined(separator: ","), .whole),
            ("bytes=99999999999999999999-", .whole),
        ] as [(String, ByteRange)])
    func ranges(_ field: String, _ expected: ByteRange) {
        #expect(ByteRange.parse(field, size: 10) == expected)
    }

    @Test("ignores a range of another version")
    func ifRange() {
        let range = { (condition: String?) in
            var headers: Headers = ["Range": "bytes=0-1"]
            headers[.ifRange] = condition
            return ByteRange(RequestHead(headers: headers), size: 10, tag: EntityTag("a"))
        }
        #expect(range(nil) == .part(0..<2))
        #expect(range("\"a\"") == .part(0..<2))
        #expect(range("\"b\"") == .whole)
        #expect(range("W/\"a\"") == .whole)
        #expect(range("Sun, 06 Nov 1994 08:49:37 GMT") == .whole)
    }

    @Test(
        "recognises a current copy",
        arguments: [
            (["If-None-Match": "\"a\""], true), (["If-None-Match": "W/\"a\", \"b\""], true),
            (["If-None-Match": "*"], true), (["If-None-Match": "\"b\""], false), (["If-None-Match": "a"], false),
            (["If-None-Match": "\"b\"", "if-none-match": "\"a\""], true),
            (["If-None-Match": ", \"b\",, \"a\" ,"], true), (["If-None-Match": ","], false),
            (["If-None-Match": "\"b\" \"a\""], false),
            (["If-None-Match": "\"b\"", "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"], false),
            (["If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"], true),
            (["If-Modified-Since": "Sun, 06 Nov 1994 08:49:36 GMT"], false), ([:], false),
        ] as [(Headers, Bool)])
    func freshness(_ headers: Headers, _ expected: Bool) {
        #expect(RequestHead(headers: headers).isFresh(EntityTag("a"), modified: 784_111_777) == expected)
        #expect(!RequestHead(method: .post, headers: headers).isFresh(EntityTag("a"), modified: 784_111_777))
    }
}
