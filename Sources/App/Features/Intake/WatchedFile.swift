import CLinux
import Glibc
import HTTP

/// Properties of a file in the watched folder. A program that changes or replaces the file changes one of them.
struct WatchedFile: Equatable {
    let size: Int64
    /// Seconds since 1970.
    let changedAt: Int64
    let inode: UInt64

    init(_ status: stat) {
        size = Int64(status.st_size)
        changedAt = Int64(status.st_mtim.tv_sec)
        inode = UInt64(status.st_ino)
    }

    /// Returns nil if there is no file.
    init?(path: String) {
        guard let status = Self.status(path) else { return nil }
        self.init(status)
    }

    /// Returns the status of a file, without following a symbolic link; nil if there is no file.
    static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    static func kind(_ path: String) -> mode_t { (status(path)?.st_mode ?? 0) & S_IFMT }
}

/// The operations on files of the watched folder that can fail. Tests replace them.
struct FileOperations: Sendable {
    /// Returns the bytes of the range, fewer at the end of the file, or nil if reading fails.
    var read: @Sendable (OpenFile, Range<Int>) -> [UInt8]? = { $0.read($1) }
    /// Returns 0, or errno.
    var delete: @Sendable (_ path: String) -> Int32 = { unlink($0) == 0 ? 0 : errno }
    /// Returns 0, or errno.
    var move: @Sendable (_ path: String, _ target: String) -> Int32 = { rename($0, $1) == 0 ? 0 : errno }
}
