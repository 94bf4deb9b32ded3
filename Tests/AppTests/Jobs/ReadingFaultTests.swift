import EventLoop
import Postgres
import Recognition
import TestSupport
import Testing

@testable import App

/// Errors during a reading: which of them count as attempts, and which are retried.
@Suite(.timeLimit(.minutes(5))) struct ReadingFaultTests {
    @Test func `faults of the reader and of the receipt count as attempts`() {
        #expect(ReadingFault(ReaderLost(description: "ended")).counts)
        #expect(ReadingFault(ReaderLost(description: "ended")).isReaderLost)
        #expect(ReadingFault(ReaderFailure(reason: .crashed, pictures: [])).counts)
        #expect(ReadingFault(ReadingSource.MissingChunk()).counts)
        #expect(!ReadingFault(ReaderNotStarted(description: "no such file")).counts)
    }

    @Test(arguments: ReadingFailureReason.allCases)
    func `only a timeout, a crash, a lack of memory and an overload are retried`(reason: ReadingFailureReason) {
        let fault = ReadingFault(ReaderFailure(reason: reason, pictures: []))
        #expect(fault.mayRetry == [.timeout, .crashed, .memory, .overloaded].contains(reason))
        #expect(!fault.isReaderLost)
    }

    @Test(arguments: ReadingFailureReason.allCases)
    func `every failure of the reader except an overload counts as an attempt`(reason: ReadingFailureReason) {
        let fault = ReadingFault(ReaderFailure(reason: reason, pictures: []))
        #expect(fault.counts != fault.isOverload)
        #expect(fault.isOverload == (reason == .overloaded))
        // After an overload, some pages may be missing, so their pictures are not stored.
        #expect(fault.storesPictures != fault.isOverload)
    }

    static let databaseErrors: [(String, SQL, Bool)] = [
        ("a number out of its range", "SELECT 3000000000::bigint::integer", true),
        ("a missing value", "INSERT INTO job (id) VALUES (NULL)", true),
        ("a statement that takes too long", "SELECT pg_sleep(60)", false),
        ("a missing privilege", "SELECT * FROM pg_authid", false),
        ("a connection that ends", "SELECT pg_terminate_backend(pg_backend_pid())", false),
    ]

    @Test(.database, arguments: databaseErrors.indices)
    func `rejected values count as an attempt, and database outages do not`(row: Int)
        async throws
    {
        let (fault, statement, counts) = Self.databaseErrors[row]
        var settings = try TestDatabase.current.settings
        if fault.contains("too long") { settings.statementTimeout = .milliseconds(300) }
        try await onLoop { [settings] loop in
            let pool = Pool(loop: loop, settings: settings)
            defer { pool.close() }
            let error = await #expect(throws: PostgresError.self) { try await pool.query(statement) }
            #expect(error.map { ReadingFault($0).counts } == counts, "\(fault): \(error?.description ?? "")")
        }
    }
}
