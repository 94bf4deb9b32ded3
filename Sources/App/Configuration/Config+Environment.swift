import Glibc

extension Config {
    /// All variables: for `--help`, and to detect unknown names.
    package static let variables: [(name: String, meaning: String)] = [
        ("LISTEN", "address:port, comma-separated (127.0.0.1:8080)"),
        ("DATABASE_URL", "PostgreSQL URL of the application's role"),
        ("OWNER_DATABASE_URL", "PostgreSQL URL of the owner's role, for migrate, restore and wines"),
        ("BASE_URL", "address that browsers use, e.g. https://bon.example.at (http://localhost:8080)"),
        ("HOSTS", "further accepted host names, comma-separated"),
        ("TLS_CERT", "file with the certificate chain (PEM); enables TLS"),
        ("TLS_KEY", "file with the private key (PEM)"),
        ("REDIRECT_LISTEN", "address:port of plain HTTP that redirects to BASE_URL, comma-separated"),
        ("CA_CERT", "file with the certificate of a private certificate authority (PEM), which phones can download"),
        ("VIEWS", "folder of the templates (Views)"),
        ("PUBLIC", "folder of the static files (Public)"),
        ("MIGRATIONS", "folder of the migrations (Migrations)"),
        ("READER", "path of allesteurer-reader (beside allesteurer)"),
        ("SECOND_ENGINE", "folder of the second text recognition engine; empty: Tesseract alone reads receipts"),
        ("FACTS", "file with further words and chains of receipts; allesteurer facts prints the built-in ones"),
        ("LOOPS", "event loops, 1 to 64 (one per core)"),
        ("READERS", "receipts read at the same time, 1 to 16 (one per core)"),
        ("CONNECTIONS", "database connections per loop, 1 to 50 (4)"),
        ("DEVELOPMENT", "1: reload templates, serve the style guide (0)"),
        ("LOG", "debug, info, warning or error (info)"),
        ("BACKUP_KEY", "passphrase that authenticates backups, at least 12 characters"),
        ("BACKUP_FOLDER", "folder of scheduled backups and of archives made in the web app"),
        ("BACKUP_HOURS", "hours between two scheduled backups, 0 to 720; 0: none (24)"),
        ("BACKUP_KEEP", "scheduled backups that are kept, 1 to 1000 (14)"),
        ("SCRATCH_DATABASE_URL", "PostgreSQL URL of a role that may create databases, for verify-backup and restore"),
        ("WATCH_FOLDER", "folder of receipts to import, in one folder per household, named by its identifier"),
        ("MAILBOX", "imaps://user@host:port/folder, to which members send receipts by e-mail"),
        ("MAILBOX_PASSWORD", "password of the mailbox"),
        ("TRUST_PROXY", "1: trust X-Forwarded-For and X-Forwarded-Proto of the peer (0)"),
        ("API_ORIGINS", "sites that may call the API from browsers, comma-separated; empty: none"),
        ("API_RATE", "requests of one API client in a minute, 1 to 1000000 (600)"),
        ("WEBHOOK_PRIVATE", "1: webhooks may call private networks and plain HTTP (0)"),
        ("METRICS_TOKEN", "token that Prometheus sends to read /metrics, at least 16 characters; empty: no /metrics"),
    ]

