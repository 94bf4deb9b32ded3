import Foundation
import Testing

@testable import App

/// QR codes and the fingerprint of a private certificate authority, for the set-up of phones.
@Suite(.timeLimit(.minutes(5))) struct PhonesTests {
    @Test func `the QR code of a known text has the expected modules`() throws {
        let code = try #require(QRCode("a"))
        let rows = (0..<code.size).map { row in
            String((0..<code.size).map { code[row, $0] ? "#" : "." })
        }
        #expect(rows.joined(separator: "\n") == Self.pictureOfA)
    }

    @Test(arguments: [(1, 21), (14, 21), (15, 25), (26, 25), (27, 29), (62, 33), (84, 37), (106, 41)])
    func `the size of a QR code grows with its text`(bytes: Int, size: Int) throws {
        #expect(try #require(QRCode(String(repeating: "x", count: bytes))).size == size)
    }

    @Test func `a text that is too long has no QR code`() {
        #expect(QRCode(String(repeating: "x", count: 107)) == nil)
    }

    @Test func `the path draws as many modules as the QR code has dark modules`() throws {
        let code = try #require(QRCode("https://192.168.1.20:8443"))
        let drawn = code.path.matches(of: #/h(\d+)v1/#).compactMap { Int($0.output.1) }.reduce(0, +)
        let dark = (0..<code.size * code.size).count { code[$0 / code.size, $0 % code.size] }
        #expect(drawn == dark)
    }

    @Test func `the fingerprint equals the fingerprint that phones and openssl show`() throws {
        try withFile(Self.certificate) { path throws in
            #expect(try PrivateAuthority(file: path).fingerprint == Self.fingerprint)
        }
    }

    @Test(arguments: [
        "", "-----BEGIN CERTIFICATE-----\n", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    ])
    func `a file without a certificate is refused at start`(text: String) throws {
        try withFile(text) { path throws in
            _ = #expect(throws: ConfigError.self) { () throws -> Void in _ = try PrivateAuthority(file: path) }
        }
    }

    private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file.path)
    }

    /// The QR code of "a", checked with a scanner.
    private static let pictureOfA = """
        #######.....#.#######
        #.....#.###.#.#.....#
        #.###.#...##..#.###.#
        #.###.#..#..#.#.###.#
        #.###.#.#.#.#.#.###.#
        #.....#..##.#.#.....#
        #######.#.#.#.#######
        ...........##........
        #.#.#.#..#.#....#..#.
        .##..#.####...#...##.
        ...#.##.#...#...#...#
        #.......##....#...#..
        #....##.#...#.#.#.#.#
        ........#..#.#.#.#.##
        #######....#.###.####
        #.....#..#.###.###...
        #.###.#.#..#.###.##.#
        #.###.#.......#...##.
        #.###.#.#...#...#...#
        #.....#..##...#...##.
        #######.##..#.#.#.###
        """

    private static let fingerprint =
        "5F:41:D4:8B:D3:EB:EC:07:02:F3:C4:68:FC:CF:8C:FF:CC:D7:7C:AF:7F:D3:4E:91:BD:3F:9E:C0:BC:76:77:B3"

    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBbjCCAROgAwIBAgIUYGK3EP8eaxg65CDSzZksCX1MazIwCgYIKoZIzj0EAwIw
        DDEKMAgGA1UEAwwBdDAeFw0yNjExMjExMjE3MzBaFw0yNjExMjIxMjE3MzBaMAwx
        CjAIBgNVBAMMAXQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASYWdilnj1WQ4LR
        sBBrOahGuGblWSwFUM4BsukNCg64j09q6E+Xk56pHyhUlqObyaPTzcsY02I5rC2P
        aQc1+6L5o1MwUTAdBgNVHQ4EFgQUBXW8AUzsvm5YyKaDE+ECzktFZ/swHwYDVR0j
        BBgwFoAUBXW8AUzsvm5YyKaDE+ECzktFZ/swDwYDVR0TAQH/BAUwAwEB/zAKBggq
        hkjOPQQDAgNJADBGAiEAxLSblrFsMxFjhKyAS5hbx4/1QUhOuHG8zivAvNwdXfkC
        IQDEBjpJKXjsQdylIlipvXoVG6kLeXpPyyKfcC6udykAHw==
        -----END CERTIFICATE-----
        """
}
