import HTTP
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct ForwardedHeadTests {
    @Test(arguments: [
        ("203.0.113.7", "203.0.113.7"), ("198.51.100.1, 203.0.113.7", "203.0.113.7"),
        ("2001:db8::1", "2001:db8:0:0:0:0:0:1"), ("[2001:db8::1]", "2001:db8:0:0:0:0:0:1"),
        ("203.0.113.7:5678", "203.0.113.7"), ("198.51.100.1:1, 203.0.113.7:5678", "203.0.113.7"),
        ("[2001:db8::1]:80", "2001:db8:0:0:0:0:0:1"), ("203.0.113.7:http", "127.0.0.1"),
        ("203.0.113.7:", "127.0.0.1"), ("[2001:db8::1]80", "127.0.0.1"), ("[2001:db8::1", "127.0.0.1"),
        ("unknown", "127.0.0.1"), ("", "127.0.0.1"), ("203.0.113.7, ", "127.0.0.1"),
    ])
    func `uses the last address, which the proxy has added`(field: String, address: String) {
        let head = RequestHead(headers: ["X-Forwarded-For": field])
        #expect(head.asForwarded().peer.host == address)
    }

    @Test(arguments: [("https", true), ("HTTPS", true), ("http", false)])
    func `the proxy's header states whether the browser uses TLS`(field: String, isSecure: Bool) {
        #expect(RequestHead(headers: ["X-Forwarded-Proto": field]).asForwarded().isSecure == isSecure)
    }

    @Test(
        arguments: [
            ("https://bon.example.at/receipts/new?x=1", "/receipts/new?x=1"),
            ("https://bon.example.at.evil.test/", nil),
            ("https://bon.example.at//evil.test/", nil), ("https://evil.test/receipts", nil),
            ("https://bon.example.at/here", nil),
        ] as [(String, String?)])
    func `the previous page is offered only if it is another page of this server`(referer: String, path: String?) {
        let origin = RequestOrigin(origins: ["https://bon.example.at"])
        let head = RequestHead(target: "/here", headers: [.referer: referer])
        #expect(origin.pageBefore(head) == path)
    }
}
