import CLinux
import Glibc
import OCRCore

/// The descriptor that the server hands over.
let serverSocket: Int32 = 3

/// Starts the supervisor on descriptor 3, after making sure that the OCR engine will not start threads.
func runReader() -> Never {
    var kind: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(serverSocket, SOL_SOCKET, SO_TYPE, &kind, &length) == 0 else {
        let text = "allesteurer-reader is started by allesteurer, never by hand.\n"
        _ = text.withCString { write(2, $0, strlen($0)) }
        exit(2)
    }
    // libgomp reads its limit when it is loaded: too late for setenv, so this program starts itself anew.
    if getenv("OMP_THREAD_LIMIT").map({ strcmp($0, "1") }) != 0 {
        setenv("OMP_THREAD_LIMIT", "1", 1)
        setenv("SWIFT_BACKTRACE", "enable=no", 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("allesteurer-reader"), nil]
        execv("/proc/self/exe", &arguments)
        exit(2)
    }
    takeSignals()
    _ = linux_set_nonblocking(serverSocket)
    guard let reader = try? PageReader() else {
        let text = "allesteurer-reader: the OCR engine or its German model (tesseract-ocr-deu) is missing\n"
        _ = text.withCString { write(2, $0, strlen($0)) }
        exit(1)
    }
    reader.warmUp()
    var supervisor = Supervisor(reader: reader)
    exit(supervisor.run())
}

/// What the starting program ignores or blocks is inherited: a child that aborts, or uses up its time, has to die of it,
/// or its job would be told as finished.
private func takeSignals() {
    for number in [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS, SIGXCPU, SIGXFSZ, SIGTERM, SIGINT, SIGCHLD] {
        signal(number, SIG_DFL)
    }
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    signal(SIGPIPE, SIG_IGN)
}
