import CLinux
import Confinement
import Glibc
import OCRCore
import Recognition

/// The supervisor's side of a process that reads one job.
struct Child {
    let job: ReadingJob
    let process: pid_t
    let socket: Int32
    var outgoing = OutgoingBytes()
    var decoder = FrameDecoder()
    var isDone = false
    /// The monotonic time in milliseconds after which the child is killed.
    private(set) var deadline: Int
    /// The CPU time of the child and its ended PDF programs when the time limit was restarted, in milliseconds.
    private var cpuAtRestart = 0

    /// Forks a child that confines itself and then reads the job from its end of a new socket pair.
    init?(job: ReadingJob, reader: PageReader, serverSocket: Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            return nil
        }
        let supervisor = getpid()
        let process = fork()
        if process < 0 {
            close(ends[0])
            close(ends[1])
            return nil
        }
        if process == 0 {
            // The child's only descriptor besides the standard ones; it replaces the server's socket.
            dup2(ends[1], serverSocket)
            // The PDF programs do not inherit the socket. Otherwise, it would stay open after the end of the child, and
            // the supervisor would notice this end only at the deadline.
            _ = fcntl(serverSocket, F_SETFD, FD_CLOEXEC)
            guard confine(seconds: job.cpuSecondsPerPage, supervisor: supervisor, keeping: serverSocket) else {
                _exit(ChildStatus.notConfined)
            }
            _exit(JobReader(reader: reader, socket: serverSocket).run())
        }
        close(ends[1])
        _ = linux_set_nonblocking(ends[0])
        // Both processes set the group, because either may run first. Killing the group also kills the PDF programs.
        setpgid(process, process)
        self.job = job
        self.process = process
        socket = ends[0]
        deadline = monotonicMilliseconds() + job.answerSeconds * 1000
    }

    /// Whether a process can be confined on this machine. Tries it with a process that reads nothing.
    ///
    /// `ChildStatus.notConfined` alone does not show this: a child that a malicious file controls could end with it.
    static func canBeConfined(serverSocket: Int32) -> Bool {
        let supervisor = getpid()
        let process = fork()
        if process == 0 {
            let isConfined = confine(seconds: Limits.cpuSeconds, supervisor: supervisor, keeping: serverSocket)
            _exit(isConfined ? 0 : ChildStatus.notConfined)
        }
        // There are too many processes or there is too little memory. This may change.
        guard process > 0 else { return true }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return linux_exited(status) == 0 || linux_exit_status(status) != ChildStatus.notConfined
    }

    /// Restarts the time limit after an answer of the child or a request of the server.
    mutating func restartClock() {
        deadline = monotonicMilliseconds() + job.answerSeconds * 1000
        cpuAtRestart = ProcessStatus("/proc/\(process)/stat")?.cpuMilliseconds ?? cpuAtRestart
    }

    /// The reason why the child has reached the time limit. It is `overloaded` if the child is active and has used less
    /// than three quarters of its CPU limit since the last answer. Otherwise, it is `timeout`.
    ///
    /// Must be read before the child is killed.
    var timeLimitReason: ReadingFailureReason {
        let group = ProcessGroup(process)
        let cpuLimit = job.cpuSecondsPerPage * 1000
        return group.isActive && group.cpuMilliseconds - cpuAtRestart < cpuLimit * 3 / 4 ? .overloaded : .timeout
    }

    /// Kills the child and its PDF programs.
    func kill() { Glibc.kill(-process, SIGKILL) }

    /// How a child ended.
    struct Ending {
        /// The reason of a failure; nil if the child succeeded.
        let failure: ReadingFailureReason?
        /// The CPU time of the child and its PDF programs.
        let cpuMilliseconds: Int
        /// Whether the child ended with `ChildStatus.notConfined`.
        let isNotConfined: Bool
    }

    /// Waits for the end of the child.
    ///
    /// - Parameter killReason: the reason why the supervisor killed the child; nil if the child ends by itself.
    func collect(killReason: ReadingFailureReason?) -> Ending {
        let isTimedOut = killReason != nil
        var status: Int32 = 0
        var usage = rusage()
        Glibc.kill(-process, isTimedOut ? SIGKILL : 0)
        var waited = wait4(process, &status, isTimedOut ? 0 : WNOHANG, &usage)
        // After closing its socket, the child should end within a second. A child that a malicious file controls may
        // not.
        var attempts = 200
        while waited == 0, attempts > 0 {
            usleep(5_000)
            attempts -= 1
            waited = wait4(process, &status, WNOHANG, &usage)
        }
        if waited == 0 {
            kill()
            wait4(process, &status, 0, &usage)
        }
        Glibc.kill(-process, SIGKILL)
        let cpu =
            (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000
            + Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000
        return Ending(
            failure: killReason ?? reason(status: status, peakKilobytes: usage.ru_maxrss),
            cpuMilliseconds: cpu,
            isNotConfined: !isTimedOut && linux_exited(status) != 0
                && linux_exit_status(status) == ChildStatus.notConfined)
    }

    /// The reason of a failure, from the exit status; nil if the child succeeded.
    private func reason(status: Int32, peakKilobytes: Int) -> ReadingFailureReason? {
        if linux_exited(status) != 0 {
            switch linux_exit_status(status) {
            case 0: return isDone ? nil : .crashed
            case let code: return ChildStatus.reason(of: code) ?? .crashed
            }
        }
        let signal = linux_term_signal(status)
        if signal == SIGXCPU { return .timeout }
        // Libraries abort if they run out of memory. Such an abort is recognised by the child's peak memory.
        return peakKilobytes * 1024 > Limits.memory / 2 ? .memory : .crashed
    }
}

/// Exit statuses of a child.
enum ChildStatus {
    static let notConfined: Int32 = 9

    static func code(of reason: ReadingFailureReason) -> Int32 { 10 + Int32(reason.rawValue) }

    /// The reason of a failure that a child reports; nil for other statuses, and for `overloaded`, which only the
    /// supervisor determines.
    static func reason(of code: Int32) -> ReadingFailureReason? {
        guard (10...30).contains(code), let reason = ReadingFailureReason(rawValue: UInt8(code - 10)),
            reason != .overloaded
        else { return nil }
        return reason
    }
}
