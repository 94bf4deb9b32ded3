/// The files of the watched folder that could not be read, deleted or moved, and the times at which they are tried again.
/// The pause doubles with each attempt.
struct FileRetries {
    private struct Retry {
        let file: WatchedFile
        var pause: Int64
        var dueAt: Int64
    }

    /// By the paths of the files.
    private var retries: [String: Retry] = [:]

    /// The first and the longest pause, in seconds.
    static let firstPause: Int64 = 60
    static let maximumPause: Int64 = 3_600

    /// Whether the file is to be tried now: it did not fail before, it was changed since, or its pause is over.
    ///
    /// - Parameter now: seconds since 1970. A pause also ends if the clock was set back.
    func isDue(_ path: String, _ file: WatchedFile, now: Int64) -> Bool {
        guard let retry = retries[path], retry.file == file else { return true }
        return now >= retry.dueAt || now < retry.dueAt - retry.pause
    }

    mutating func recordFailure(_ path: String, _ file: WatchedFile, now: Int64) {
        let last = retries[path].flatMap { $0.file == file ? $0.pause : nil }
        let pause = min(last.map { $0 * 2 } ?? Self.firstPause, Self.maximumPause)
        retries[path] = Retry(file: file, pause: pause, dueAt: now + pause)
    }

    /// Forgets the files that do not exist any more.
    mutating func keepOnly(_ paths: some Collection<String>) {
        guard !retries.isEmpty else { return }
        let paths = Set(paths)
        retries = retries.filter { paths.contains($0.key) }
    }
}
