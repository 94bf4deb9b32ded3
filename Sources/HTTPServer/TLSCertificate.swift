import EventLoop
import Glibc

/// The certificate and key of a server, read again when their files change.
///
/// The files are checked when a connection arrives, but at most once per interval. If the new files cannot be used, new
/// connections get the certificate that was read last. Open connections keep their certificate.
final class TLSCertificate: @unchecked Sendable {
    // Safe to share: the state is read and written under the lock.

    private let files: (chain: String, key: String)
    /// In nanoseconds.
    private let interval: Int64
    private let onReload: @Sendable (CertificateReload) -> Void
    private let lock = Lock()
    private var context: TLSContext
    /// The stamps of the files when they were last read, successfully or not; nil for a missing file.
    private var stamps: [FileStamp?]
    /// The time of the last check on the monotonic clock, in nanoseconds.
    private var checkedAt = EventLoop.monotonicNow()

    /// Reads the certificate and key.
    ///
    /// - Parameter interval: the minimum time between two checks of the files.
    /// - Throws: `TLSContext.SetupError`.
    init(
        _ files: (chain: String, key: String), interval: Duration,
        onReload: @escaping @Sendable (CertificateReload) -> Void
    ) throws(TLSContext.SetupError) {
        self.files = files
        self.interval = interval.nanoseconds
        self.onReload = onReload
        // The files are read after their stamps, so a change in between is noticed at the next check.
        stamps = Self.stamps(of: files)
        context = try TLSContext(chain: files.chain, key: files.key)
    }

    /// A session with the newest certificate for a connection.
    func session(descriptor: Int32) -> TLSSession? {
        let (reload, context) = lock.withLock { (reloadIfChanged(), self.context) }
        if let reload { onReload(reload) }
        return context.session(descriptor: descriptor)
    }

    private func reloadIfChanged() -> CertificateReload? {
        let now = EventLoop.monotonicNow()
        guard now - checkedAt >= interval else { return nil }
        checkedAt = now
        let current = Self.stamps(of: files)
        guard current != stamps else { return nil }
        stamps = current
        do {
            context = try TLSContext(chain: files.chain, key: files.key)
            return .done
        } catch {
            return .failed(error.description)
        }
    }

    private static func stamps(of files: (chain: String, key: String)) -> [FileStamp?] {
        [FileStamp(files.chain), FileStamp(files.key)]
    }
}

/// The result of reading a changed certificate.
package enum CertificateReload: Sendable, Equatable {
    case done
    /// The server keeps the certificate that it read before.
    case failed(String)
}

/// Values that change when a file is written or replaced.
private struct FileStamp: Equatable {
    let device: UInt
    let inode: UInt
    let size: Int
    /// The times of the last change of the content and of the file's properties, in nanoseconds.
    let times: [Int]

    /// Nil if there is no such file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        size = Int(status.st_size)
        times = [status.st_mtim, status.st_ctim].map { $0.tv_sec * 1_000_000_000 + $0.tv_nsec }
    }
}
