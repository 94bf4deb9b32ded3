import Glibc

/// Reads local files of limited size, such as settings and certificates.
enum FileContent {
    /// Returns the bytes of a file; nil if it cannot be read or exceeds `limit` bytes.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes.append(contentsOf: buffer.prefix(count))
            guard bytes.count <= limit else { return nil }
        }
    }

    static func isFolder(_ path: String) -> Bool { fileType(path) == S_IFDIR }

    static func isFile(_ path: String) -> Bool { fileType(path) == S_IFREG }

    static func isProgram(_ path: String) -> Bool { isFile(path) && access(path, X_OK) == 0 }

    /// The file type bits of the mode; nil if there is no such file.
    private static func fileType(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
