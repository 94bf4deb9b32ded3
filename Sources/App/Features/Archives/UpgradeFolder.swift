import CLinux
import Crypto
import EventLoop
import Glibc

/// A hidden folder for the file of one upgrade. It is deleted with its content at the end of the upgrade.
///
/// A lock on the folder shows that the upgrade is running. The next upgrade deletes the folders without a lock, which
/// are left over from killed processes.
final class UpgradeFolder: Sendable {
    let path: String
    private let descriptor: Int32

    private static let prefix = ".upgrade-"

    /// - Throws: `SystemError`.
    init(in parent: String) throws {
        Self.removeLeftovers(in: parent)
        let path = "\(parent)/\(Self.prefix)\(Hexadecimal.encode(Random.bytes(8)))"
        guard mkdir(path, 0o700) == 0 else { throw SystemError("mkdir \(path)") }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open \(path)") }
        self.path = path
        self.descriptor = descriptor
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw SystemError("flock \(path)") }
    }

    deinit {
        Self.remove(path)
        close(descriptor)
    }

    private static func removeLeftovers(in parent: String) {
        let names = (try? FolderListing.names(parent, includesHidden: true)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
            close(descriptor)
        }
    }

    private static func remove(_ path: String) {
        for name in (try? FolderListing.names(path, includesHidden: true)) ?? [] { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}
