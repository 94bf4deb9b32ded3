import Domain
import EventLoop
import HTTP
import Recognition

/// Reads pictures of wine lists in sandboxed reader processes that are used only for wine lists. Pictures and
/// recognised words stay in memory only and are discarded after the response.
///
/// A process starts when a picture arrives and no process is idle. All processes end when no job has started for one
/// to two minutes.
final class ListReaders: @unchecked Sendable {
    // Safe to share: the lock protects the counts, and only the loop's thread uses the connections.
    private let path: String
    private let secondEngine: String?
    /// The maximum number of simultaneous jobs.
    private let maximumRunning: Int
    private let lock = Lock()
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var loop: EventLoop?
    private var idle: [ReaderConnection] = []
    /// The number of jobs that have started.
    private var jobs: UInt64 = 0
    /// The number of uploads in memory, by household.
    private var uploads: [HouseholdID: Int] = [:]
    /// Whether a timer is set that ends idle processes.
    private var isWaitingToEnd = false

    /// The maximum number of waiting photos. Frames of live scans never wait.
    private static let maximumWaiting = 8
    /// The maximum number of uploads in memory at the same time, each of at most 40 MiB.
    static let maximumUploads = 8
    /// The maximum number of uploads of one household in memory, so that uploads of other households are not refused.
    static let maximumUploadsOfHousehold = 4
    /// CPU seconds for each page of a photo, and for a frame.
    private static let cpuSecondsPerPage = (photo: 30, frame: 4)
    private static let idleTime = Duration.seconds(60)

    init(_ config: Config) {
        path = config.reader
        secondEngine = config.secondEngine
        maximumRunning = max(1, config.readers)
    }

    deinit {
        guard let loop else { return }
        let idle = idle
        loop.execute { for connection in idle { connection.killAndWait() } }
        // `stop` waits for the loop's thread to end, so it cannot be called on that thread. There, `deinit` runs only
        // when the server process ends.
        if !loop.isCurrent { loop.stop() }
    }

    /// Returns the words that were read in the files.
    ///
    /// - Throws: `ReaderFailure`; `Refusal.busy` if too many photos wait; `Refusal.overloaded` if the machine was too
    ///   busy to read the files in time; `Refusal.tooSoon` for a frame if no reader is free.
    func read(_ files: [[UInt8]], isLive: Bool) async throws -> RecognizedDocument {
        try await waitForSlot(isLive: isLive)
        defer { releaseSlot() }
        let loop = try startedLoop()
        return try await withCheckedThrowingContinuation { continuation in
            loop.spawn { [self] in
                do {
                    continuation.resume(returning: try await run(files, isLive: isLive, loop))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    /// Runs `body`, which holds an upload of any allowed size in memory.
    ///
    /// - Throws: `Refusal.busy` if too many uploads are held, of all households or of this one.
    func withUploadSlot<Value>(
        for household: HouseholdID, _ body: () async throws -> Value
    ) async throws -> Value {
        let hasSlot = lock.withLock {
            let own = uploads[household] ?? 0
            guard own < Self.maximumUploadsOfHousehold, uploads.values.reduce(0, +) < Self.maximumUploads else {
                return false
            }
            uploads[household] = own + 1
            return true
        }
        guard hasSlot else { throw Refusal.busy }
        defer { lock.withLock { uploads[household] = uploads[household].flatMap { $0 > 1 ? $0 - 1 : nil } } }
        return try await body()
    }

    // MARK: Slots

    private func waitForSlot(isLive: Bool) async throws {
        // False if the job must wait; nil if it is refused.
        let mayRun: Bool? = lock.withLock {
            if running < maximumRunning {
                running += 1
                return true
            }
            return isLive || waiting.count >= Self.maximumWaiting ? nil : false
        }
        guard let mayRun else { throw isLive ? Refusal.tooSoon : Refusal.busy }
        guard !mayRun else { return }
        await withCheckedContinuation { continuation in
            let runsNow = lock.withLock {
                // A job may have ended after the check above.
                guard running >= maximumRunning else {
                    running += 1
                    return true
                }
                waiting.append(continuation)
                return false
            }
            if runsNow { continuation.resume() }
        }
    }

    private func releaseSlot() {
        let next = lock.withLock { () -> CheckedContinuation<Void, Never>? in
            // The next waiting job takes over this job's slot.
            guard waiting.isEmpty else { return waiting.removeFirst() }
            running -= 1
            return nil
        }
        next?.resume()
    }

    private func startedLoop() throws -> EventLoop {
        try lock.withLock { () throws(any Error) in
            if let loop { return loop }
            let started = try EventLoop(name: "wine lists")
            try started.start()
            loop = started
            return started
        }
    }

    // MARK: On the loop

    private func run(_ files: [[UInt8]], isLive: Bool, _ loop: EventLoop) async throws -> RecognizedDocument {
        var connection = idle.popLast()
        if let found = connection, !found.isUsable {
            await found.end()
            connection = nil
        }
        let reader = try connection ?? ReaderConnection(on: loop, path: path, secondEngine: secondEngine)
        jobs += 1
        do {
            let document = try await ListReading(
                connection: reader,
                cpuSecondsPerPage: isLive ? Self.cpuSecondsPerPage.frame : Self.cpuSecondsPerPage.photo,
                isQuick: isLive
            ).run(id: jobs, files: files)
            keep(reader, loop)
            return document
        } catch let failure as ReaderFailure {
            keep(reader, loop)
            if failure.reason == .overloaded { throw Refusal.overloaded }
            throw failure
        } catch {
            await reader.end()
            throw error
        }
    }

    /// Adds a reader to the idle ones, and sets the timer that ends them.
    private func keep(_ reader: ReaderConnection, _ loop: EventLoop) {
        idle.append(reader)
        guard !isWaitingToEnd else { return }
        isWaitingToEnd = true
        endWhenIdle(after: jobs, loop)
    }

    /// Ends the idle readers after `idleTime` if no job has started after `job`.
    private func endWhenIdle(after job: UInt64, _ loop: EventLoop) {
        _ = loop.after(Self.idleTime) { [weak self] in
            guard let self else { return }
            guard jobs == job else { return endWhenIdle(after: jobs, loop) }
            isWaitingToEnd = false
            let ended = idle
            idle = []
            loop.spawn { for reader in ended { await reader.end() } }
        }
    }
}

extension Refusal {
    /// 429: the previous frame is still being read, or no reader is free.
    static let tooSoon = Refusal(.tooManyRequests, "tooSoon", retryAfter: 1)
    /// 503, with the key of `busy`: the machine was too busy to read the pictures in time.
    static let overloaded = Refusal(.serviceUnavailable, Refusal.busy.key, retryAfter: 30)
}
