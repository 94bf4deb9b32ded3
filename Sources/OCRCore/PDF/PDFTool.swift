import CLinux
import Glibc

/// Runs a PDF program with the file on its standard input. The program inherits the resource limits of this process.
enum PDFTool {
    /// - Parameters:
    ///   - document: the descriptor of the file.
    ///   - limit: the maximum number of bytes of output.
    /// - Returns: the exit status, -1 after a signal, and the output.
    /// - Throws: `tooLarge` for more output, `engine` if the program cannot be started.
    static func run(_ arguments: [String], document: Int32, limit: Int) throws(ReadingFailure) -> (
        status: Int32, output: [UInt8]
    ) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw .engine }
        guard let child = spawn(arguments, input: document, output: ends[1]) else {
            close(ends[0])
            close(ends[1])
            throw .engine
        }
        close(ends[1])
        let output = drain(ends[0], limit: limit)
        // A program that is still writing ends by SIGPIPE.
        close(ends[0])
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard let output else { throw .tooLarge }
        return (linux_exited(status) != 0 ? linux_exit_status(status) : -1, output)
    }

    private static func spawn(_ arguments: [String], input: Int32, output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { posix_spawnattr_destroy(&attributes) }
        // This process ignores SIGPIPE, which the program would inherit.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        argv.append(nil)
        var environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/bin:/bin"), strdup("LC_ALL=C.UTF-8"), nil]
        defer { for text in argv + environment { free(text) } }
        var child: pid_t = 0
        return posix_spawnp(&child, arguments[0], &actions, &attributes, &argv, &environment) == 0 ? child : nil
    }

    /// Reads to the end; nil if there are more than `limit` bytes.
    private static func drain(_ descriptor: Int32, limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return bytes }
            if bytes.count + count > limit { return nil }
            bytes += piece[..<count]
        }
    }
}
