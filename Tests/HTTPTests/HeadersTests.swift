import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(5))) struct HeadersTests {
    @Test("compares names without case and keeps the order of values")
    func lookup() {
        var headers: Headers = ["Content-Type": "text/html", "Vary": "Cookie", "vary": "Accept"]
        #expect(headers["CONTENT-TYPE"] == "text/html")
        #expect(headers.values(.vary) == ["Cookie", "Accept"])
        #expect(headers["X"] == nil)
        headers[.vary] = "Origin"
        headers.append("Set-Cookie", "a=b")
        headers[.contentType] = nil
        var output: [UInt8] = []
        headers.write(to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "Vary: Origin\r\nSet-Cookie: a=b\r\n")
    }

    @Test(
        "does not store malformed names, or values with line ends or controls",
        arguments: [
            ("Location", "/x\r\nSet-Cookie: a=b"), ("Location", "/x\n"), ("Location", "\r"), ("X", "a\u{0}b"),
            ("X\r\nY", "a"), ("X:", "a"), ("", "a"), ("X Y", "a"),
        ])
    func refusesLineEnds(_ name: String, _ value: String) {
        var headers = Headers()
        headers.append(HeaderName(name), value)
        #expect(headers.isEmpty)
        #expect(headers.refused == HeaderName(name))
        headers[HeaderName(name)] = value
        headers.remove("Other")
        #expect(headers.refused != nil)
    }

    @Test("finds list elements regardless of case and blanks")
    func tokens() {
        let headers: Headers = ["Connection": "Keep-Alive , UPGRADE"]
        #expect(headers.contains(.connection, token: "upgrade"))
        #expect(!headers.contains(.connection, token: "keep"))
    }

    @Test("recognises exactly the token characters of the grammar")
    func tokenTable() {
        let expectedCharacters = Set(
            "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        #expect((0...255).filter { ASCII.isToken(UInt8($0)) } == expectedCharacters.map(Int.init).sorted())
    }

    @Test("groups IPv6 addresses by /64, IPv4 addresses individually")
    func networks() {
        let one = PeerAddress(high: 0x2001_0db8_0000_0001, low: 1, port: 1)
        let two = PeerAddress(high: 0x2001_0db8_0000_0001, low: 2, port: 2)
        #expect(one.network == two.network)
        #expect(PeerAddress(ipv4: 1, port: 1).network != PeerAddress(ipv4: 2, port: 1).network)
        #expect(PeerAddress(ipv4: 0xC000_0201, port: 80).description == "192.0.2.1:80")
        #expect(one.network.description == "2001:db8:0:1:0:0:0:0/64")
    }
}
