import Crypto
import DocumentParsing
import Mail

/// The settings, read once from the environment. See docs/reference/configuration.md.
package struct Config: Sendable {
    /// Addresses to listen on; with TLS if a certificate is set.
    package var listen: [ListenSetting]
    /// Addresses of plain HTTP that redirect to the base URL. Only with TLS.
    package var redirectListen: [ListenSetting]
    /// Of the application's role, which owns no tables.
    package var databaseURL: String
    /// Of the owner's role. Only `migrate` needs it.
    package var ownerDatabaseURL: String?
    /// The base of links and redirects. Requests for its host are accepted.
    package var baseURL: BaseURL
    /// Further accepted host names, without port.
    package var hosts: [String]
    /// PEM, the server's certificate first. Enables TLS, together with `privateKeyFile`.
    package var certificateFile: String?
    /// PEM.
    package var privateKeyFile: String?
    /// The certificate of a private certificate authority, offered for download so that phones can trust it.
    package var authorityFile: String?
    /// Folder of the templates.
    package var views: String
    /// Folder of style sheets, scripts and icons.
    package var assets: String
    /// Folder of `NNNN_name.sql`.
    package var migrations: String
    /// Path of `allesteurer-reader`.
    package var reader: String
    /// Folder of the second engine; nil: receipts are read with Tesseract alone.
    package var secondEngine: String?
    /// The words and chains of receipts: the built-in ones and those of `ALLESTEURER_FACTS`.
    package var facts: ChainFacts
    /// Number of event loops, 1…64.
    package var loops: Int
    /// Number of reader processes, 1…16.
    package var readers: Int
    /// Database connections per loop.
    package var connections: Int
    /// Reload changed templates and serve the style guide.
    package var isDevelopment: Bool
    /// The lowest level that is logged.
    package var logLevel: LogLevel
    /// Whether `X-Forwarded-For` and `X-Forwarded-Proto` of the peer, a reverse proxy, are trusted.
    package var trustsProxy: Bool
    /// Sites that may call the API from browsers, such as `https://notes.example.at`.
    package var apiOrigins: [String]
    /// Requests of one API client in a minute, for each server process.
    package var apiRate: Int
    /// Whether webhooks may call addresses that are not on the public internet.
    package var allowsPrivateWebhooks: Bool
    /// Opens `/metrics`; nil: there is no such page.
    package var metricsToken: String?

    /// A folder with one folder for each household, from which files are taken in.
    package var watchedFolder: String?
    /// From which files are taken in that members send; with its password.
    package var mailbox: Mailbox?
    package var mailboxPassword: String?

    /// The passphrase that authenticates backups.
    package var backupKey: Password?
    /// Folder of scheduled backups and of the archives that owners make; nil: there are none.
    package var backupFolder: String?
    /// Hours between two scheduled backups; 0: none are made.
    package var backupHours: Int
    /// How many scheduled backups are kept.
    package var backupsKept: Int
    /// Of a role that may create databases. Only commands that restore archives need it.
    package var scratchDatabaseURL: String?

    /// In ascending order.
    package enum LogLevel: String, Sendable, CaseIterable, Comparable {
        case debug, info, warning, error

        package static func < (left: LogLevel, right: LogLevel) -> Bool {
            // `allCases` has both.
            allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
        }
    }
}
