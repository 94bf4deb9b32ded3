import CLinux
import CSeccomp
import Glibc

/// Restricts the system calls of a process (seccomp(2)). The process cannot use the network, open files for writing,
/// fork other than by `posix_spawn`, or send signals to other processes.
enum CallFilter {
    private static let allowedCalls = [
        "read", "write", "readv", "writev", "pread64", "pwrite64", "lseek", "close", "close_range", "fstat", "stat",
        "lstat", "newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat", "faccessat2", "readlink",
        "readlinkat", "getdents64", "getcwd", "mmap", "munmap", "mprotect", "mremap", "madvise", "brk", "futex",
        "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "execve", "wait4", "waitid", "exit",
        "exit_group", "pipe", "pipe2", "dup", "dup2", "dup3", "fcntl", "poll", "ppoll", "getpid", "getppid", "gettid",
        "getuid", "geteuid", "getgid", "getegid", "getpgrp", "getrandom", "clock_gettime", "clock_getres",
        "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times", "getrusage", "sysinfo", "uname", "getrlimit",
        "setrlimit", "set_tid_address", "set_robust_list", "rseq", "arch_prctl", "sched_yield", "sched_getaffinity",
        "memfd_create", "fadvise64", "restart_syscall",
    ]

    // Flags of clone(2): CLONE_VM, CLONE_VFORK and CLONE_THREAD.
    private static let sharedMemoryFlag: UInt64 = 0x100
    private static let suspendedParentFlag: UInt64 = 0x4000
    private static let threadFlag: UInt64 = 0x10000
    /// Flags of clone(2) for new namespaces: mount, cgroup, UTS, IPC, user, PID, network.
    private static let namespaceFlags: UInt64 = 0x20000 | 0x7E00_0000

    /// Loads the filter for the calling thread, and for all threads and processes that it starts. Returns false on
    /// failure.
    static func load() -> Bool {
        guard let filter = seccomp_init(seccomp_refuse()) else { return false }
        defer { seccomp_release(filter) }
        for name in allowedCalls {
            let call = seccomp_syscall_resolve_name(name)
            // Calls that do not exist on this architecture need no rule.
            if call >= 0, seccomp_rule_add_array(filter, seccomp_allow(), call, 0, nil) != 0 { return false }
        }
        return allowReading(filter) && allowStarting(filter) && allowLimitsAndSignals(filter)
            && seccomp_load(filter) == 0
    }

    /// Allows opening files for reading.
    private static func allowReading(_ filter: scmp_filter_ctx) -> Bool {
        let writing = UInt64(O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)
        let open = seccomp_syscall_resolve_name("open")
        if open >= 0, seccomp_allow_without_bits(filter, open, 1, writing) != 0 { return false }
        return seccomp_allow_without_bits(filter, seccomp_syscall_resolve_name("openat"), 2, writing) == 0
    }

    /// Allows threads, because decoders start them, and `posix_spawn`, which suspends the parent until the program
    /// starts. Refuses all other forks.
    private static func allowStarting(_ filter: scmp_filter_ctx) -> Bool {
        let clone = seccomp_syscall_resolve_name("clone")
        // The arguments of clone3 are in memory, which a filter cannot read. ENOSYS makes glibc use clone instead.
        let clone3 = seccomp_syscall_resolve_name("clone3")
        return [sharedMemoryFlag | suspendedParentFlag, sharedMemoryFlag | threadFlag].allSatisfy { flags in
            seccomp_allow_with_bits(filter, clone, 0, flags | namespaceFlags, flags) == 0
        } && seccomp_rule_add_array(filter, seccomp_refuse_with(UInt16(ENOSYS)), clone3, 0, nil) == 0
    }

    /// Allows limits and signals of this process only. abort(3) sends a signal to its own process.
    private static func allowLimitsAndSignals(_ filter: scmp_filter_ctx) -> Bool {
        seccomp_allow_with_value(filter, seccomp_syscall_resolve_name("prlimit64"), 0, 0) == 0
            && seccomp_allow_with_value(filter, seccomp_syscall_resolve_name("tgkill"), 0, UInt64(getpid())) == 0
    }
}
