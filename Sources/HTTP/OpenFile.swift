import Glibc

/// A regular file, open for reading; closed when the last reference is released.
package final class OpenFile: Sendable {
    /// The descriptor. Use it with `sendfile` and `pread` only, which do not change the file position.
    package let descriptor: Int32
    /// Size in bytes when it was opened.
    package let size: Int

    /// Opens `path`. Returns nil if it is not a readable regular file, or is a symbolic link.
    package init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        size = Int(status.st_size)
    }

    /// Returns the bytes of the range, fewer at the end of the file, or nil if reading fails.
    package func read(_ range: Range<Int>) -> [UInt8]? {
        var isRead = false
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            let result = pread(descriptor, buffer.baseAddress, range.count, off_t(range.lowerBound))
            isRead = result >= 0
            count = max(0, result)
        }
        return isRead ? bytes : nil
    }

    deinit { close(descriptor) }
}
