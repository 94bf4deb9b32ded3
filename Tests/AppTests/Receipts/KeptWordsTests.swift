import DocumentParsing
import Domain
import HTTP
import Postgres
import Recognition
import TestSupport
import Testing

@testable import App

/// A document with a text layer is read again from its stored words, not from its picture.
@Suite(.timeLimit(.minutes(5))) struct KeptWordsTests {
    private static let lines = [
        "HOFER", "VASE 49,00", "SEMMEL 0,39", "SUMME 49,39", "Kundenkarte 2201234567890", "02.11.2026 10:15",
    ]

    private static let document = RecognizedDocument(pages: [ReadingScene.page(.text, lines)])

    @Test func `words of photos, and personal details in documents, are not stored`() throws {
        let photo = RecognizedDocument(pages: [ReadingScene.page(.ocr, Self.lines)])
        #expect(StoredWords.pages(of: photo, leavingOut: []) == [nil])
        let details = PersonalDetailFinder().details(in: Self.document, sparing: try ReadingScene.parse(Self.document))
        #expect(!details.isEmpty)
        let kept = try #require(StoredWords.pages(of: Self.document, leavingOut: details)[0])
        let page = try #require(try RecognizedDocument(wireBytes: kept).pages.first)
        let words = page.lines.flatMap { $0.words.map(\.text) }
        #expect(!words.contains("2201234567890"))
        #expect(words.contains("VASE") && words.contains("49,39"))
        let again = try ReadingScene.parse(RecognizedDocument(pages: [page]))
        let first = try ReadingScene.parse(Self.document)
        #expect(again.items.map(\.name.value) == first.items.map(\.name.value))
        #expect(again.items.map(\.total?.value) == first.items.map(\.total?.value))
        #expect(again.state == first.state && again.total?.value == first.total?.value)
    }

    @Test(.database) func `reading again from words has the same result, without a reader`() async throws {
        let testDatabase = try TestDatabase.current
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([], pages: 0, stage: "reading", person: anna.person)
            _ = try await harness.database.query(JobQueue.enqueue(.read, receipt.relabelled(), anna.household))
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            let page = ReadingResults.PageBlobs(
                file: nil, reading: try scene.blob("reading"), display: try scene.blob("display"),
                preview: try scene.blob("preview"), width: 1_200, height: 300,
                words: StoredWords.pages(of: Self.document, leavingOut: [])[0])
            try await ReadingResults(database: harness.database).finish(
                claim, StoredReading(receipt: try ReadingScene.parse(Self.document)), [page])
            let first = try scene.lines(receipt)
            #expect(first == ["VASE", "SEMMEL"])
            // The change log does not contain the words.
            #expect(
                try scene.count("SELECT count(*) FROM change_log WHERE body -> 'pages' -> 0 ? 'words'") == 0)
            let lines = try scene.keys(receipt).map { #"{"id": "\#($0)", "printed_name": "FALSCH"}"# }
            try await harness.change(receipt, #"{"lines": [\#(lines.joined(separator: ", "))]}"#, by: anna)
            #expect(try await anna.post("/receipts/\(receipt)/rereading").status == .seeOther)
            try await ReadingScene.withoutReader(
                harness, testDatabase,
                until: { try scene.text("SELECT stage FROM receipt WHERE id = \(receipt)") == "review" })
            #expect(try scene.lines(receipt) == first)
            #expect(try scene.count("SELECT total_minor FROM receipt WHERE id = \(receipt)") == 4939)
            #expect(try await anna.get("/receipts/\(receipt)/pages/1/display").status == .ok)
        }
    }
}
