import Glibc

/// A setting that cannot be used; the text names the variable and what it may be.
package struct ConfigError: Error, CustomStringConvertible {
    package let description: String
}

extension Config {
    /// Every variable and what it means: the table behind `--help`, and what unknown names are checked against.
    package static let variables: [(name: String, meaning: String)] = [
        ("LISTEN", "address:port, several separated by commas (127.0.0.1:8080)"),
        ("DATABASE_URL", "PostgreSQL URL of the application's role"),
        ("OWNER_DATABASE_URL", "PostgreSQL URL of the owner's role, for migrate"),
        ("BASE_URL", "address that people use, e.g. https://bon.example.at (http://localhost:8080)"),
        ("HOSTS", "further host names that are answered, separated by commas"),
        ("TLS_CERT", "file with the certificate chain (PEM); listens with TLS when set"),
        ("TLS_KEY", "file with the private key (PEM)"),
        ("REDIRECT_LISTEN", "address:port of plain HTTP that only leads to BASE_URL, several separated by commas"),
        ("CA_CERT", "file with a private authority's certificate, offered to phones"),
        ("VIEWS", "folder of the templates (Views)"),
        ("PUBLIC", "folder of the static files (Public)"),
        ("MIGRATIONS", "folder of the migrations (Migrations)"),
        ("READER", "path of allesteurer-reader (beside allesteurer)"),
        ("SECOND_ENGINE", "folder of the second recogniser; empty: receipts are read with Tesseract alone"),
        ("FACTS", "file with further words and chains of receipts; allesteurer facts prints the program's own"),
        ("LOOPS", "event loops, 1 to 64 (one a core)"),
        ("READERS", "receipts read side by side, 1 to 16 (1)"),
        ("CONNECTIONS", "database connections a loop, 1 to 50 (4)"),
        ("DEVELOPMENT", "1: templates reload, the style guide is served (0)"),
        ("LOG", "debug, info, warning or error (info)"),
        ("TRUST_PROXY", "1: X-Forwarded-For and -Proto of the peer are believed (0)"),
    ]

