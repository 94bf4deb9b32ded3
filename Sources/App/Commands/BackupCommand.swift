import Archive
import Crypto
import Domain
import Glibc
import Postgres

/// `allesteurer backup`: writes an archive of the installation or of one household.
enum BackupCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        var household: HouseholdID?
        var target: String?
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { throw UsageError(description: "\(option) needs a value") }
            switch option {
            case "--to": target = value
            case "--household":
                guard let id = HouseholdID(value) else {
                    throw UsageError(description: "\(value) is not an identifier")
                }
                household = id
            default: throw UsageError(description: "unknown option \(option)")
            }
        }
        guard let target else { throw UsageError(description: "--to is missing") }
        let config = try program.config()
        let passphrase = try config.requireBackupKey()
        let now = Int64(time(nil))
        let path =
            FileContent.isFolder(target)
            ? "\(target)/\(BackupName(household: household, madeAt: now).text)" : target
        let scope: ArchiveExport.Scope = household.map { .household($0) } ?? .installation
        let settings = try PoolSettings.of(config, statementTimeout: .seconds(600))
        let report = try await OneLoop.run(settings) { pool in
            let (manifest, digest, size) = try await BackupFile.write(path, passphrase, madeAt: now, scope, pool)
            let pictures = manifest.entries.filter { $0.path.hasSuffix("/pictures") }.reduce(0) { $0 + $1.fileCount }
            let documents = manifest.entries.reduce(0) { $0 + $1.documentCount }
            return """
                \(path): \(size) bytes, \(documents) documents, \(pictures) pictures
                SHA-256 \(Hexadecimal.encode(digest))
                """
        }
        Console.print(report)
        return 0
    }
}
