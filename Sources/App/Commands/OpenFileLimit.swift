import CLinux
import Glibc

/// The limit of open files. Many systems start programs with 1,024 but allow more.
package enum OpenFileLimit {
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

    /// Returns the number of connections to accept: `maximum`, or fewer if the limit of open files is low. Leaves
    /// descriptors for the database connections, the readers and the files.
    package static func connections(atMost maximum: Int, _ config: Config) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return maximum }
        return connections(
            atMost: maximum, of: Int(clamping: limit.rlim_cur), loops: config.loops, connections: config.connections)
    }

    /// - Parameters:
    ///   - descriptors: the limit of open files.
    ///   - connections: the number of database connections of each loop.
    static func connections(atMost maximum: Int, of descriptors: Int, loops: Int, connections: Int) -> Int {
        // Each loop has two descriptors of its own, and a third while it connects to the database again.
        let reserved = loops * (connections + 3) + 256
        return min(maximum, max(64, descriptors - reserved))
    }
}