    /// Reads the settings.
    ///
    /// `NAME_FILE` gives the file that holds the value of `NAME`, for secrets.
    /// - Throws: `ConfigError` for an unknown name, a bad value or a missing one.
    package init(environment: [String: String], executable: String) throws(ConfigError) {
        var values = try Self.values(in: environment)
        func take(_ name: String) -> String? {
            guard let value = values.removeValue(forKey: name), !value.isEmpty else { return nil }
            return value
        }
        func number(_ name: String, _ range: ClosedRange<Int>, default fallback: Int) throws(ConfigError) -> Int {
            guard let text = take(name) else { return fallback }
            guard let number = Int(text), range.contains(number) else {
                throw ConfigError(
                    description: "ALLESTEURER_\(name) is a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
        func flag(_ name: String) throws(ConfigError) -> Bool { try number(name, 0...1, default: 0) == 1 }

        func addresses(_ name: String, default fallback: String = "") throws(ConfigError) -> [ListenSetting] {
            var addresses: [ListenSetting] = []
            for text in (take(name) ?? fallback).split(separator: ",") {
                guard let address = ListenSetting(text.trimmed) else {
                    throw ConfigError(
                        description: "ALLESTEURER_\(name) is address:port, such as 127.0.0.1:8080 or [::]:8443")
                }
                addresses.append(address)
            }
            return addresses
        }

        listen = try addresses("LISTEN", default: "127.0.0.1:8080")
        guard let first = listen.first else { throw ConfigError(description: "ALLESTEURER_LISTEN names no address") }
        redirectListen = try addresses("REDIRECT_LISTEN")
        guard let databaseURL = take("DATABASE_URL") else {
            throw ConfigError(description: "ALLESTEURER_DATABASE_URL is missing: the application role's PostgreSQL URL")
        }
        self.databaseURL = databaseURL
        ownerDatabaseURL = take("OWNER_DATABASE_URL")
        certificateFile = take("TLS_CERT")
        privateKeyFile = take("TLS_KEY")
        guard (certificateFile == nil) == (privateKeyFile == nil) else {
            throw ConfigError(description: "ALLESTEURER_TLS_CERT and ALLESTEURER_TLS_KEY belong together")
        }
        let base = take("BASE_URL") ?? "\(certificateFile == nil ? "http" : "https")://localhost:\(first.port)"
        guard let baseURL = BaseURL(base) else {
            throw ConfigError(description: "ALLESTEURER_BASE_URL is http:// or https:// with a host, without a path")
        }
        self.baseURL = baseURL
        guard redirectListen.isEmpty || certificateFile != nil && baseURL.isSecure else {
            throw ConfigError(
                description: "ALLESTEURER_REDIRECT_LISTEN leads from http to https, so it needs ALLESTEURER_TLS_CERT")
        }
        hosts = (take("HOSTS") ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
        guard hosts.allSatisfy(HostName.isValid) else {
            throw ConfigError(description: "ALLESTEURER_HOSTS names hosts without scheme, port and path")
        }
        authorityFile = take("CA_CERT")
        views = take("VIEWS") ?? Self.folder("Views", executable: executable)
        assets = take("PUBLIC") ?? Self.folder("Public", executable: executable)
        migrations = take("MIGRATIONS") ?? Self.folder("Migrations", executable: executable)
        reader = take("READER") ?? executable.parentFolder + "/allesteurer-reader"
        secondEngine = take("SECOND_ENGINE")
        facts = try OwnFacts.added(from: take("FACTS"))
        loops = try number("LOOPS", 1...64, default: max(1, min(64, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
        readers = try number("READERS", 1...16, default: 1)
        connections = try number("CONNECTIONS", 1...50, default: 4)
        isDevelopment = try flag("DEVELOPMENT")
        trustsProxy = try flag("TRUST_PROXY")
        let level = take("LOG") ?? "info"
        guard let logLevel = LogLevel(rawValue: level) else {
            throw ConfigError(description: "ALLESTEURER_LOG is debug, info, warning or error")
        }
        self.logLevel = logLevel
    }

    /// The program that reads receipts has to be there before the first one arrives.
    func checkReader() throws(ConfigError) {
        guard FileContent.isProgram(reader) else {
            throw ConfigError(description: "ALLESTEURER_READER: there is no program \(reader)")
        }
    }

    /// The setting as the reader gets it.
    static let secondEngineVariable = "ALLESTEURER_SECOND_ENGINE"
    /// The files of the second engine in its folder, by the names that the reader opens.
    static let secondEngineFiles = ["libonnxruntime.so", "recogniser.onnx"]

    /// The second engine is optional, but a folder that is set has to contain it.
    func checkSecondEngine() throws(ConfigError) {
        guard let secondEngine else { return }
        for file in Self.secondEngineFiles where !FileContent.isFile("\(secondEngine)/\(file)") {
            throw ConfigError(description: "\(Self.secondEngineVariable): there is no file \(secondEngine)/\(file)")
        }
    }

    private static func values(in environment: [String: String]) throws(ConfigError) -> [String: String] {
        // Of the scripts, not of the server.
        let foreign: Set<String> = [
            "TEST_DATA", "TEST_DATABASE_URL", "TEST_PICTURES", "BACKUP_LIMIT", "BINARIES", "SETUP_LINK",
        ]
        let known = Set(variables.map(\.name))
        var values: [String: String] = [:]
        for variable in environment.keys where variable.hasPrefix("ALLESTEURER_") {
            let name = String(variable.dropFirst("ALLESTEURER_".count))
            if let name = [name, name.hasSuffix("_FILE") ? String(name.dropLast(5)) : ""].first(where: known.contains) {
                values[name] = try value(of: name, in: environment)
            } else if !foreign.contains(name) {
                throw ConfigError(description: "\(variable) is no setting; see allesteurer --help")
            }
        }
        return values
    }

    /// One setting, as `NAME` or in the file that `NAME_FILE` gives, for a command that needs no others; nothing where it
    /// is empty.
    ///
    /// - Throws: `ConfigError` where both are set, or the file cannot be read.
    static func value(of name: String, in environment: [String: String]) throws(ConfigError) -> String? {
        let variable = "ALLESTEURER_\(name)"
        var value = environment[variable] ?? ""
        if let file = environment["\(variable)_FILE"] {
            guard environment[variable] == nil else {
                throw ConfigError(description: "\(variable)_FILE and \(variable) are both set")
            }
            guard let content = FileContent.read(file, limit: 65_536) else {
                throw ConfigError(description: "\(variable)_FILE: the file cannot be read")
            }
            value = String(decoding: content, as: UTF8.self).trimmed
        }
        return value.isEmpty ? nil : value
    }

    /// Beside the working directory, or installed under ../share/allesteurer of the executable.
    private static func folder(_ name: String, executable: String) -> String {
        if FileContent.isFolder(name) { return name }
        return executable.parentFolder.parentFolder + "/share/allesteurer/" + name
    }
}

extension StringProtocol {
    /// Without white space at either end.
    var trimmed: String {
        var view = self[...]
        while let first = view.first, first.isWhitespace { view = view.dropFirst() }
        while let last = view.last, last.isWhitespace { view = view.dropLast() }
        return String(view)
    }
}

extension String {
    /// The folder part of a path; "." when there is none.
    var parentFolder: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}
