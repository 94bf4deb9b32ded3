import CLinux
import Glibc

/// The number of files that the process may open. Many systems start programs with 1,024 and allow more.
enum OpenFileLimit {
    /// Enough for all connections of the server.
    private static let wanted: rlim_t = 16_384

    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < wanted else {
            return
        }
        // Best effort: without it, further connections are refused earlier.
        _ = linux_set_limit(
            Int32(RLIMIT_NOFILE.rawValue), UInt64(min(wanted, limit.rlim_max)), UInt64(limit.rlim_max))
    }
}
