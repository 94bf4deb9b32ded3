import Crypto
import Postgres

extension Config {
    /// The shortest backup passphrase in characters.
    static let backupKeyCharacters = 12

    /// - Throws: `ConfigError` if the setting is missing.
    func requireBackupKey() throws(ConfigError) -> Password {
        guard let backupKey else {
            throw ConfigError(
                description: "ALLESTEURER_BACKUP_KEY is missing: the passphrase that authenticates backups")
        }
        return backupKey
    }

    /// Parses the passphrase; nil if it is not set.
    static func backupKey(_ text: String?) throws(ConfigError) -> Password? {
        guard let text else { return nil }
        guard text.unicodeScalars.count >= backupKeyCharacters, let key = Password(entered: text) else {
            throw ConfigError(
                description: "ALLESTEURER_BACKUP_KEY must have at least \(backupKeyCharacters) characters")
        }
        return key
    }

    /// The server and role with which `verify-backup` and `restore` create a temporary database.
    func scratchDatabase() throws(ConfigError) -> ScratchDatabase {
        guard let scratchDatabaseURL else {
            throw ConfigError(
                description:
                    "ALLESTEURER_SCRATCH_DATABASE_URL is missing: PostgreSQL URL of a role that may create databases")
        }
        return ScratchDatabase(
            try PostgresSettings(scratchDatabaseURL, of: "SCRATCH_DATABASE_URL"), application: try PoolSettings.of(self)
        )
    }
}
