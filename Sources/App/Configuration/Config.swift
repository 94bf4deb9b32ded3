import DocumentParsing

/// Every setting, read once from the environment; see docs/reference/configuration.md.
package struct Config: Sendable {
    /// Where to listen, plain HTTP or TLS when a certificate is set.
    package var listen: [ListenSetting]
    /// Where plain HTTP is answered with nothing but the way to the base URL's port; only beside TLS.
    package var redirectListen: [ListenSetting]
    /// The application's role: serves, owns nothing.
    package var databaseURL: String
    /// The owner's role: migrates. Only `migrate` needs it.
    package var ownerDatabaseURL: String?
    /// What links and redirects are made of, and whose host is answered.
    package var baseURL: BaseURL
    /// Further hosts that are answered, without port: the machine's other names and addresses.
    package var hosts: [String]
    /// PEM, the server's own certificate first; set together with `privateKeyFile`, and TLS is served.
    package var certificateFile: String?
    /// PEM, readable for the server; set together with `certificateFile`.
    package var privateKeyFile: String?
    /// The private authority's certificate, offered for download so that phones can trust it.
    package var authorityFile: String?
    /// Folders of templates, static files and migrations, and the reader's executable.
    package var views: String
    /// Folder of style sheets, scripts and icons.
    package var assets: String
    /// Folder of `NNNN_name.sql`.
    package var migrations: String
    /// Path of the reader's executable.
    package var reader: String
    /// Folder of the second engine; nil: receipts are read with Tesseract alone.
    package var secondEngine: String?
    /// What receipts say: the program's own facts and those of `ALLESTEURER_FACTS`.
    package var facts: ChainFacts
    /// Event loops, 1…64.
    package var loops: Int
    /// Readers at work side by side, 1…16.
    package var readers: Int
    /// Database connections a loop.
    package var connections: Int
    /// Templates are read again when they change, and the style guide is served.
    package var isDevelopment: Bool
    /// The least that is logged.
    package var logLevel: LogLevel
    /// Whether a reverse proxy stands in front, whose `X-Forwarded-For` and `-Proto` are believed.
    package var trustsProxy: Bool

    /// How much a line of the log matters, from least to most.
    package enum LogLevel: String, Sendable, CaseIterable, Comparable {
        case debug, info, warning, error

        package static func < (left: LogLevel, right: LogLevel) -> Bool {
            // Both are cases, so both are found.
            allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
        }
    }
}

/// A numeric address and a port: `127.0.0.1:8080`, `0.0.0.0:8080`, `[::1]:8080`.
package struct ListenSetting: Sendable, Equatable, CustomStringConvertible {
    /// Without brackets round an address of IPv6.
    package let host: String
    /// 0 lets the kernel choose, for tests.
    package let port: UInt16

    /// Nothing without a port of 0 to 65,535, or where an address of IPv6 has no brackets; whether the host is an
    /// address is found out when it is listened on.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.first == "[", host.last == "]" {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 < 128 && $0 > 32 }) else { return nil }
        self.host = String(host)
        self.port = port
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Scheme, host and port of our own address; no path.
package struct BaseURL: Sendable, Equatable, CustomStringConvertible {
    /// `https`.
    package let isSecure: Bool
    /// Lower case.
    package let host: String
    /// Nil for the scheme's own.
    package let port: Int?

    /// Nothing unless `http://` or `https://` with a host; one slash may follow, and nothing else.
    package init?(_ text: String) {
        let lowered = text.lowercased()
        let rest: Substring
        if lowered.hasPrefix("https://") {
            isSecure = true
            rest = lowered.dropFirst(8)
        } else if lowered.hasPrefix("http://") {
            isSecure = false
            rest = lowered.dropFirst(7)
        } else {
            return nil
        }
        let authority = rest.hasSuffix("/") ? rest.dropLast() : rest
        guard !authority.isEmpty, !authority.contains(where: { "/?#@ ".contains($0) }) else { return nil }
        if let colon = authority.lastIndex(of: ":"), authority.last != "]" {
            guard let port = UInt16(authority[authority.index(after: colon)...]) else { return nil }
            host = String(authority[..<colon])
            self.port = Int(port)
        } else {
            host = String(authority)
            port = nil
        }
        guard HostName.isValid(host) else { return nil }
    }

    package var description: String {
        "\(isSecure ? "https" : "http")://\(host)\(port.map { ":\($0)" } ?? "")"
    }
}
