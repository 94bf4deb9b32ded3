import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(5))) struct FormTests {
    @Test("keeps order and repetition of fields")
    func fields() throws {
        let form = try FormFields(urlencoded: Array("a=1&b=x+y&a=%C3%A4&c&&=d&e=f=g".utf8))
        #expect(form.values("a") == ["1", "ä"])
        #expect(form["b"] == "x y")
        #expect(form["c"] == "")
        #expect(form["e"] == "f=g")
        #expect(form["missing"] == nil)
    }

    @Test(
        "refuses broken escapes and invalid UTF-8",
        arguments: ["a=%ff", "a=%c0%af", "a=%ED%A0%80%ED%B0%80", "%=1", "a=%4", "a=%00", "a=%F4%90%80%80", "a=\u{0}"])
    func invalid(_ text: String) {
        #expect(throws: FormError.malformed) { try FormFields(urlencoded: Array(text.utf8)) }
    }

    @Test("reads 256 fields, and refuses 257 fields and a million fields")
    func fieldLimit() throws {
        let bytes = { (count: Int) in Array(String(repeating: "a=b&", count: count).utf8) }
        #expect(try FormFields(urlencoded: bytes(256)).fields.count == 256)
        #expect(throws: FormError.tooMany) { try FormFields(urlencoded: bytes(257)) }
        #expect(throws: FormError.tooMany) { try FormFields(urlencoded: bytes(1_000_000)) }
    }

    @Test("reads a form of at most 64 KiB from a body in pieces")
    func reading() async throws {
        let head = RequestHead(headers: ["Content-Type": "application/x-www-form-urlencoded; charset=UTF-8"])
        let form = try await FormFields.read(head, RequestBody(pieces: [[97, 61], [98], []]))
        #expect(form["a"] == "b")
        await #expect(throws: FormError.body(.tooLarge)) {
            try await FormFields.read(head, RequestBody([UInt8](repeating: 97, count: 65_537)))
        }
        await #expect(throws: FormError.unsupported) {
            try await FormFields.read(RequestHead(headers: ["Content-Type": "text/plain"]), RequestBody())
        }
    }

    @Test(
        "redirects only to paths on this site",
        arguments: [
            ("/receipts?a=b#c", "/receipts?a=b#c"), ("/", "/"), ("//evil.com", "/"), ("https:evil", "/"),
            ("/\\evil", "/"), ("/%09/evil", "/"), ("/\t/evil", "/"), ("javascript:alert(1)", "/"), ("", "/"),
            ("/%2f/evil", "/"), ("/%5cevil", "/"), ("/a\r\nSet-Cookie: x=y", "/"), ("/%0d%0aSet-Cookie:x", "/"),
            ("https://evil.com/", "/"), ("receipts", "/"), ("/ä", "/"), (" /x", "/"),
        ])
    func redirects(_ candidate: String, _ expected: String) {
        #expect(Redirect.ownPath(candidate) == expected)
    }

    @Test("reads cookies and ignores a name that occurs twice")
    func cookies() {
        let head = RequestHead(headers: ["Cookie": "a=1; __Host-s=x=y;b=\"2\"; broken; a=3"])
        #expect(head.cookie("__Host-s") == "x=y")
        #expect(head.cookie("b") == "\"2\"")
        #expect(head.cookie("a") == nil)
        #expect(head.cookie("broken") == nil)
    }

    @Test(
        "reads the value of every cookie that it writes",
        arguments: ["abc_-1", "a;b, \"c\"", "50%", "%41", "/products?q=Käse%20alt", ""])
    func cookieRoundTrip(_ value: String) throws {
        let pair = try #require(SetCookie(host: "s", value: value).fieldValue.split(separator: ";").first)
        #expect(RequestHead(headers: ["Cookie": String(pair)]).cookie("__Host-s") == value)
    }

    @Test("ignores a cookie with a broken escape", arguments: ["a%", "a%4", "%zz", "%ff"])
    func brokenCookie(_ value: String) {
        #expect(RequestHead(headers: ["Cookie": "a=\(value)"]).cookie("a") == nil)
    }

    @Test("writes cookies for this host only, encoded")
    func setCookie() {
        #expect(
            SetCookie(host: "session", value: "abc_-1", maxAge: 60).fieldValue
                == "__Host-session=abc_-1; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=60")
        #expect(
            SetCookie(host: "s", value: "a;b\r\n", sameSite: .strict).fieldValue
                == "__Host-s=a%3Bb%0D%0A; Path=/; Secure; HttpOnly; SameSite=Strict")
    }
}
