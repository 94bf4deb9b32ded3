import DocumentParsing
import Domain
import Postgres
import TestSupport
import Testing

@testable import App

/// Values of a reading that exceed the range of their columns.
@Suite(.timeLimit(.minutes(5))) struct StoredReadingTests {
    /// A changed reading, with the expected reason and doubts.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout ParsedReceipt) -> Void
        let reason: String
        let doubts: [String]
        var total: Int64? = 4_939
        /// The quantity and the amount of the first line.
        var line: [Int64] = [1_000, 4_900]
    }

    static let cases = [
        Case(
            testDescription: "a total of more than a million",
            change: { $0.total?.value = Money(minorUnits: 180_000_000) }, reason: "no-total", doubts: [], total: nil),
        Case(
            testDescription: "a line total beyond the limit of its column",
            change: { $0.items[0].total?.value = Money(minorUnits: .min) },
            reason: "line", doubts: ["total", StoredReading.unread], line: [1_000, 0]),
        Case(
            testDescription: "150 tonnes",
            change: { $0.items[0].quantity.value = Quantity(thousandths: 150_000_000, unit: .kilogram) },
            reason: "line", doubts: ["quantity"]),
        Case(
            testDescription: "a quantity beyond the limit of its column",
            change: { $0.items[0].quantity.value = Quantity(thousandths: .max, unit: .gram) },
            reason: "line", doubts: ["quantity"]),
        Case(
            testDescription: "a price beyond the limit of its column",
            change: { receipt in
                receipt.items[0].unitPrice?.value = UnitPrice(thousandthsOfMinor: UnitPrice.limit + 1, per: .kilogram)
            }, reason: "line", doubts: ["quantity"]),
        Case(
            testDescription: "a price per gram that is beyond the limit of the column as a price per kilogram",
            change: { receipt in
                receipt.items[0].unitPrice?.value = UnitPrice(thousandthsOfMinor: UnitPrice.limit, per: .gram)
            }, reason: "line", doubts: ["quantity"]),
    ]

    @Test(.database, arguments: cases)
    func `a value out of its column's range is dropped and marked as doubtful, but its line is kept`(
        _ example: Case
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let (receipt, _) = try await scene.queuedReceipt(harness)
            var reading = try ReadingScene.parse(ReadingScene.shopping)
            let weighed = try ReadingScene.parse(ReadingScene.weighed).items
            try #require(weighed[0].unitPrice != nil)
            reading.items[0].unitPrice = weighed[0].unitPrice
            reading.state = .proven
            reading.reasons = []
            example.change(&reading)
            let storedReading = StoredReading(receipt: reading)
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            try await ReadingResults(database: harness.database).finish(claim, storedReading, [])
            #expect(try scene.lines(receipt) == ["VASE", "SEMMEL"])
            #expect(try scene.text("SELECT verdict FROM receipt") == "review")
            #expect(try scene.text("SELECT array_to_string(reasons, ' ') FROM receipt") == example.reason)
            #expect(try scene.text("SELECT total_minor::text FROM receipt") == example.total.map(String.init))
            #expect(
                try scene.text("SELECT ('total' = ANY(doubts))::text FROM receipt")
                    == (example.total == nil ? "true" : "false"))
            let line: SQL = "FROM receipt_line WHERE position = 0"
            #expect(
                try scene.text("SELECT array_to_string(doubts, ' ') \(line)") == example.doubts.joined(separator: " "))
            #expect(try scene.count("SELECT quantity_thousandths \(line)") == example.line[0])
            #expect(try scene.count("SELECT total_minor \(line)") == example.line[1])
        }
    }

    @Test(arguments: [ParsedReceipt.Reason.dateUnconfirmed, .dateDisagrees])
    func `a date that contradicts another printed date is marked as doubtful`(reason: ParsedReceipt.Reason) throws {
        var reading = try ReadingScene.parse(ReadingScene.shopping)
        try #require(reading.date != nil)
        reading.reasons = []
        #expect(!StoredReading(receipt: reading).doubts.contains(.day))
        reading.reasons = [reason]
        #expect(StoredReading(receipt: reading).doubts.contains(.day))
    }

    @Test(.database) func `words with many combining marks fit their columns`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let (receipt, _) = try await scene.queuedReceipt(harness)
            let marked = "A" + String(repeating: "\u{301}", count: 5_000)
            var reading = try ReadingScene.parse(ReadingScene.shopping)
            reading.items[0].name.value = marked
            reading.items[0].vatClass = marked
            reading.store.name = marked
            reading.chain = nil
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            try await ReadingResults(database: harness.database).finish(claim, StoredReading(receipt: reading), [])
            #expect(try scene.lines(receipt).count == 2)
            #expect(try scene.count("SELECT length(vat_class) FROM receipt_line WHERE position = 0") == 4)
        }
    }
}
