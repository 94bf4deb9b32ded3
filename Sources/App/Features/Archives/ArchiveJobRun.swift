import Archive
import Crypto
import Domain
import EventLoop
import Glibc
import Postgres

/// Runs the archive jobs of one household, one at a time.
struct ArchiveJobRun {
    let archives: HouseholdArchives
    let migrations: [Migration]
    let pool: Pool
    let log: Log

    /// Runs the household's jobs, except those that another server is running.
    func run() async {
        archives.removePartialFiles()
        for name in archives.jobs() {
            guard let lock = JobLock("\(archives.folder)/\(name).job") else {
                // Usually another server has the lock. If this server may not open the file, the job ends.
                if access("\(archives.folder)/\(name).job", R_OK) != 0, errno == EACCES { end(unreadable: name) }
                continue
            }
            guard let job = archives.job(name) else {
                // If the file cannot be read now, the job stays and is tried again, because ending a job deletes its
                // upload.
                if archives.isDamaged(name) { end(unreadable: name) }
                continue
            }
            do {
                guard try await isOwner(job.person) else {
                    log.event(.warning, "archive", [("refused", "the person is no longer an owner")])
                    try archives.finish(name, result: job.kind == .restore ? Self.failed : Self.unmade)
                    continue
                }
                switch job.kind {
                case .make: try await make(name, job)
                case .restore: try await restore(name, job)
                }
            } catch let error as PostgresError where isRetried(name, after: error) {
                // Keep the job's file, so that the job is retried.
                log.event(.warning, "archive", [("error", error.description)])
            } catch {
                log.event(.error, "archive", [("error", "\(error)")])
                try? archives.finish(name, result: job.kind == .restore ? Self.reason(error) : Self.unmade)
            }
            withExtendedLifetime(lock) {}
        }
    }

    /// Ends a job with an unreadable file, because the household can have only one job. Does nothing if the file does
    /// not exist: another server has then finished the job.
    private func end(unreadable name: String) {
        guard FolderListing.facts("\(archives.folder)/\(name).job") != nil else { return }
        log.event(.error, "archive", [("error", "cannot read the job \(name)")])
        try? archives.finish(name, result: archives.isUpload(name) ? Self.failed : Self.unmade)
    }

    /// Whether the person who requested a job is still an owner. The job of a former owner could create a household for
    /// a person without an account.
    private func isOwner(_ person: PersonID) async throws -> Bool {
        try await !pool.read(
            """
            SELECT 1 FROM membership WHERE household_id = \(archives.household) AND person_id = \(person)
                AND role = \(Member.Role.owner)
            """
        ).isEmpty
    }

    private func isRetried(_ name: String, after error: PostgresError) -> Bool {
        error.isTemporary && (error.kind != .timedOut || archives.mayRetry(name))
    }

    private func make(_ name: String, _ job: ArchiveJob) async throws {
        guard let key = ArchiveKey(job.key), let madeAt = BackupName(text: name)?.madeAt else {
            return try archives.finish(name, result: Self.unmade)
        }
        let path = "\(archives.folder)/\(name)"
        if access(path, F_OK) != 0 {
            _ = try await BackupFile.write(
                path, key, salt: job.salt, madeAt: madeAt, .household(archives.household), pool,
                leavingFree: ArchiveUpload.reserve)
        }
        try archives.finish(name)
        archives.prune()
    }

    private func restore(_ name: String, _ job: ArchiveJob) async throws {
        guard let key = ArchiveKey(job.key) else { return try archives.finish(name) }
        // The server may have been killed after it restored the household but before it stored the result.
        let done = try await pool.read("SELECT 1 FROM membership WHERE household_id = \(job.newHousehold)")
        if done.isEmpty {
            let path = "\(archives.folder)/\(name)"
            let check = try ArchiveCheck.run(path) { _ in key }
            let restoration = try Restoration(path, check, migrations)
            let size = max(1, check.size)
            var shown = 0
            _ = try await restoration.restoreHousehold(
                pool, .household(archives.household, owner: job.person), as: job.newHousehold,
                progress: { offset in
                    let now = Int(offset * 1000 / size)
                    guard now >= shown + 10 else { return }
                    shown = now
                    try? archives.write(Array("\(now)".utf8), to: "\(name).progress")
                },
                finally: [
                    // Fails if the person has left in the meantime, because the new household would have no member. The
                    // lock delays a removal of the person until the new membership exists, so that the removal keeps
                    // the account.
                    """
                    INSERT INTO membership (household_id, person_id, role) VALUES (\(job.newHousehold), (
                        SELECT m.person_id FROM membership m WHERE m.household_id = \(archives.household)
                            AND m.person_id = \(job.person) AND m.role = 'owner' FOR KEY SHARE), 'owner')
                    ON CONFLICT DO NOTHING
                    """, JobQueue.notify,
                ])
        }
        try archives.finish(name, result: job.newHousehold.description)
    }

    /// The end of the text key `server.archive.refused-…` for an archive that could not be made.
    private static let unmade = "unmade"
    /// The end of the same key for an archive that could not be restored for a reason other than its contents.
    private static let failed = "failed"

    /// The end of the text key `server.archive.refused-…` for an error.
    static func reason(_ error: any Error) -> String {
        switch error {
        case ArchiveError.wrongPassphrase: "passphrase"
        case ArchiveError.truncated: "truncated"
        case ArchiveError.damaged: "damaged"
        case ArchiveError.newer: "newer"
        case ArchiveError.notAnArchive: "foreign"
        case is ArchiveError: "invalid"
        case Restoration.Problem.older: "older"
        default: failed
        }
    }
}

/// Locks a job's file, so that servers that share the folder do not run the same job.
private final class JobLock {
    private let descriptor: Int32

    init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
