import Glibc

/// Writes an uploaded archive to a file.
///
/// The free space is checked before the upload and again while the file grows, because other uploads, or a database on
/// the same disk, may need space too.
struct ArchiveUpload: Sendable {
    /// The path of the complete file.
    let path: String
    /// Runs the disk work.
    let disk: SlowWork
    /// Returns the number of free bytes on the disk of a folder.
    var freeBytes: @Sendable (_ folder: String) -> Int64 = { ArchiveUpload.free(on: $0) }

    /// The number of bytes to leave free on the disk.
    static let reserve: Int64 = 1 << 30
    /// The number of received bytes after which the free space is checked again.
    static let interval = 16 << 20

    /// - Throws: `Refusal.diskFull` unless this many bytes and the reserve are free.
    func requireSpace(for length: Int64) throws(Refusal) {
        guard Self.hasSpace(for: length, free: freeBytes(path.parentFolder)) else { throw .diskFull }
    }

    /// Writes all chunks. If that fails, deletes what was written.
    ///
    /// - Parameter nextChunk: returns nil at the end of the file.
    /// - Throws: `Refusal.diskFull`; `Refusal.busy`; `SystemError`; the errors of `nextChunk`.
    func write(_ nextChunk: () async throws -> [UInt8]?) async throws {
        let path = path
        let file = try await disk.run { try BackupFile(path) }
        do {
            try await write(nextChunk, to: file)
        } catch {
            try? await disk.run { file.discard() }
            throw error
        }
    }

    private func write(_ nextChunk: () async throws -> [UInt8]?, to file: BackupFile) async throws {
        let (folder, freeBytes) = (path.parentFolder, freeBytes)
        var bytesSinceCheck = 0
        while let bytes = try await nextChunk() {
            bytesSinceCheck += bytes.count
            let isDue = bytesSinceCheck >= Self.interval
            if isDue { bytesSinceCheck = 0 }
            try await disk.run {
                guard !isDue || Self.hasSpace(for: 0, free: freeBytes(folder)) else { throw Refusal.diskFull }
                try file.write(bytes)
            }
        }
        try await disk.run { _ = try file.finish() }
    }

    private static func hasSpace(for length: Int64, free: Int64) -> Bool { free - reserve >= length }

    private static func free(on folder: String) -> Int64 {
        var facts = statvfs()
        guard statvfs(folder, &facts) == 0 else { return .max }
        return Int64(facts.f_bavail) * Int64(facts.f_frsize)
    }
}
