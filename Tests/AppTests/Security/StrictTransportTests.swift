import HTTP
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct StrictTransportTests {
    private func headers(_ address: String, ownAuthority: Bool = false, host: String) throws -> Headers {
        var response = Response(.ok)
        SecurityHeaders(address: try #require(BaseURL(address)), hasOwnAuthority: ownAuthority)
            .apply(to: &response, nonce: "n", host: host)
        return response.headers
    }

    @Test func `sends Strict-Transport-Security for the operator's own host name`() throws {
        let sentHeaders = try headers("https://bons.berger.at", host: "bons.berger.at")
        #expect(sentHeaders["Strict-Transport-Security"] == "max-age=63072000")
    }

    @Test(arguments: [
        ("https://192.168.1.7:8443", "192.168.1.7"), ("https://[fd00::1]:8443", "[fd00::1]"),
        ("https://server:8443", "server"), ("https://server.local:8443", "server.local"),
        ("https://server.fritz.box", "server.fritz.box"), ("https://server.home.arpa", "server.home.arpa"),
        ("https://localhost:8443", "localhost"), ("https://bons.localhost", "bons.localhost"),
        // This machine, requested under another name or address than the configured name.
        ("https://bons.berger.at", "localhost"), ("https://bons.berger.at", "127.0.0.1"),
        ("http://bons.berger.at", "bons.berger.at"),
    ])
    func `sends no Strict-Transport-Security for shared names and addresses`(address: String, host: String) throws {
        #expect(try headers(address, host: host)["Strict-Transport-Security"] == nil)
    }

    @Test func `sends no Strict-Transport-Security with a private certificate authority`() throws {
        let sentHeaders = try headers("https://bons.berger.at", ownAuthority: true, host: "bons.berger.at")
        #expect(sentHeaders["Strict-Transport-Security"] == nil)
        #expect(sentHeaders["X-Content-Type-Options"] == "nosniff")
    }
}
