import Domain
import EventLoop
import HTTP
import JSON
import Postgres
import Templates

/// The progress of reading a receipt, derived from its job.
struct ReadingProgress: Sendable, Equatable {
    enum Step: String, Sendable, CaseIterable {
        /// `arrived`: waiting for a reader; `words`: pages are being recognised; `sums`: the words are being parsed;
        /// `pictures`: the pictures are being made.
        case arrived, words, sums, pictures
    }

    let step: Step
    let attempts: Int32
    /// The number of the household's receipts that are read before this receipt.
    var ahead: Int64 = 0
    /// The number of pages that were recognised. `readPageCount` and `pageCount` are 0 when there is only one page.
    var readPageCount: Int32 = 0
    var pageCount: Int32 = 0
    /// Whether the receipt waits because the machine was overloaded during an earlier attempt.
    var isDelayed = false

    /// The page that is being read, counted from 1; nil if there is only one page, or when all words are known.
    var page: Int32? { step == .words && pageCount > 1 ? min(readPageCount + 1, pageCount) : nil }

    /// The length of the progress bar in percent. Computed from the step and the pages, because the duration of a
    /// reading is not known.
    var percent: Int {
        switch step {
        case .arrived: 10
        case .words: pageCount > 1 ? 12 + Int(readPageCount * 60 / pageCount) : 40
        case .sums: 75
        case .pictures: 90
        }
    }

    /// Derives the progress from the receipt's job. A receipt without a job has reached the last step.
    ///
    /// - Parameter isHeld: whether a worker has the lease of the job.
    init(
        isHeld: Bool?, attempts: Int32?, overloads: Int32? = nil, step: String?, ahead: Int64?,
        readPageCount: Int32? = nil,
        pageCount: Int32? = nil
    ) {
        self.attempts = attempts ?? 1
        guard let step else {
            self.step = .pictures
            return
        }
        self.step = isHeld == true ? Step(rawValue: step) ?? .words : .arrived
        if isHeld == true {
            self.readPageCount = readPageCount ?? 0
            self.pageCount = pageCount ?? 0
        } else {
            self.ahead = ahead ?? 0
            isDelayed = (overloads ?? 0) > 0
        }
    }

    /// Returns nil when the receipt is no longer being read.
    static func current(
        _ id: ReceiptID, _ household: HouseholdID, _ database: Database
    ) async throws -> ReadingProgress? {
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT 1 FROM receipt
                WHERE household_id = \(household) AND id = \(id) AND stage = \(Stage.reading.sql) AND discarded_at IS NULL
                """,
                """
                SELECT j.lease_until >= now(), j.attempts, j.overloads, j.step, j.pages, j.page_count,
                    (SELECT count(*) FROM job o
                    WHERE o.household_id = j.household_id AND o.kind = j.kind AND o.id <> j.id
                        AND (o.lease_until >= now() OR (o.not_before, o.id) < (j.not_before, j.id)))
                FROM job j WHERE j.household_id = \(household) AND j.kind = 'read' AND j.subject_id = \(id)
                """,
            ])
        guard !rows[0].isEmpty else { return nil }
        let job = try rows[1].first((Bool?, Int32, Int32, String, Int32, Int32, Int64).self)
        guard let (isHeld, attempts, overloads, step, pages, pageCount, ahead) = job else {
            return ReadingProgress(isHeld: nil, attempts: nil, step: nil, ahead: nil)
        }
        return ReadingProgress(
            isHeld: isHeld, attempts: attempts, overloads: overloads, step: step, ahead: ahead, readPageCount: pages,
            pageCount: pageCount)
    }

    /// Like `current`, but returns the last step for a receipt that is no longer being read.
    static func of(_ id: ReceiptID, _ household: HouseholdID, _ database: Database) async throws -> ReadingProgress {
        try await current(id, household, database) ?? ReadingProgress(isHeld: nil, attempts: nil, step: nil, ahead: nil)
    }
}

/// The event stream that the progress page listens to.
struct ReadingEvents: Sendable {
    let database: Database
    let household: HouseholdID
    let receipt: ReceiptID

    /// The number of progress queries after which a stream ends. The browser then reconnects automatically.
    static let maximumQueries = 240

    func send(to writer: any ResponseWriter) async throws {
        guard let loop = EventLoop.current else { return }
        var last: ReadingProgress?
        try await writer.send(Array("retry: 2000\n\n".utf8))
        for query in 0..<Self.maximumQueries {
            // A database outage ends the stream; the browser reconnects.
            guard let progress = try await ReadingProgress.current(receipt, household, database) else {
                try await writer.send(Array("event: done\ndata: {}\n\n".utf8))
                return
            }
            if progress != last {
                var json = JSONWriter()
                json.object { json in
                    json.member("step", progress.step.rawValue)
                    json.member("percent", progress.percent)
                    json.member("ahead", progress.ahead)
                    json.member("delayed", progress.isDelayed)
                    if let page = progress.page {
                        json.member("page", page)
                        json.member("pages", progress.pageCount)
                    }
                }
                try await writer.send(Array("event: progress\ndata: ".utf8) + json.bytes + Array("\n\n".utf8))
                last = progress
            } else if query % 30 == 29 {
                // Writing detects a closed connection.
                try await writer.send(Array(": still reading\n\n".utf8))
            }
            await loop.sleep(for: .milliseconds(500))
        }
    }
}

/// The model of the view `receipts/reading`: the progress of reading a receipt.
struct ReadingPage: PageModel {
    let receipt: StoredReceipt
    let progress: ReadingProgress
    let words: LanguageTexts

    struct Step: PageModel {
        let name: String
        let label: String
        let isDone: Bool
        let isCurrent: Bool

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.text("label") { $0.label }
            f.flag("isDone") { $0.isDone }
            f.flag("isCurrent") { $0.isCurrent }
        }
    }

    static let fields = Fields<Self> { f in
        f.model("state") { $0.receipt.state }
        f.text("href") { "/receipts/\($0.receipt.id)" }
        f.text("eventsUrl") { "/receipts/\($0.receipt.id)/events" }
        f.number("percent") { $0.progress.percent }
        f.text("ahead") { String($0.progress.ahead) }
        f.flag("isPaged") { $0.progress.page != nil }
        f.text("page") { String($0.progress.page ?? 1) }
        f.text("pages") { String(max(1, $0.progress.pageCount)) }
        f.flag("isWaiting") { $0.progress.ahead > 0 }
        f.flag("isDelayed") { $0.progress.isDelayed }
        f.flag("isRetrying") { $0.progress.attempts > 1 }
        f.optionalText("previewUrl") { page in
            page.receipt.pages.first.map { "/receipts/\(page.receipt.id)/pages/\($0.n + 1)/preview" }
        }
        f.list("steps") { page in
            var isBefore = true
            return ReadingProgress.Step.allCases.map { step in
                let isCurrent = step == page.progress.step
                if isCurrent { isBefore = false }
                return Step(
                    name: step.rawValue, label: page.words["server.step.\(step.rawValue)"], isDone: isBefore,
                    isCurrent: isCurrent)
            }
        }
    }
}
