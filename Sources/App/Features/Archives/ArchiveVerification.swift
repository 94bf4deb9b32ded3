import Archive
import Domain
import EventLoop
import Postgres

/// Restores an archive into a scratch database and archives that database. The two archives must have the same bytes.
struct ArchiveVerification {
    let restoration: Restoration
    let scratch: ScratchDatabase

    /// - Throws: `ComparedArchive.Difference`, and the errors of restoring.
    func run() async throws {
        try await scratch.use {
            try restoration.prepare(try SynchronousConnection(scratch.owner))
            let (restoration, application) = (restoration, scratch.application)
            try await OneLoop.run(application) { pool in
                _ = try await restoration.restoreAll(pool)
                let check = restoration.check
                let compared = ComparedArchive(try ArchiveFile(restoration.path))
                let scope: ArchiveExport.Scope =
                    check.head.scope == .household && !check.head.households.isEmpty
                    ? .household(check.head.households[0].id.relabelled()) : .installation
                try await ArchiveExport(pool: pool, scope: scope).write(check.head, check.key, to: compared)
                try compared.finish()
            }
        }
    }
}
