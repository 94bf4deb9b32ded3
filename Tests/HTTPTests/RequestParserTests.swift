import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(5))) struct RequestParserTests {
    /// Malformed requests. Real servers have disagreed about where such requests end.
    static let hostile: [String] = {
        let start = "POST / HTTP/1.1\r\nHost: a\r\n"
        let chunkSizes = ["0_2e", "0x10", "+5", "-1", "", "5 ", " 5", "5\r\r;x", "5;", "fffffffffffffffff", "5\t;a"]
        let lengths = [
            "+1_0", "-48", "0x10", "1Z", "", "1, 2", "1,1", "5 0", "5_0", "99999999999999999999", "1\u{b}",
        ]
        let codings = [
            ",chunked", "chunked,chunked", "\u{a0}chunked", "xchunked", "identity", "chunked\u{b}", "chunked, identity",
            "\"chunked\"", "chunked;a=b", "",
        ]
        let fields = [
            "Content-Length : 34", "\tContent-Length: 1", "Content-Length\u{85}: 10", ": ignored", "Content-Length 10",
            "Transfer-\r\nEncoding: chunked", "a: b\nc: d", "a: b\rc: d", "a: v\u{0}w", "\r\n\rZGET /evil: HTTP/1.1",
            "\u{ff}foo: bar", "a: \u{7f}", " a: b", "a b: c", "Content-Length: 1\r\nContent-Length: 1",
            "Content-Length: 1\r\nContent-Length: 0", "Content-Length: 5\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "a\r\n : b", "a: b\r\n c",
        ]
        let lines = [
            "GET /\nHTTP/1.1", "GET / HTTP/1.32", "GET / HTTP/4294967295.255", "G=\":<>(e) / HTTP/1.1",
            "GET ! HTTP/1.1 x", "GET  / HTTP/1.1", "GET /  HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1",
            "GET\t/ HTTP/1.1", "GET / http/1.1", "GET / HTTP/01.1", "GET /\u{e4} HTTP/1.1", "GET /\u{0} HTTP/1.1", "",
            "\r\n", "PRI * HTTP/2.0", "\u{16}\u{3}\u{1}",
        ]
        return chunkSizes.map { start + "Transfer-Encoding: chunked\r\n\r\n\($0)\r\nhello\r\n0\r\n\r\n" }
            + [
                "0\r\nX:POST / HTTP/1.1\r\n\r\n", "5\r\nhelloXX0\r\n\r\n", "5\r\nhello\n0\r\n\r\n", "0\n\r\n",
                "0\r\n\n",
            ]
            .map { start + "Transfer-Encoding: chunked\r\n\r\n" + $0 }
            + [
                "Host: evil", "content-length: 9", "Transfer-Encoding: chunked", "X:GET /admin HTTP/1.1", "X\u{1}: y",
            ]
            .map { start + "Transfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n\($0)\r\n\r\n" }
            + lengths.map { start + "Content-Length: \($0)\r\n\r\n" }
            + codings.map { start + "Transfer-Encoding: \($0)\r\n\r\n" }
            + fields.map { start + $0 + "\r\n\r\n" }
            + lines.map { $0 + "\r\nHost: a\r\n\r\n" }
            + ["POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"]
    }()

    @Test("refuses ambiguous framing and reads no request after it", arguments: hostile)
    func refusesHostileBytes(_ text: String) {
        // Encodes each scalar as one byte, so that \u{ff} is the byte 0xFF.
        let bytes =
            text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            + Array("GET /admin HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        let trace = ParserTrace(bytes)
        #expect(trace.refusal != nil, "\(trace)")
        #expect(!trace.heads.contains { $0.target == "/admin" })
        #expect(ParserTrace(bytes.map { [$0] }) == trace)
    }

    static let acceptedRequests: [(String, Int)] = [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 1),
        ("\r\nGET / HTTP/1.0\r\n\r\n", 1),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\nHost: a\r\n\r\n", 2),
        ("POST / HTTP/1.1\r\ntransfer-encoding: Chunked\r\n\r\n5;a=\"b;\\\"\"\r\nhello\r\n0;x\r\nA: b\r\n\r\n", 1),
        ("GET / HTTP/1.1\r\nConnection: close\r\n\r\nGET / HTTP/1.1\r\n\r\n", 1),
        ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\n", 2),
        ("POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\na\r\nGET / HTTP/1.1\r\n\r\n", 2),
    ]

    @Test("reads ordinary requests one after another", arguments: acceptedRequests)
    func acceptsRequests(_ text: String, _ messages: Int) {
        let trace = ParserTrace(text)
        #expect(trace.refusal == nil)
        #expect(trace.messages == messages)
    }

    @Test("gives the same events for every split into two pieces", arguments: acceptedRequests)
    func everyCut(_ text: String, _ messages: Int) {
        let bytes = Array(text.utf8)
        let whole = ParserTrace(bytes)
        for cut in 1..<bytes.count {
            #expect(ParserTrace([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole)
        }
    }

    @Test("gives the same events for mutated requests however they are split")
    func mutations() {
        var generator = SeededGenerator(seed: 20_261_121)
        let seeds = Self.acceptedRequests.map { Array($0.0.utf8) } + Self.hostile.map { Array($0.utf8) }
        let interesting: [UInt8] = [0, 9, 10, 13, 32, 34, 44, 48, 58, 59, 61, 127, 128, 255]
        var refused = 0
        for _ in 0..<4000 {
            guard var bytes = seeds.randomElement(using: &generator), !bytes.isEmpty else { continue }
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = interesting.randomElement(using: &generator) ?? 0
                case 1: bytes.insert(interesting.randomElement(using: &generator) ?? 0, at: index)
                case 2: if bytes.count > 1 { bytes.remove(at: index) }
                default: bytes.append(contentsOf: seeds.randomElement(using: &generator) ?? [])
                }
            }
            let whole = ParserTrace(bytes)
            if whole.refusal != nil { refused += 1 }
            let pieces = split(bytes, &generator)
            let pieced = ParserTrace(pieces)
            if pieced != whole { Issue.record("\(bytes.debugText)\n\(whole)\n\(pieced)\n\(pieces.map(\.count))") }
        }
        #expect(refused > 1000 && refused < 4000)
    }

    static let limitedRequests: [(text: String, status: Status?)] = [
        ("GET /" + String(repeating: "a", count: 8192 - 14) + " HTTP/1.1\r\n\r\n", nil),
        ("GET /" + String(repeating: "a", count: 8192 - 13) + " HTTP/1.1\r\n\r\n", Status.uriTooLong),
        ("GET /" + String(repeating: "a", count: 1_000_000), .uriTooLong),
        ("GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 64) + "\r\n", nil),
        ("GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 65) + "\r\n", .requestHeaderFieldsTooLarge),
        ("GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 100_000), .requestHeaderFieldsTooLarge),
        ("GET / HTTP/1.1\r\na: " + String(repeating: "b", count: 16_384 - 7) + "\r\n\r\n", nil),
        (
            "GET / HTTP/1.1\r\na: " + String(repeating: "b", count: 16_385) + "\r\n\r\n",
            .requestHeaderFieldsTooLarge
        ),
        ("GET / HTTP/1.1\r\na: " + String(repeating: "b", count: 1_000_000), .requestHeaderFieldsTooLarge),
        (
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;" + String(repeating: "a", count: 600),
            .badRequest
        ),
        (
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\na: " + String(repeating: "b", count: 5000),
            .requestHeaderFieldsTooLarge
        ),
        ("MKCOLA / HTTP/1.1\r\n\r\n", .notImplemented),
        ("GET / HTTP/2.0\r\n\r\n", .httpVersionNotSupported),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .httpVersionNotSupported),
        ("BREW / HTTP/1.1\r\n\r\n", .notImplemented),
    ]

    @Test(
        "refuses requests over a limit and unknown methods and versions with the right status",
        arguments: limitedRequests)
    func limits(_ text: String, _ status: Status?) {
        let trace = ParserTrace(text)
        #expect(trace.refusal?.status == status)
        var generator = SeededGenerator(seed: 7)
        #expect(ParserTrace(split(Array(text.utf8), &generator)) == trace)
    }

    @Test("does not merge trailers into fields")
    func trailers() {
        let trace = ParserTrace(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nCookie: b\r\nVary: HTTP/1.1, c\r\n\r\n"
        )
        #expect(trace.refusal == nil)
        #expect(trace.messages == 1)
        #expect(trace.heads.first?.headers.contains(.cookie) == false)
        #expect(trace.heads.first?.headers.contains(.vary) == false)
    }
}

extension [UInt8] {
    fileprivate var debugText: String { String(decoding: self, as: UTF8.self).debugDescription }
}
