import CLinux
import CProcess
import Glibc

/// Drops all rights that this process does not need for reading one document. Returns false on failure.
///
/// - Parameters:
///   - seconds: the limit of CPU time, which ``allowCPU(seconds:)`` can change.
///   - supervisor: the process id of the parent. This process is killed when the parent ends.
///   - socket: a descriptor greater than 2. All descriptors above it are closed, and the standard streams become
///     /dev/null.
package func confine(seconds: Int, supervisor: pid_t, keeping socket: Int32) -> Bool {
    setpgid(0, 0)
    guard linux_die_with_parent() == 0, getppid() == supervisor else { return false }
    let null = open("/dev/null", O_RDWR)
    guard null >= 0, dup2(null, 0) == 0, dup2(null, 1) == 1, dup2(null, 2) == 2,
        close_range(UInt32(socket) + 1, UInt32.max, 0) == 0
    else { return false }
    _ = nice(Limits.niceness)
    let limits: [(Int32, UInt64, UInt64)] = [
        (Int32(RLIMIT_AS.rawValue), UInt64(Limits.memory), UInt64(Limits.memory)),
        (Int32(RLIMIT_NOFILE.rawValue), Limits.openFiles, Limits.openFiles),
        (Int32(RLIMIT_FSIZE.rawValue), Limits.fileBytes, Limits.fileBytes),
        (Int32(RLIMIT_CORE.rawValue), 0, 0),
    ]
    for (resource, soft, hard) in limits where linux_set_limit(resource, soft, hard) != 0 { return false }
    guard allowCPU(seconds: seconds), linux_forbid_new_privileges() == 0 else { return false }
    return FileRules.apply() && CallFilter.load()
}

/// Limits the CPU time since the start of the process to `seconds`, at most ``Limits/cpuSeconds``. Returns false on
/// failure.
@discardableResult package func allowCPU(seconds: Int) -> Bool {
    let soft = UInt64(min(max(1, seconds), Limits.cpuSeconds))
    return linux_set_limit(Int32(RLIMIT_CPU.rawValue), soft, UInt64(Limits.cpuSeconds) + 2) == 0
}

/// Changes to an unprivileged user if the process runs as root: `allesteurer-reader` if there is such a user, else
/// `nobody`. Returns false on failure.
package func dropPrivileges() -> Bool {
    guard geteuid() == 0 else { return true }
    var user: uid_t = 65_534
    var group: gid_t = 65_534
    if let entry = getpwnam("allesteurer-reader") { (user, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid) }
    return setgroups(0, nil) == 0 && setresgid(group, group, group) == 0 && setresuid(user, user, user) == 0
        && geteuid() != 0
}
