import Glibc

/// Files below `/proc` (proc(5)).
enum ProcessFile {
    /// The first 4096 bytes of a file as text; nil if it cannot be read, for example because the process has ended.
    static func text(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(file, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
