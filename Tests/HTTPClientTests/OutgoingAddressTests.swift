import HTTPClient
import Testing

/// Addresses and URLs of outgoing requests.
@Suite(.timeLimit(.minutes(5))) struct OutgoingAddressTests {
    @Test(arguments: [
        "9.9.9.9", "172.15.0.1", "172.32.0.1", "192.167.1.1", "100.128.0.1", "2606:4700::1111", "223.255.255.255",
    ])
    func `recognises public addresses`(_ text: String) throws {
        let address = try #require(OutgoingAddress(text))
        #expect(address.isPublic && address.isUnicast && address.description == text)
    }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.0.9", "169.254.169.254", "172.16.0.1",
        "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.51.100.7", "203.0.113.5",
        "224.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "fe80::1",
        "fc00::1", "fd12::1", "ff02::1", "64:ff9b::7f00:1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:a00:1::1",
    ])
    func `recognises addresses of private, local and special networks`(_ text: String) throws {
        let address = try #require(OutgoingAddress(text))
        #expect(!address.isPublic)
    }

    @Test(arguments: ["0.0.0.0", "224.0.0.1", "255.255.255.255", "::", "ff02::1"])
    func `recognises multicast, broadcast and unspecified addresses`(_ text: String) throws {
        let address = try #require(OutgoingAddress(text))
        #expect(!address.isUnicast)
    }

    @Test(arguments: [
        ("https://Example.AT", "https://example.at/"), ("http://h:8080/a?b=c", "http://h:8080/a?b=c"),
        ("https://h?x=1", "https://h/?x=1"), ("HTTPS://[2001:DB8::1]:443/x", "https://[2001:db8::1]/x"),
        ("http://127.0.0.1:80/", "http://127.0.0.1/"),
    ])
    func `parses and normalises URLs`(_ text: String, _ written: String) {
        #expect(OutgoingURL(text)?.description == written)
    }

    @Test(arguments: [
        "", "ftp://h/", "https://", "https:///x", "https://u:p@h/", "https://h:0/", "https://h:70000/", "https://h:x/",
        "https://h/a b", "https://h/\r\nX: y", "https://h/#x", "https://[::1", "https://[h]/", "https://ä.at/", "//h/",
        "https://h\\@evil/", "https://.h/", "https://h_/", "https://h/\u{7F}", "javascript:alert(1)",
        "https://h/" + String(repeating: "x", count: 2_000),
    ])
    func `refuses texts that are not plain http or https URLs`(_ text: String) {
        #expect(OutgoingURL(text) == nil)
    }
}
