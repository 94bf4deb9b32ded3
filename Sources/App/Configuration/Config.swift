import Crypto
import DocumentParsing
import Mail

/// The settings, read once from the environment. See docs/reference/configuration.md.
package struct Config: Sendable {
    /// The addresses to listen on; with TLS if a certificate is set.
    package var listen: [ListenSetting]
    /// The plain HTTP addresses that redirect to the base URL; only used with TLS.
    package var redirectListen: [ListenSetting]
    /// The URL for the application's role, which owns no tables.
    package var databaseURL: String
    /// The URL for the owner's role. Only `migrate`, `restore` and `wines` need it.
    package var ownerDatabaseURL: String?
    /// The base of links and redirects. Its host is always accepted.
    package var baseURL: BaseURL
    /// Other accepted host names, without ports.
    package var hosts: [String]
    /// A PEM file, the server's certificate first. Enables TLS together with `privateKeyFile`.
    package var certificateFile: String?
    /// A PEM file.
    package var privateKeyFile: String?
    /// The certificate of a private certificate authority, a PEM file. Phones can download it, and the servers of
    /// webhooks and of the mailbox may have certificates that it issued.
    package var authorityFile: String?
    /// The folder of the templates.
    package var views: String
    /// The folder of style sheets, scripts and icons.
    package var assets: String
    /// The folder of the files `NNNN_name.sql`.
    package var migrations: String
    /// The path of `allesteurer-reader`.
    package var reader: String
    /// The folder of the second engine for text recognition; nil to read receipts with Tesseract alone.
    package var secondEngine: String?
    /// The facts for parsing receipts (words and store chains): the built-in ones and those of the file
    /// `ALLESTEURER_FACTS`.
    package var facts: ChainFacts
    /// The number of event loops, 1…64.
    package var loops: Int
    /// The number of reader processes, 1…16.
    package var readers: Int
    /// The number of database connections per loop.
    package var connections: Int
    /// Whether to reload changed templates and serve the style guide.
    package var isDevelopment: Bool
    /// The lowest logged level.
    package var logLevel: LogLevel
    /// Whether the peer is a proxy whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.
    package var trustsProxy: Bool
    /// The sites that may call the API from browsers, such as `https://notes.example.at`.
    package var apiOrigins: [String]
    /// The maximum number of requests of one API client in a minute, for each server process.
    package var apiRate: Int
    /// Whether webhooks may call private networks and use plain HTTP.
    package var allowsPrivateWebhooks: Bool
    /// The token for `/metrics`; nil to disable the page.
    package var metricsToken: String?

    /// The folder from which files are imported; it holds one folder for each household.
    package var watchedFolder: String?
    /// The mailbox to which members send receipts; nil for none.
    package var mailbox: Mailbox?
    package var mailboxPassword: String?

    /// The passphrase that authenticates backups.
    package var backupKey: Password?
    /// The folder of scheduled backups and of archives that owners make; nil for none.
    package var backupFolder: String?
    /// Hours between two scheduled backups; 0 for none.
    package var backupHours: Int
    /// The number of scheduled backups to keep.
    package var backupsKept: Int
    /// The URL for a role that may create databases. Only `restore` and `verify-backup` need it.
    package var scratchDatabaseURL: String?

    /// In ascending order.
    package enum LogLevel: String, Sendable, CaseIterable, Comparable {
        case debug, info, warning, error

        package static func < (left: LogLevel, right: LogLevel) -> Bool {
            // Both are in `allCases`.
            allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
        }
    }
}
