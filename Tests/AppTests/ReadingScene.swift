import DocumentParsing
import Domain
import EventLoop
import Postgres
import Recognition
import TestSupport
import Testing

@testable import App

/// Recognised pages, and background workers without a reader.
enum ReadingScene {
    /// Returns a page with these lines, one below the other.
    static func page(_ source: RecognizedPage.Source, _ lines: [String]) -> RecognizedPage {
        let lines = lines.enumerated().map { row, text in
            var x = 20
            return RecognizedLine(
                words: text.split(separator: " ").map { word in
                    defer { x += word.count * 10 + 80 }
                    return RecognizedWord(
                        text: String(word), box: PixelBox(x: x, y: 20 + row * 24, width: word.count * 10, height: 18),
                        confidence: source == .text ? 100 : 95)
                })
        }
        return RecognizedPage(source: source, width: 1_200, height: 100 + lines.count * 24, lines: lines)
    }

    /// A document with two items and their total.
    static let shopping = RecognizedDocument(pages: [
        page(.text, ["HOFER", "VASE 49,00", "SEMMEL 0,39", "SUMME 49,39", "02.11.2026 10:15"])
    ])

    /// The same document with a misread amount, so that the sum of the items differs from the total.
    static let misread = RecognizedDocument(pages: [
        page(.text, ["HOFER", "VASE 42,00", "SEMMEL 0,39", "SUMME 49,39", "02.11.2026 10:15"])
    ])

    /// A document with a price per kilogram.
    static let weighed = RecognizedDocument(pages: [
        page(.text, ["HOFER", "TOMATEN", "0,500 kg x 3,98 EUR/kg 1,99", "SUMME 1,99", "02.11.2026 10:15"])
    ])

    static func parse(_ document: RecognizedDocument) throws -> ParsedReceipt {
        ReceiptParser(today: try #require(LocalDate(parsing: "2026-11-21"))).parse(document)
    }

    /// Runs background workers, whose reader exits immediately, during `body` and then until `isDone` returns true, for
    /// at most two minutes.
    static func withoutReader(
        _ harness: AppHarness, _ testDatabase: TestDatabase, until isDone: () throws -> Bool,
        _ body: () async throws -> Void = {}
    ) async throws {
        var config = try AppHarness.config()
        let parameters = ["host", "port", "dbname", "user"].compactMap { name in
            testDatabase.settings[name].map { "\(name)=\($0)" }
        }
        config.databaseURL = parameters.joined(separator: " ")
        config.reader = "/bin/false"
        let app = try App(config: config, database: harness.database, log: Log(level: .error))
        let background = try await Background(app)
        try await body()
        let isInTime = try await wait(isDone)
        #expect(isInTime, "not done within two minutes")
        await background.stop()
    }

    /// Waits until `isDone` returns true, for at most two minutes. Returns false after that.
    private static func wait(_ isDone: () throws -> Bool) async throws -> Bool {
        for _ in 0..<1_200 {
            if try isDone() { return true }
            await EventLoop.current?.sleep(for: .milliseconds(100))
        }
        return false
    }
}

extension ReceiptScene {
    /// Inserts a queued receipt with one uploaded file.
    func queuedReceipt(_ harness: AppHarness) async throws -> (ReceiptID, BlobID) {
        let receipt = try receipt([], pages: 0, stage: "reading")
        let original = try blob("original")
        try owner.query(
            """
            INSERT INTO receipt_file (household_id, id, receipt_id, position, media_type, size, digest, blob_id)
            VALUES (\(household), \(FileID.new()), \(receipt), 0, 'image/jpeg', 3, \([7] as [UInt8]), \(original))
            """)
        try await harness.database.query(JobQueue.enqueue(.read, receipt.relabelled(), household))
        return (receipt, original)
    }

    /// Stores the words of a document's first page with every page of a receipt.
    func keepWords(of document: RecognizedDocument, _ receipt: ReceiptID) throws {
        let words = StoredWords.pages(of: document, leavingOut: [])[0]
        try owner.query("UPDATE receipt_page SET words = \(words) WHERE receipt_id = \(receipt)")
    }

    /// Queues a receipt to be read again from its stored text layer, which needs no reader.
    func queueForRereading(_ harness: AppHarness, _ lines: [String]? = nil) async throws -> ReceiptID {
        let receipt = try receipt([], pages: 1, stage: "reading")
        let document = lines.map { RecognizedDocument(pages: [ReadingScene.page(.text, $0)]) } ?? ReadingScene.shopping
        try keepWords(of: document, receipt)
        try await harness.database.query(JobQueue.enqueue(.read, receipt.relabelled(), household))
        return receipt
    }
}

extension AppHarness {
    /// A worker on the loop of the test. By default its reader cannot run.
    func readingWorker(_ readerPath: String = "/bin/false", log: Log? = nil) throws -> ReadingWorker {
        try ReadingWorker(
            on: try #require(EventLoop.current), database: database, readerPath: readerPath, facts: .builtIn,
            log: log ?? app.log)
    }
}
