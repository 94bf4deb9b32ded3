import DocumentParsing
import Domain
import EventLoop
import Postgres
import Recognition

/// Reads the queued receipts one after another with one reader process. Parses them on a separate thread, so that
/// several workers parse at the same time.
final class ReadingWorker: @unchecked Sendable {
    // Safe to share: only tasks on the loop's thread use it.
    private let loop: EventLoop
    private let database: Database
    private let queue: JobQueue
    private let results: ReadingResults
    private let readerPath: String
    /// The folder of the second engine.
    private let secondEngine: String?
    private let facts: ChainFacts
    private let log: Log
    private let parsing: SlowWork
    private var reader: ReaderConnection?
    private var isStopping = false
    private let pause: WorkerPause
    /// The task that waits for the end of the worker.
    private var done: UnsafeContinuation<Void, Never>?
    private var isDone = false
    /// The timer that renews the lease of the current job.
    private var renewal: LoopTimer?
    /// Whether the last query of the queue failed. Only the first of several failures is logged.
    private var isQueueUnavailable = false
    private var outage = ReaderOutage()
    /// The number of times the queue was asked for a job.
    private(set) var claimCount = 0

    /// Seconds until a reading is repeated after a database outage, or after the reader could not run.
    private static let outagePause: Int64 = 5
    /// Seconds until a reading is repeated after the first overload of the machine. Each further pause is twice as long
    /// as the previous one.
    private static let overloadPause: Int64 = 30
    /// The time between two attempts to start a reader that cannot run.
    private static let readerPause = Duration.seconds(10)

    init(
        on loop: EventLoop, database: Database, readerPath: String, secondEngine: String? = nil, facts: ChainFacts,
        log: Log
    ) throws {
        self.loop = loop
        pause = WorkerPause(on: loop)
        parsing = try SlowWork(name: "parsing")
        self.database = database
        queue = JobQueue(database: database)
        results = ReadingResults(database: database)
        self.readerPath = readerPath
        self.secondEngine = secondEngine
        self.facts = facts
        self.log = log
    }

    /// Reads queued receipts until `stop()` is called.
    func run() async {
        while !isStopping {
            // While the disk is full, the pictures of a reading cannot be stored, although a job can still be claimed.
            guard !database.diskSpace.isFull else {
                await pause.wait(for: JobQueue.pollInterval)
                continue
            }
            do {
                claimCount += 1
                let claim = try await queue.claim()
                isQueueUnavailable = false
                guard let claim else {
                    await pause.wait(for: JobQueue.pollInterval)
                    continue
                }
                await work(claim)
            } catch {
                // The database is not available; the jobs stay in the queue.
                if !isQueueUnavailable { log.event(.warning, "queue", [("error", Log.text(of: error))]) }
                isQueueUnavailable = true
                await pause.wait(for: .seconds(2))
            }
        }
        await reader?.end()
        isDone = true
        done?.resume()
    }

    /// Ends the pause between two queries of the queue, because there may be a new job.
    func wake() { pause.end() }

    /// Stops the worker. Interrupts the current reading; another worker repeats it.
    func stop() async {
        isStopping = true
        reader?.close()
        wake()
        if isDone { return }
        await withUnsafeContinuation { done = $0 }
    }

    // MARK: One receipt

    /// Reads one receipt and handles its errors.
    private func work(_ claim: JobQueue.Claim) async {
        let receipt: ReceiptID = claim.subject.relabelled()
        let started = EventLoop.monotonicNow()
        var pictures = AttemptPictures(results, claim.household)
        keepLease(claim)
        do {
            defer { renewal?.cancel() }
            try await read(claim, &pictures)
            log.event(
                .info, "read",
                [("receipt", "\(receipt)"), ("milliseconds", "\((EventLoop.monotonicNow() - started) / 1_000_000)")])
        } catch {
            if isStopping {
                await release(claim)
            } else {
                await recover(claim, from: error, &pictures)
            }
        }
        // If the database is not available, the sweeper deletes the pictures later.
        try? await pictures.discardUnused()
    }

    /// Renews the lease periodically until the timer is cancelled.
    private func keepLease(_ claim: JobQueue.Claim) {
        renewal = loop.after(JobQueue.renewalInterval) { [self] in
            keepLease(claim)
            // When a renewal fails and the lease expires, another worker reads the receipt as well. This is harmless.
            loop.spawn { try? await self.queue.renew(claim) }
        }
    }

