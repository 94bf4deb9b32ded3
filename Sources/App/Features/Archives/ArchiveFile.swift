import Archive
import EventLoop
import Glibc

/// A file with an archive, read sequentially.
final class ArchiveFile: ArchiveSource {
    private let descriptor: Int32
    private var buffer: ArraySlice<UInt8> = []
    /// The size of the file in bytes when it was opened.
    let size: Int64

    private static let bufferSize = 1 << 18

    /// - Throws: `SystemError`, also if the path is not a regular file.
    init(_ path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open \(path)") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw SystemError("open \(path)", code: EINVAL)
        }
        size = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    func read(_ count: Int) throws(ArchiveError) -> [UInt8] {
        if buffer.isEmpty { try fill() }
        let bytes = buffer.prefix(count)
        buffer = buffer.dropFirst(count)
        return Array(bytes)
    }

    private func fill() throws(ArchiveError) {
        while true {
            var failure: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.bufferSize) { buffer, count in
                let result = Glibc.read(descriptor, buffer.baseAddress, Self.bufferSize)
                failure = result < 0 ? errno : 0
                count = max(0, result)
            }
            if failure == EINTR { continue }
            guard failure == 0 else { throw .unreadable(failure) }
            buffer = bytes[...]
            return
        }
    }
}
