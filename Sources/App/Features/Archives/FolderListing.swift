import CLinux
import EventLoop
import Glibc

/// Lists files in a folder.
enum FolderListing {
    /// Returns the file names in a folder.
    ///
    /// - Parameter hidden: whether to return only the names that begin with a dot, instead of all others.
    /// - Throws: `SystemError` if the folder cannot be read.
    static func names(_ folder: String, hidden: Bool = false) throws(SystemError) -> [String] {
        guard let handle = opendir(folder) else { throw SystemError("opendir \(folder)") }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(".") == hidden, name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Returns the time of the last change in seconds since 1970, and the size in bytes; nil unless the path is a
    /// regular file.
    static func facts(_ path: String) -> (changedAt: Int64, size: Int64)? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return (Int64(status.st_mtim.tv_sec), Int64(status.st_size))
    }
}
