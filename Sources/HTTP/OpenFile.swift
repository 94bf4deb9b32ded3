import Glibc

/// A regular file held open for reading and closed with its last owner.
package final class OpenFile: Sendable {
    /// For `sendfile` and `pread`, which leave no position behind; never closed by another.
    package let descriptor: Int32
    /// Size in bytes when it was opened.
    package let size: Int

    /// Opens `path` without following a symbolic link at its end; nil if it is not a readable regular file.
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

    /// The bytes of that range, or fewer at the end of the file; nil if the kernel refuses.
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
