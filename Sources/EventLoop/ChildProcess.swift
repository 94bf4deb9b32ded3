import CLinux
import Glibc

/// A child process. Confined to the loop that watches it.
package final class ChildProcess: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it.

    /// How a process ended.
    package enum Exit: Sendable, Equatable {
        /// Exit status, 0 … 255.
        case code(Int32)
        /// Number of the signal that ended the process.
        case signal(Int32)
        /// Unknown, because other code of this program has already collected the exit status.
        case unknown
    }

    /// The process id, valid until the exit status has been collected.
    package let identifier: pid_t
    /// Nil while the process runs.
    package private(set) var exit: Exit?
    private var watch: Watch?
    private var waiters: [UnsafeContinuation<Exit, Never>] = []

    /// Starts the program `path`.
    ///
    /// - Parameters:
    ///   - environment: all environment variables of the child. It inherits none.
    ///   - descriptors: the descriptors to pass, each with its number in this process and in the child. The child
    ///     inherits standard output and error unless they are given. Its standard input is empty unless given.
    /// - Throws: `SystemError` if the program cannot be started or watched. A program that cannot be watched is killed.
    package init(
        on loop: EventLoop, path: String, arguments: [String], environment: [String: String],
        descriptors: [(here: Int32, there: Int32)]
    ) throws(SystemError) {
        precondition(loop.isCurrent, "a child process must be started on the loop's thread")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Copies the descriptors to numbers from 100 on. Otherwise, a number in the child could overwrite a descriptor
        // that is not passed yet.
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        for (here, there) in descriptors {
            let copy = fcntl(here, F_DUPFD_CLOEXEC, 100)
            guard copy >= 0 else { throw SystemError("fcntl") }
            copies.append(copy)
            posix_spawn_file_actions_adddup2(&actions, copy, there)
        }
        if !descriptors.contains(where: { $0.there == 0 }) {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, max(2, descriptors.map(\.there).max() ?? 2) + 1)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var pid = pid_t()
        let result = Self.withCStrings([path] + arguments) { argv in
            Self.withCStrings(environment.map { "\($0.key)=\($0.value)" }) { envp in
                posix_spawn(&pid, path, &actions, &attributes, argv, envp)
            }
        }
        guard result == 0 else { throw SystemError("posix_spawn", code: result) }
        identifier = pid

        let descriptor = linux_pidfd_open(pid)
        guard descriptor >= 0 else {
            let error = SystemError("pidfd_open")
            Self.end(pid)
            throw error
        }
        do {
            watch = try loop.watch(descriptor, .level([.read])) { [self] _ in reap() }
        } catch {
            close(descriptor)
            Self.end(pid)
            throw error
        }
    }

    /// Kills a child that cannot be watched, and waits for it.
    private static func end(_ child: pid_t) {
        kill(child, SIGKILL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
    }

    /// Waits until the process has ended.
    package func ended() async -> Exit {
        if let exit { return exit }
        return await withUnsafeContinuation { waiters.append($0) }
    }

    /// Sends a signal. Does nothing after the process has ended.
    package func signal(_ signal: Int32) {
        guard exit == nil else { return }
        kill(identifier, signal)
    }

    /// Kills the process, and blocks the thread until it has ended. For a loop that is about to stop.
    package func killAndWait() {
        guard exit == nil else { return }
        kill(identifier, SIGKILL)
        reap(options: 0)
    }

    /// Collects the exit status if the process has ended.
    ///
    /// - Parameter options: those of waitpid(2); 0 to wait for the end.
    private func reap(options: Int32 = WNOHANG) {
        var status: Int32 = 0
        var result = waitpid(identifier, &status, options)
        while result < 0, errno == EINTR { result = waitpid(identifier, &status, options) }
        let exit: Exit
        switch result {
        case identifier where linux_exited(status) != 0: exit = .code(linux_exit_status(status))
        case identifier: exit = .signal(linux_term_signal(status))
        case -1 where errno == ECHILD: exit = .unknown
        default: return
        }
        self.exit = exit
        if let watch {
            watch.cancel()
            close(watch.descriptor)
        }
        watch = nil
        for waiter in waiters { waiter.resume(returning: exit) }
        waiters = []
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        pointers.append(nil)
        return pointers.withUnsafeMutableBufferPointer { buffer in
            // The address is not nil, because the buffer contains at least the null pointer at its end.
            body(buffer.baseAddress!)
        }
    }
}
