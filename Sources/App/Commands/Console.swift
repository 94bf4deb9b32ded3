import Glibc

/// The output of commands.
enum Console {
    /// Writes one line to standard output.
    static func print(_ text: String) { write(1, text + "\n") }

    /// Writes one line to standard error.
    static func error(_ text: String) { write(2, text + "\n") }

    private static func write(_ descriptor: Int32, _ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
