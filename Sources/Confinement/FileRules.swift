import CLinux
import CProcess
import Glibc

/// Restricts a process to the files in ``ReadablePlaces`` (landlock(7)).
package enum FileRules {
    private static let execute: UInt64 = 1 << 0
    private static let readFile: UInt64 = 1 << 2
    private static let readFolder: UInt64 = 1 << 3

    /// Whether the kernel supports the rules.
    package static var areSupported: Bool { landlock_version() > 0 }

    /// Applies the rules to the calling thread and to all threads and programs that it starts. Needs `no_new_privs`.
    ///
    /// Restricts nothing if the kernel does not have Landlock. Returns false if Landlock exists but fails.
    static func apply() -> Bool {
        let version = landlock_version()
        guard version > 0 else { return true }
        var ruleset = landlock_rights()
        // Bits of all file rights: 13 in Landlock version 1; later versions add moving, truncating and device control.
        ruleset.files = 1 << (version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13) - 1
        // Version 4 also restricts binding and connecting TCP sockets. Version 6 also restricts abstract sockets of
        // other processes and signals to them.
        if version >= 4 { ruleset.network = 3 }
        if version >= 6 { ruleset.scope = 3 }
        let descriptor = landlock_create(&ruleset, version >= 6 ? 24 : version >= 4 ? 16 : 8)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        for path in ReadablePlaces.all where !allow(path, readFile | readFolder, descriptor) { return false }
        for path in ReadablePlaces.programs where !allow(path, readFile | execute, descriptor) { return false }
        return landlock_restrict(descriptor) == 0
    }

    private static func allow(_ path: String, _ rights: UInt64, _ ruleset: Int32) -> Bool {
        let file = landlock_open(path)
        guard file >= 0 else { return errno == ENOENT || errno == ENOTDIR || errno == EACCES }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return false }
        // The kernel rejects a rule that gives a file the rights of a folder.
        let isFolder = linux_is_directory(status.st_mode) != 0
        return landlock_allow(ruleset, file, isFolder ? rights : rights & ~readFolder) == 0
    }
}
