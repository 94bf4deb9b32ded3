import CLinux
import Glibc
import Recognition

struct JobOutcome {
    var document: RecognizedDocument?
    var pictures: [PagePicture] = []
    var failure: ReadingFailureReason?
    /// The reported progress. Each element has the number of pages read so far and the number of all pages.
    var progress: [[Int]] = []
    /// CPU time of the confined process and its programs.
    var cpuMilliseconds = 0

    /// The lines of all pages, with blanks between the words.
    var text: String {
        (document?.pages ?? []).flatMap(\.lines).map { $0.words.map(\.text).joined(separator: " ") }
            .joined(separator: "\n")
    }
}

/// Runs the real `allesteurer-reader` as the server does, one job after another.
final class ReaderProcess {
    /// The reader has ended, or could not be started.
    struct Gone: Error {}

    let identifier: pid_t
    private let socket: Int32
    private var jobs: UInt64 = 0
    private var isEnded = false

    /// - Parameters:
    ///   - ignored: A signal that the reader ignores, as it does if the server ignores it.
    ///   - secondEngine: The folder of the second engine; nil for `var/second-engine`, if that folder exists.
    ///   - cpuSeconds: A limit of CPU time that the reader cannot raise.
    init(ignoring ignored: Int32? = nil, secondEngine: String? = nil, cpuSeconds: Int? = nil) throws {
        if let ignored { signal(ignored, SIG_IGN) }
        defer { if let ignored { signal(ignored, SIG_DFL) } }
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Gone() }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The descriptor is copied first, because dup2 would keep the close-on-exec flag if the descriptor was already 3.
        posix_spawn_file_actions_adddup2(&actions, ends[1], 200)
        posix_spawn_file_actions_adddup2(&actions, 200, 3)
        posix_spawn_file_actions_addclose(&actions, 200)
        var (program, words) = (Self.path, ["allesteurer-reader"])
        if let cpuSeconds {
            (program, words) = ("/bin/sh", ["sh", "-c", "ulimit -t \(cpuSeconds); exec \"$0\"", Self.path])
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        arguments.append(nil)
        var settings = ["OMP_THREAD_LIMIT=1", "SWIFT_BACKTRACE=enable=no", "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"]
        if let folder = secondEngine ?? Self.secondEngine { settings.append("ALLESTEURER_SECOND_ENGINE=\(folder)") }
        var environment: [UnsafeMutablePointer<CChar>?] = settings.map { strdup($0) }
        environment.append(nil)
        defer { for text in arguments + environment { free(text) } }
        var process: pid_t = 0
        guard posix_spawn(&process, program, &actions, nil, &arguments, &environment) == 0 else { throw Gone() }
        identifier = process
        socket = ends[0]
    }

    deinit { end() }

    /// Closes the socket and waits until the reader has ended.
    ///
    /// - Returns: the exit status of the reader; nil if a signal ended the reader, or if `end` was called before.
    @discardableResult func end() -> Int32? {
        guard !isEnded else { return nil }
        isEnded = true
        close(socket)
        var status: Int32 = 0
        waitpid(identifier, &status, 0)
        return linux_exited(status) == 0 ? nil : linux_exit_status(status)
    }

    /// The folder of the test program, where the package manager puts all executables.
    static var folder: String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let program = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return program.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    }

    /// The folder of the second engine; nil if it was not downloaded.
    static var secondEngine: String? {
        let project = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        let folder = "\(project)/var/second-engine"
        return access("\(folder)/recogniser.onnx", R_OK) == 0 ? folder : nil
    }

    private static var path: String { folder + "/allesteurer-reader" }

    /// Reads one receipt's files.
    ///
    /// - Parameters:
    ///   - cpuSecondsPerPage: the limit of the job, see ``ReadingJob/cpuSecondsPerPage``.
    ///   - afterSending: called after the job has been sent.
    /// - Throws: `Gone` if the reader has ended, `WireError` if it violates the protocol.
    func read(_ files: [UInt8]..., cpuSecondsPerPage: Int = 60, afterSending: () -> Void = {}) throws -> JobOutcome {
        try read(files, cpuSecondsPerPage: cpuSecondsPerPage, afterSending: afterSending)
    }

    /// Reads one receipt's files.
    func read(_ files: [[UInt8]], cpuSecondsPerPage: Int = 60, afterSending: () -> Void = {}) throws -> JobOutcome {
        jobs += 1
        var conversation = ReaderConversation(id: jobs, cpuSecondsPerPage: cpuSecondsPerPage, files: files)
        var outcome = JobOutcome()
        var hasBegun = false
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !conversation.isOver {
            while let bytes = conversation.nextToSend() { try send(bytes) }
            if !hasBegun {
                hasBegun = true
                afterSending()
            }
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { throw Gone() }
            for answer in try conversation.receive(buffer[..<count]) {
                switch answer {
                case .picture(let picture): outcome.pictures.append(picture)
                case .document(let document, _):
                    outcome.document = document
                    conversation.requestPictures(covering: [])
                    conversation.finish()
                case .failed(_, let reason, let cpu):
                    outcome.failure = reason
                    outcome.cpuMilliseconds = cpu
                case .finished(_, let cpu): outcome.cpuMilliseconds = cpu
                case .progress(let pages, let count): outcome.progress.append([pages, count])
                case .reread: break
                }
            }
        }
        return outcome
    }

    private func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Gone() }
            rest = rest.dropFirst(count)
        }
    }

    /// The process id of the child of the running job.
    var child: pid_t? {
        // The kernel lists children by thread. The reader has one thread.
        ProcessFile.text(of: "/proc/\(identifier)/task/\(identifier)/children")?.split(separator: " ").first.flatMap {
            pid_t($0)
        }
    }

    var openDescriptors: Int {
        guard let folder = opendir("/proc/\(identifier)/fd") else { return -1 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without the entries `.` and `..`.
        return count - 2
    }
}
