import Crypto

/// The certificate of a private certificate authority, read from a PEM file (RFC 7468). Phones download it.
struct PrivateAuthority: Sendable {
    /// The certificate in DER, a format that iOS and Android accept.
    let encoded: [UInt8]

    /// - Throws: `ConfigError` if the file cannot be read or is not a PEM certificate.
    init(file: String) throws(ConfigError) {
        guard let content = FileContent.read(file, limit: 65_536),
            let encoded = Self.decode(String(decoding: content, as: UTF8.self))
        else { throw ConfigError(description: "ALLESTEURER_CA_CERT: \(file) is not a readable PEM certificate") }
        self.encoded = encoded
    }

    /// The SHA-256 fingerprint as phones show it: `5F:9A:…`.
    var fingerprint: String {
        let digits = Array(Hexadecimal.encode(sha256(encoded)).uppercased())
        return stride(from: 0, to: digits.count, by: 2).map { String(digits[$0...($0 + 1)]) }.joined(separator: ":")
    }

    /// Returns the first certificate of a PEM text.
    private static func decode(_ text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let begin = lines.firstIndex(of: "-----BEGIN CERTIFICATE-----"),
            let end = lines[begin...].firstIndex(of: "-----END CERTIFICATE-----")
        else { return nil }
        let base64 = lines[(begin + 1)..<end].joined().map { character -> Character in
            switch character {
            case "+": "-"
            case "/": "_"
            default: character
            }
        }
        let bytes = Base64URL.decode(String(String(base64).prefix { $0 != "=" }))
        // A certificate is a DER SEQUENCE.
        return bytes?.first == 0x30 ? bytes : nil
    }
}
