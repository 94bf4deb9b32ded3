import CLinux
import CProcess
import Glibc

/// Restricts a process to the files and folders in ``ReadablePaths`` (landlock(7)).
package enum FileRules {
    private static let executeRight: UInt64 = 1 << 0
    private static let readFileRight: UInt64 = 1 << 2
    private static let readFolderRight: UInt64 = 1 << 3

    /// Whether the kernel supports Landlock.
    package static var areSupported: Bool { landlock_version() > 0 }

    /// Applies the rules to the calling thread, and to all threads and processes that it starts. Needs `no_new_privs`.
    ///
    /// If the kernel does not have Landlock, nothing is restricted. Returns false if Landlock exists but fails.
    static func apply() -> Bool {
        let version = landlock_version()
        guard version > 0 else { return true }
        var ruleset = landlock_rights()
        // All file rights that the version has: 13 in version 1. Version 2 adds moving, version 3 truncating, and
        // version 5 device controls.
        ruleset.files = 1 << (version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13) - 1
        // Version 4 adds binding and connecting of TCP sockets; version 6 adds abstract sockets of other processes, and
        // signals to them.
        if version >= 4 { ruleset.network = 3 }
        if version >= 6 { ruleset.scope = 3 }
        let descriptor = landlock_create(&ruleset, version >= 6 ? 24 : version >= 4 ? 16 : 8)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        for path in ReadablePaths.all where !allow(path, readFileRight | readFolderRight, descriptor) { return false }
        for path in ReadablePaths.programs where !allow(path, readFileRight | executeRight, descriptor) { return false }
        return landlock_restrict(descriptor) == 0
    }

    private static func allow(_ path: String, _ rights: UInt64, _ ruleset: Int32) -> Bool {
        let descriptor = landlock_open(path)
        guard descriptor >= 0 else { return errno == ENOENT || errno == ENOTDIR || errno == EACCES }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        // The kernel refuses a rule that grants rights on folders to a file.
        let isFolder = linux_is_directory(status.st_mode) != 0
        return landlock_allow(ruleset, descriptor, isFolder ? rights : rights & ~readFolderRight) == 0
    }
}