    private func read(_ claim: JobQueue.Claim, _ pictures: inout AttemptPictures) async throws {
        let receipt: ReceiptID = claim.subject.relabelled()
        guard try await !results.finishIfDiscarded(claim) else { return }
        // The last attempt ended without a result or an error, so the receipt probably crashed its worker.
        guard claim.attempts <= JobQueue.maximumAttempts else {
            log.event(
                .warning, "read",
                [("receipt", "\(receipt)"), ("attempt", "\(claim.attempts)"), ("reason", Reason.Code.crashed.rawValue)])
            return try await results.fail(claim, reason: .crashed, [], keepingOriginals: true)
        }
        let settings = try await results.settings(claim.household)
        let today = WallClock.$zone.withValue(settings.zone) { WallClock.today() }
        let parser = ReceiptParser(facts: facts, today: today)
        if let document = try await StoredWords.document(of: receipt, claim.household, database) {
            let (parsed, paper) = try await parsing.run {
                (parser.parse(document), PaperReading(document, asOf: today))
            }
            return try await finish(claim, parsed, paper, nil)
        }
        let sources = try await ReadingSource.files(of: receipt, claim.household, database)
        guard !sources.isEmpty else {
            return try await results.fail(claim, reason: .unreadable, [])
        }
        let keepsDetails = settings.keepsPersonalDetails
        let run = ReaderJobRun(
            connection: try await connectedReader(), parser: parser, parsing: parsing,
            pictures: keepsDetails ? .whole : .covered,
            // The progress is only displayed, so errors are ignored.
            report: { [queue] step in try? await queue.report(JobQueue.Progress(step), of: claim) })
        let result = try await run.run(id: claim.id.low, files: min(sources.count, ReadingJob.maximumFiles)) { number in
            try await sources[number].bytes(claim.household, database)
        }
        logReaderWorks()
        let (words, paper) = try await parsing.run { [facts] in
            let finder = PersonalDetailFinder(facts: facts)
            let details = keepsDetails ? [] : finder.details(in: result.document, sparing: result.receipt)
            return (
                StoredWords.pages(of: result.document, leavingOut: details),
                PaperReading(result.document, leavingOut: details, asOf: today)
            )
        }
        let pages = try await pictures.store(result.pictures, sources, words: words)
        try await finish(claim, result.receipt, paper, pages)
    }

    private func finish(
        _ claim: JobQueue.Claim, _ receipt: ParsedReceipt, _ paper: PaperReading, _ pages: [ReadingResults.PageBlobs]?
    ) async throws {
        do {
            try await results.finish(claim, StoredReading(receipt: receipt, paper: paper), pages)
        } catch let error as PostgresError where error.refusesValues {
            throw UnstorableReading(refusal: error, pages: pages ?? [])
        }
    }

    /// The running reader; if there is none, starts a new reader.
    private func connectedReader() async throws -> ReaderConnection {
        if let reader, reader.isUsable { return reader }
        await reader?.end()
        reader = nil
        do {
            let started = try ReaderConnection(on: loop, path: readerPath, secondEngine: secondEngine)
            reader = started
            return started
        } catch {
            throw ReaderNotStarted(description: "the reader cannot be started: \(error)")
        }
    }

    // MARK: Failures

    /// Logs the end of an outage of the reader.
    private func logReaderWorks() {
        if outage.recordSuccess() { log.event(.info, "reader", [("state", "works again")]) }
    }

    /// Handles the error of a reading: queues the receipt again, or records that its reading failed permanently.
    private func recover(
        _ claim: JobQueue.Claim, from failure: any Error, _ pictures: inout AttemptPictures
    ) async {
        let error = await cause(of: failure)
        let fault = ReadingFault(error)
        database.diskSpace.record(error)
        if error is ReaderFailure { logReaderWorks() }
        if error is ReaderNotStarted {
            if outage.recordFailure(at: EventLoop.monotonicNow()) {
                log.event(.warning, "reader", [("error", Log.text(of: error))])
            }
        } else {
            log.event(
                .warning, "read",
                [
                    ("receipt", "\(claim.subject)"), ("attempt", "\(claim.attempts)"),
                    ("reason", fault.reason.rawValue), ("error", Log.text(of: error)),
                ])
        }
        do {
            if let seconds = Self.retryPause(after: fault, claim) {
                try await queue.postpone(
                    claim, seconds: seconds, counts: fault.counts, isOverload: fault.isOverload)
            } else {
                let pages = fault.storesPictures ? try await pages(from: error, &pictures) : []
                try await results.fail(
                    claim, reason: fault.reason, pages, keepingOriginals: fault.mayRetry && pages.isEmpty)
            }
        } catch {
            // The database is not available. The lease expires, and the job is claimed again.
            await pause.wait(for: .seconds(1))
        }
        if error is ReaderNotStarted, !isStopping { await pause.wait(for: Self.readerPause) }
    }

    /// The number of seconds until the next attempt; nil if there is none.
    private static func retryPause(after fault: ReadingFault, _ claim: JobQueue.Claim) -> Int64? {
        if fault.isOverload {
            return claim.overloads + 1 < JobQueue.maximumOverloads ? overloadPause << Int64(claim.overloads) : nil
        }
        guard fault.counts else { return outagePause }
        return fault.mayRetry && claim.attempts < JobQueue.maximumAttempts ? 2 * Int64(claim.attempts) : nil
    }

    /// Returns the error to handle. If the reader was lost, ends its process. If the exit status of the process shows
    /// that the reader cannot run, returns `ReaderNotStarted`, which does not count as an attempt.
    private func cause(of error: any Error) async -> any Error {
        guard ReadingFault(error).isReaderLost else { return error }
        let exit = await reader?.end()
        reader = nil
        guard case .code(let status)? = exit, ReaderNotStarted.statuses.contains(status) else { return error }
        return ReaderNotStarted(description: "the reader ended with status \(status)")
    }

    /// Stores the pictures that were made before the failure. A person needs them to type the receipt in.
    private func pages(
        from error: any Error, _ pictures: inout AttemptPictures
    ) async throws -> [ReadingResults.PageBlobs] {
        switch error {
        case let failure as ReaderFailure: try await pictures.store(failure.pictures, [])
        case let unstorable as UnstorableReading: unstorable.pages
        default: []
        }
    }

    /// Returns the job to the queue when the server stops. This does not count as an attempt.
    private func release(_ claim: JobQueue.Claim) async { try? await queue.postpone(claim, seconds: 0, counts: false) }
}
