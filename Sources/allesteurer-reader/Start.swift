import CLinux
import CProcess
import Confinement
import Glibc
import OCRCore

/// The descriptor of the socket that the server passes.
let serverSocket: Int32 = 3

/// Runs the supervisor on descriptor 3. Ensures first that the OCR engine starts no threads.
func runReader() -> Never {
    var kind: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(serverSocket, SOL_SOCKET, SO_TYPE, &kind, &length) == 0 else {
        fail("only allesteurer can start this program", status: 2)
    }
    // libgomp reads OMP_THREAD_LIMIT when it is loaded, so this program sets the variable and executes itself again.
    if getenv("OMP_THREAD_LIMIT").map({ strcmp($0, "1") }) != 0 {
        setenv("OMP_THREAD_LIMIT", "1", 1)
        setenv("SWIFT_BACKTRACE", "enable=no", 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("allesteurer-reader"), nil]
        execv("/proc/self/exe", &arguments)
        fail("cannot execute /proc/self/exe", status: 1)
    }
    resetSignals()
    _ = linux_set_nonblocking(serverSocket)
    guard let reader = try? PageReader(second: secondEngine()) else {
        fail("cannot load Tesseract or its German model (package tesseract-ocr-deu)", status: 1)
    }
    reader.warmUp()
    guard dropPrivileges(), confinement_forbid_inspection() == 0 else {
        fail("cannot change from root to another user, or cannot disable core dumps", status: 1)
    }
    var supervisor = Supervisor(reader: reader)
    exit(supervisor.run())
}

/// Loads the second engine from the folder that the server sets. Returns nil if no folder is set. Prints a message and
/// returns nil if the engine cannot be loaded.
///
/// It is loaded before any child is forked, so that children share its memory and need not open its files.
private func secondEngine() -> NeuralEngine? {
    guard let setting = getenv("ALLESTEURER_SECOND_ENGINE"), setting.pointee != 0 else { return nil }
    do {
        return try NeuralEngine(folder: String(cString: setting))
    } catch {
        printError("the second engine is not used: \(error)")
        return nil
    }
}

/// Prints a message and ends the program.
private func fail(_ message: String, status: Int32) -> Never {
    printError(message)
    exit(status)
}

func printError(_ message: String) {
    _ = "allesteurer-reader: \(message)\n".withCString { write(2, $0, strlen($0)) }
}

/// Restores the default handling of signals, because children inherit ignored and blocked signals. A child that aborts
/// or exceeds its CPU time must be ended by the signal. Otherwise, its job would appear to be finished.
private func resetSignals() {
    for number in [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS, SIGXCPU, SIGXFSZ, SIGTERM, SIGINT, SIGCHLD] {
        signal(number, SIG_DFL)
    }
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    signal(SIGPIPE, SIG_IGN)
}
