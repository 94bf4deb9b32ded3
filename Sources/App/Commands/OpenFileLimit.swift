import CLinux
import Glibc

/// The limit of open files. Many systems start programs with 1,024 but allow more.
enum OpenFileLimit {
    /// Enough for all connections of the server.
    private static let wanted: rlim_t = 16_384

    /// Raises the limit of this process to `wanted`, or as far as the system allows.
    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < wanted else {
            return
        }
        // Best effort: with a lower limit the server only accepts fewer connections.
        _ = linux_set_limit(
            Int32(RLIMIT_NOFILE.rawValue), UInt64(min(wanted, limit.rlim_max)), UInt64(limit.rlim_max))
    }
}