    /// Reads the settings.
    ///
    /// `NAME_FILE` is the path of a file that contains the value of `NAME`, for secrets.
    ///
    /// - Throws: `ConfigError` for an unknown name, and for an invalid or missing value.
    package init(environment: [String: String], executable: String) throws(ConfigError) {
        var values = try Self.values(in: environment)
        /// Removes a setting from `values` and returns it; nil if it is missing or empty.
        func setting(_ name: String) -> String? {
            guard let value = values.removeValue(forKey: name), !value.isEmpty else { return nil }
            return value
        }
        func number(_ name: String, _ range: ClosedRange<Int>, default fallback: Int) throws(ConfigError) -> Int {
            guard let text = setting(name) else { return fallback }
            guard let number = Int(text), range.contains(number) else {
                throw ConfigError(
                    description: "ALLESTEURER_\(name) must be a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
        func flag(_ name: String) throws(ConfigError) -> Bool { try number(name, 0...1, default: 0) == 1 }

        func addresses(_ name: String, default fallback: String = "") throws(ConfigError) -> [ListenSetting] {
            var addresses: [ListenSetting] = []
            for text in (setting(name) ?? fallback).split(separator: ",") {
                guard let address = ListenSetting(text.trimmed) else {
                    throw ConfigError(
                        description: "ALLESTEURER_\(name) must be address:port, such as 127.0.0.1:8080 or [::]:8443")
                }
                addresses.append(address)
            }
            return addresses
        }

        listen = try addresses("LISTEN", default: "127.0.0.1:8080")
        guard let first = listen.first else { throw ConfigError(description: "ALLESTEURER_LISTEN has no address") }
        redirectListen = try addresses("REDIRECT_LISTEN")
        guard let databaseURL = setting("DATABASE_URL") else {
            throw ConfigError(description: "ALLESTEURER_DATABASE_URL is missing: the application role's PostgreSQL URL")
        }
        self.databaseURL = databaseURL
        ownerDatabaseURL = setting("OWNER_DATABASE_URL")
        certificateFile = setting("TLS_CERT")
        privateKeyFile = setting("TLS_KEY")
        guard (certificateFile == nil) == (privateKeyFile == nil) else {
            throw ConfigError(description: "ALLESTEURER_TLS_CERT and ALLESTEURER_TLS_KEY must be set together")
        }
        let base = setting("BASE_URL") ?? "\(certificateFile == nil ? "http" : "https")://localhost:\(first.port)"
        guard let baseURL = BaseURL(base) else {
            throw ConfigError(
                description: "ALLESTEURER_BASE_URL must be http:// or https:// with a host, without a path")
        }
        self.baseURL = baseURL
        guard redirectListen.isEmpty || certificateFile != nil && baseURL.isSecure else {
            throw ConfigError(
                description:
                    "ALLESTEURER_REDIRECT_LISTEN needs ALLESTEURER_TLS_CERT and an ALLESTEURER_BASE_URL with https")
        }
        hosts = (setting("HOSTS") ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
        guard hosts.allSatisfy(HostName.isValid) else {
            throw ConfigError(description: "ALLESTEURER_HOSTS must be host names without scheme, port and path")
        }
        authorityFile = setting("CA_CERT")
        views = setting("VIEWS") ?? Self.folder("Views", executable: executable)
        assets = setting("PUBLIC") ?? Self.folder("Public", executable: executable)
        migrations = setting("MIGRATIONS") ?? Self.folder("Migrations", executable: executable)
        reader = setting("READER") ?? executable.parentFolder + "/allesteurer-reader"
        secondEngine = setting("SECOND_ENGINE")
        facts = try OwnFacts.added(from: setting("FACTS"))
        loops = try number("LOOPS", 1...64, default: min(64, Self.cores))
        // One reader per core is safe, because readers run at a low priority and yield to requests.
        readers = try number("READERS", 1...16, default: min(16, Self.cores))
        connections = try number("CONNECTIONS", 1...50, default: 4)
        backupKey = try Self.backupKey(setting("BACKUP_KEY"))
        backupFolder = setting("BACKUP_FOLDER")
        backupHours = try number("BACKUP_HOURS", 0...720, default: 24)
        backupsKept = try number("BACKUP_KEEP", 1...1000, default: 14)
        scratchDatabaseURL = setting("SCRATCH_DATABASE_URL")
        watchedFolder = setting("WATCH_FOLDER")
        (mailbox, mailboxPassword) = try Self.mailbox(setting("MAILBOX"), password: setting("MAILBOX_PASSWORD"))
        isDevelopment = try flag("DEVELOPMENT")
        trustsProxy = try flag("TRUST_PROXY")
        apiOrigins = (setting("API_ORIGINS") ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
        guard apiOrigins.allSatisfy({ BaseURL($0)?.description == $0 }) else {
            throw ConfigError(
                description:
                    "ALLESTEURER_API_ORIGINS must be addresses such as https://notes.example.at, without a path")
        }
        apiRate = try number("API_RATE", 1...1_000_000, default: 600)
        allowsPrivateWebhooks = try flag("WEBHOOK_PRIVATE")
        metricsToken = setting("METRICS_TOKEN")
        guard metricsToken?.utf8.count ?? 16 >= 16 else {
            throw ConfigError(description: "ALLESTEURER_METRICS_TOKEN must have at least 16 characters")
        }
        let level = setting("LOG") ?? "info"
        guard let logLevel = LogLevel(rawValue: level) else {
            throw ConfigError(description: "ALLESTEURER_LOG must be debug, info, warning or error")
        }
        self.logLevel = logLevel
    }

    /// The number of online processors.
    private static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Checks at start that the reader exists, instead of failing when the first receipt arrives.
    func checkReader() throws(ConfigError) {
        guard FileContent.isProgram(reader) else {
            throw ConfigError(description: "ALLESTEURER_READER: \(reader) is not an executable file")
        }
    }

    /// The name of the variable that the reader process receives.
    static let secondEngineVariable = "ALLESTEURER_SECOND_ENGINE"
    /// The names of the files that the reader opens in the folder of the second engine.
    static let secondEngineFiles = ["libonnxruntime.so", "recogniser.onnx"]

    /// Checks the folder of the second engine, if it is set.
    func checkSecondEngine() throws(ConfigError) {
        guard let secondEngine else { return }
        for file in Self.secondEngineFiles where !FileContent.isFile("\(secondEngine)/\(file)") {
            throw ConfigError(description: "\(Self.secondEngineVariable): there is no file \(secondEngine)/\(file)")
        }
    }

    /// The values of all settings by name. Refuses unknown names.
    private static func values(in environment: [String: String]) throws(ConfigError) -> [String: String] {
        // Variables that the scripts in bin use.
        let scriptVariables: Set<String> = [
            "TEST_DATA", "TEST_DATABASE_URL", "TEST_PICTURES", "BACKUP_LIMIT", "BINARIES", "SETUP_LINK",
        ]
        let known = Set(variables.map(\.name))
        var values: [String: String] = [:]
        for variable in environment.keys where variable.hasPrefix("ALLESTEURER_") {
            let name = String(variable.dropFirst("ALLESTEURER_".count))
            if let name = [name, name.hasSuffix("_FILE") ? String(name.dropLast(5)) : ""].first(where: known.contains) {
                values[name] = try value(of: name, in: environment)
            } else if !scriptVariables.contains(name) {
                throw ConfigError(description: "\(variable) is not a setting; see allesteurer --help")
            }
        }
        return values
    }

    /// Reads one setting from `NAME` or the file `NAME_FILE`. Returns nil if it is missing or empty.
    ///
    /// - Throws: `ConfigError` if both are set or the file cannot be read.
    static func value(of name: String, in environment: [String: String]) throws(ConfigError) -> String? {
        let variable = "ALLESTEURER_\(name)"
        var value = environment[variable] ?? ""
        if let file = environment["\(variable)_FILE"] {
            guard environment[variable] == nil else {
                throw ConfigError(description: "\(variable)_FILE and \(variable) are both set")
            }
            guard let content = FileContent.read(file, limit: 65_536) else {
                throw ConfigError(description: "\(variable)_FILE: cannot read \(file), or it is larger than 64 KiB")
            }
            value = String(decoding: content, as: UTF8.self).trimmed
        }
        return value.isEmpty ? nil : value
    }

    /// Returns a folder in the working directory if it exists, else in ../share/allesteurer relative to the
    /// executable's folder.
    private static func folder(_ name: String, executable: String) -> String {
        if FileContent.isFolder(name) { return name }
        return executable.parentFolder.parentFolder + "/share/allesteurer/" + name
    }
}
