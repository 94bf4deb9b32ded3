import CLinux
import CSeccomp
import Glibc
import Recognition

/// Resource limits of a child.
enum Limits {
    /// Bytes of address space. The libraries map about 300 MB of it.
    static let memory = 1_200 << 20
    /// For a whole job, regardless of its number of pages.
    static let cpuSeconds = ReadingJob.deadlines.upperBound
    static let openFiles: UInt64 = 32
    /// Bytes of a file that it writes. It writes only a PDF, to a memory file.
    static let fileBytes: UInt64 = 64 << 20
    static let niceness: Int32 = 10
}

/// Drops everything that this process does not need to read one job. Returns false on failure.
func confine(seconds: Int, supervisor: pid_t, keeping socket: Int32) -> Bool {
    setpgid(0, 0)
    guard linux_die_with_parent() == 0, getppid() == supervisor else { return false }
    let nowhere = open("/dev/null", O_RDWR)
    guard nowhere >= 0, dup2(nowhere, 0) == 0, dup2(nowhere, 1) == 1, dup2(nowhere, 2) == 2,
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
    guard allowCPU(seconds: seconds) else { return false }
    guard linux_forbid_new_privileges() == 0 else { return false }
    return loadFilter()
}

/// Limits the CPU time since the start of the process to `seconds`, at most ``Limits/cpuSeconds``.
@discardableResult func allowCPU(seconds: Int) -> Bool {
    let soft = UInt64(min(max(1, seconds), Limits.cpuSeconds))
    return linux_set_limit(Int32(RLIMIT_CPU.rawValue), soft, UInt64(Limits.cpuSeconds) + 2) == 0
}

/// The calls that reading needs; no network, nothing opened for writing, no other process touched.
private let allowedCalls = [
    "read", "write", "readv", "writev", "pread64", "pwrite64", "lseek", "close", "close_range", "fstat", "stat",
    "lstat",
    "newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat", "faccessat2", "readlink", "readlinkat",
    "getdents64", "getcwd", "mmap", "munmap", "mprotect", "mremap", "madvise", "brk", "futex", "rt_sigaction",
    "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "clone", "clone3", "vfork", "fork", "execve", "wait4", "waitid",
    "exit", "exit_group", "pipe", "pipe2", "dup", "dup2", "dup3", "fcntl", "poll", "ppoll", "getpid", "getppid",
    "gettid", "getuid", "geteuid", "getgid", "getegid", "getpgrp", "getrandom", "clock_gettime", "clock_getres",
    "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times", "getrusage", "sysinfo", "uname", "prlimit64",
    "getrlimit", "setrlimit", "set_tid_address", "set_robust_list", "rseq", "arch_prctl", "sched_yield",
    "sched_getaffinity", "memfd_create", "fadvise64", "restart_syscall",
]

private func loadFilter() -> Bool {
    guard let filter = seccomp_init(seccomp_refuse()) else { return false }
    defer { seccomp_release(filter) }
    for name in allowedCalls {
        let call = seccomp_syscall_resolve_name(name)
        // Calls that do not exist on this architecture need no rule.
        if call >= 0, seccomp_rule_add_array(filter, seccomp_allow(), call, 0, nil) != 0 { return false }
    }
    let writing = UInt64(O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)
    let open = seccomp_syscall_resolve_name("open")
    if open >= 0, seccomp_allow_without_bits(filter, open, 1, writing) != 0 { return false }
    guard seccomp_allow_without_bits(filter, seccomp_syscall_resolve_name("openat"), 2, writing) == 0,
        // abort() sends a signal to its own process.
        seccomp_allow_with_value(filter, seccomp_syscall_resolve_name("tgkill"), 0, UInt64(getpid())) == 0
    else { return false }
    return seccomp_load(filter) == 0
}
