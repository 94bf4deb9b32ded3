import Archive
import Postgres

/// `allesteurer verify-backup FILE`: restores an archive into a scratch database and compares it.
enum VerifyBackupCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.count == 1 else { throw UsageError(description: "takes one file") }
        let path = arguments[0]
        let config = try program.config()
        do {
            let check = try ArchiveCheck.run(path, try config.requireBackupKey())
            let restoration = try Restoration(path, check, try Migration.read(directory: config.migrations))
            try await ArchiveVerification(restoration: restoration, scratch: try config.scratchDatabase()).run()
            Console.print(
                """
                \(path) is complete: \(check.documentCount) documents and \(check.pictureCount) pictures were restored \
                and compared.
                """)
            return 0
        } catch let error as ArchiveError {
            Console.error("allesteurer verify-backup: \(path): \(error)")
            return 1
        }
    }
}
