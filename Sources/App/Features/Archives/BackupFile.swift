import Archive
import CLinux
import Crypto
import EventLoop
import Glibc
import Postgres

/// An archive that is being written to a file.
///
/// The file is named `NAME.part` until it is complete and safely on disk, so that a partial file is never mistaken for
/// a backup. A lock on the file shows that the backup is running; interrupted backups leave a file without a lock.
final class BackupFile: ArchiveSink, @unchecked Sendable {
    // Safe to share: one task at a time uses it.

    private let descriptor: Int32
    private let path: String
    private var buffer: [UInt8] = []
    private var digest = SHA256Digest()
    /// The number of bytes written.
    private(set) var size: Int64 = 0
    /// Whether this backup holds the lock and the file still has its partial name.
    private var isPartial = false
    /// The number of bytes to leave free on the disk.
    private let reserve: Int64
    private let freeBytes: (_ folder: String) -> Int64
    /// The value of `size` at which the free space is checked again.
    private var nextCheck: Int64 = 0

    static let suffix = ".part"
    private static let bufferSize = 1 << 18

    struct AlreadyExists: Error, CustomStringConvertible {
        let path: String
        var description: String { "\(path) already exists" }
    }

    /// Opens the partial file. Overwrites the partial file of an interrupted backup.
    ///
    /// - Parameters:
    ///   - reserve: the number of bytes to leave free on the disk, which PostgreSQL may use too.
    ///   - freeBytes: returns the number of free bytes on the disk of a folder.
    /// - Throws: `AlreadyExists` if the backup is complete or running; `SystemError`.
    init(
        _ path: String, leavingFree reserve: Int64 = 0,
        freeBytes: @escaping (_ folder: String) -> Int64 = { ArchiveUpload.free(on: $0) }
    ) throws {
        self.reserve = reserve
        self.freeBytes = freeBytes
        guard access(path, F_OK) != 0 else { throw AlreadyExists(path: path) }
        let partial = path + Self.suffix
        descriptor = open(partial, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        self.path = path
        guard descriptor >= 0 else { throw SystemError("open \(partial)") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw AlreadyExists(path: partial) }
        // Another backup may have completed between open and flock. Then the locked file has been renamed or deleted.
        var (ours, named) = (stat(), stat())
        guard fstat(descriptor, &ours) == 0, lstat(partial, &named) == 0, ours.st_ino == named.st_ino,
            ours.st_nlink == 1
        else { throw AlreadyExists(path: partial) }
        isPartial = true
        guard ftruncate(descriptor, 0) == 0 else { throw SystemError("ftruncate \(partial)") }
    }

    deinit {
        discard()
        close(descriptor)
    }

    /// Deletes the partial file. Nothing may be written afterwards.
    func discard() {
        if isPartial { unlink(path + Self.suffix) }
        isPartial = false
    }

    func write(_ bytes: [UInt8]) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Flushes the file to disk and gives it its final name, without overwriting an existing file.
    ///
    /// - Returns: the SHA-256 of the file.
    func finish() throws -> [UInt8] {
        try flush()
        guard fsync(descriptor) == 0 else { throw SystemError("fsync \(path)") }
        // Unlike rename(2), link(2) never replaces a file.
        guard link(path + Self.suffix, path) == 0 else {
            if errno == EEXIST { throw AlreadyExists(path: path) }
            throw SystemError("link \(path)")
        }
        isPartial = false
        unlink(path + Self.suffix)
        let folder = open(path.parentFolder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw SystemError("open \(path.parentFolder)") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw SystemError("fsync \(path.parentFolder)") }
        return digest.finish()
    }

    /// Deletes a partial file unless its backup is running. Returns whether it was deleted.
    static func removePartialFile(_ partial: String) -> Bool {
        let descriptor = open(partial, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
        return unlink(partial) == 0
    }

    /// Writes an archive to a file. Starts again if the database connection is lost.
    ///
    /// - Parameter reserve: the number of bytes to leave free on the disk.
    static func write(
        _ path: String, _ passphrase: Password, madeAt: Int64, _ scope: ArchiveExport.Scope, _ pool: Pool,
        leavingFree reserve: Int64 = 0
    ) async throws -> (manifest: ArchiveManifest, digest: [UInt8], size: Int64) {
        let salt = Random.bytes(16)
        return try await write(
            path, try ArchiveKey(passphrase: passphrase, salt: salt), salt: salt, madeAt: madeAt, scope, pool,
            leavingFree: reserve)
    }

    static func write(
        _ path: String, _ key: ArchiveKey, salt: [UInt8], madeAt: Int64, _ scope: ArchiveExport.Scope, _ pool: Pool,
        leavingFree reserve: Int64 = 0
    ) async throws -> (manifest: ArchiveManifest, digest: [UInt8], size: Int64) {
        var file: BackupFile?
        let manifest = try await ArchiveExport(pool: pool, scope: scope).write(key, salt: salt, madeAt: madeAt) {
            // Delete the partial file of the previous attempt.
            file = nil
            let new = try BackupFile(path, leavingFree: reserve)
            file = new
            return new
        }
        guard let file else { throw ArchiveError.notAnArchive }
        return (manifest, try file.finish(), file.size)
    }

    private func flush() throws {
        try requireReserve()
        var writtenCount = 0
        while writtenCount < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress.map { $0 + writtenCount }, bytes.count - writtenCount)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError("write \(path)") }
            writtenCount += count
        }
        digest.update(buffer)
        size += Int64(buffer.count)
        buffer.removeAll(keepingCapacity: true)
    }

    private func requireReserve() throws {
        guard reserve > 0, size >= nextCheck else { return }
        nextCheck = size + Int64(ArchiveUpload.interval)
        guard freeBytes(path.parentFolder) >= reserve else { throw SystemError("write \(path)", code: ENOSPC) }
    }
}
