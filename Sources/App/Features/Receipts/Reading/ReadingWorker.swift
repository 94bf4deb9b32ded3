import DocumentParsing
import Domain
import EventLoop
import Postgres
import Recognition

/// Works the queue off: one reader, one receipt at a time. Runs on a loop of its own, so that understanding a long
/// receipt keeps nobody's page waiting.
final class ReadingWorker: @unchecked Sendable {
    // Safe to share: only tasks on the loop's thread touch it.
    private let loop: EventLoop
    private let database: Database
    private let queue: JobQueue
    private let store: ReadingStore
    private let readerPath: String
    private let log: Log
    private var reader: ReaderConnection?
    private var isStopping = false
    private var sleeper: (timer: LoopTimer, continuation: UnsafeContinuation<Void, Never>)?
    private var done: UnsafeContinuation<Void, Never>?
    private var isDone = false

    /// Looked at by itself this often: notifications are hints.
    private static let pollInterval = Duration.seconds(3)

    init(on loop: EventLoop, database: Database, readerPath: String, log: Log) {
        self.loop = loop
        self.database = database
        queue = JobQueue(database: database)
        store = ReadingStore(database: database)
        self.readerPath = readerPath
        self.log = log
    }

    /// Works until ``stop()``.
    func run() async {
        while !isStopping {
            do {
                guard let claim = try await queue.claim() else {
                    await rest(Self.pollInterval)
                    continue
                }
                await work(claim)
            } catch {
                // The database is away; the queue waits there.
                await rest(.seconds(2))
            }
        }
        reader?.close()
        isDone = true
        done?.resume()
    }

    /// There is work: ends a rest.
    func wake() {
        guard let sleeper else { return }
        self.sleeper = nil
        sleeper.timer.cancel()
        sleeper.continuation.resume()
    }

    /// Ends after the receipt at hand. Whatever is cut off is done again by the next worker.
    func stop() async {
        isStopping = true
        reader?.close()
        wake()
        if isDone { return }
        await withUnsafeContinuation { done = $0 }
    }

    private func rest(_ time: Duration) async {
        await withUnsafeContinuation { continuation in
            let timer = loop.after(time) { [self] in wake() }
            sleeper = (timer, continuation)
        }
    }

    // MARK: One receipt

    private func work(_ claim: JobQueue.Claim) async {
        let receipt: ReceiptID = claim.subject.relabelled()
        let started = EventLoop.monotonicNow()
        do {
            try await read(claim)
            log.event(
                .info, "read",
                [("receipt", "\(receipt)"), ("milliseconds", "\((EventLoop.monotonicNow() - started) / 1_000_000)")])
        } catch {
            guard !isStopping else { return await release(claim) }
            await recover(claim, from: error)
        }
    }

    private func read(_ claim: JobQueue.Claim) async throws {
        let receipt: ReceiptID = claim.subject.relabelled()
        let sources = try await ReadingSource.files(of: receipt, claim.household, database)
        guard !sources.isEmpty else {
            return try await store.fail(claim, reason: "unreadable", [])
        }
        let connection = try await connected()
        let parser = ReceiptParser(today: WallClock.today())
        let run = ReaderJobRun(connection: connection, parser: parser)
        let database = database
        let household = claim.household
        let result = try await run.run(
            id: claim.id.description,
            files: sources.map { source in
                (source.size, { send in try await source.send(household, database, to: send) })
            })
        let pages = try await storePictures(result.pages, sources, claim.household)
        try await store.finish(claim, StoredReading(receipt: result.receipt), pages)
    }

    /// The running reader, or a new one that has said hello.
    private func connected() async throws -> ReaderConnection {
        if let reader { return reader }
        let reader = try ReaderConnection(on: loop, path: readerPath)
        let hello = try await reader.receive(until: EventLoop.monotonicNow() + Duration.seconds(20).nanoseconds)
        guard hello.kind == .hello else {
            reader.close()
            throw ReaderLost(description: "no hello")
        }
        self.reader = reader
        return reader
    }

    private func storePictures(
        _ pages: [ReaderPage], _ sources: [ReadingSource], _ household: HouseholdID
    ) async throws -> [ReadingStore.PageBlobs] {
        var stored: [ReadingStore.PageBlobs] = []
        for (index, page) in pages.enumerated() {
            guard let reading = page.pictures[.reading] else { continue }
            var blobs: [ReaderPicture.Role: BlobID] = [:]
            for (role, picture) in page.pictures {
                blobs[role] = try await store.store(
                    picture.bytes, purpose: role.rawValue, width: picture.picture.width,
                    height: picture.picture.height, household)
            }
            guard let readingBlob = blobs[.reading] else { continue }
            // Pages come in the order of the files; a document of several pages may be the only file.
            let file = sources.count == 1 ? sources[0].file : pages.count == sources.count ? sources[index].file : nil
            stored.append(
                ReadingStore.PageBlobs(
                    file: file, reading: readingBlob, display: blobs[.display] ?? readingBlob,
                    preview: blobs[.preview] ?? readingBlob, width: reading.picture.width,
                    height: reading.picture.height))
        }
        return stored
    }

    // MARK: When it goes wrong

    private func recover(_ claim: JobQueue.Claim, from error: any Error) async {
        var reason = "crashed"
        var isFinal = claim.attempts >= JobQueue.maximumAttempts
        var pages: [ReaderPage] = []
        switch error {
        case let partial as PartialFailure:
            (reason, pages) = (Self.reason(partial.failure.reason), partial.pages)
            if !Self.isWorthTrying(partial.failure.reason) { isFinal = true }
        case let failure as ReaderFailure: reason = Self.reason(failure.reason)
        case is ReaderLost, is SystemError:
            reader?.close()
            reader = nil
        default: isFinal = false  // the database: nothing is wrong with the receipt
        }
        log.event(
            .warning, "read",
            [
                ("receipt", "\(claim.subject)"), ("attempt", "\(claim.attempts)"), ("reason", reason),
                ("error", Self.logged(error)),
            ])
        do {
            if isFinal {
                let stored = try await storePictures(pages, [], claim.household)
                try await store.fail(claim, reason: reason, stored)
            } else {
                try await queue.postpone(claim, seconds: 2 * Int64(claim.attempts))
            }
        } catch {
            // The lease runs out and somebody takes it again.
            await rest(.seconds(1))
        }
    }

    private func release(_ claim: JobQueue.Claim) async { try? await queue.postpone(claim, seconds: 0) }

    private static func isWorthTrying(_ reason: ReaderFailure.Reason) -> Bool {
        switch reason {
        case .timeout, .exhausted, .crash, .internalError: true
        case .unsupported, .unreadable, .tooLarge, .encryptedPDF: false
        }
    }

    /// Codes of `server.reason`.
    private static func reason(_ reason: ReaderFailure.Reason) -> String {
        switch reason {
        case .unsupported: "unsupported"
        case .unreadable: "unreadable"
        case .tooLarge, .exhausted: "too-large"
        case .encryptedPDF: "locked"
        case .timeout: "timeout"
        case .crash, .internalError: "crashed"
        }
    }

    private static func logged(_ error: any Error) -> String {
        switch error {
        case let error as PartialFailure: "\(error.failure.reason.rawValue) \(error.failure.detail)"
        case let error as ReaderLost: error.description
        case let error as PostgresError: error.description
        case let error as SystemError: error.description
        default: String(reflecting: type(of: error))
        }
    }
}
