import DocumentParsing
import Domain
import Foundation
import Recognition
import Testing

/// Receipts in two overlapping photos, from the pictures to the lines.
@Suite(.serialized, .timeLimit(.minutes(15))) struct LongReceiptTests {
    private static let folder = ProcessInfo.processInfo.environment["ALLESTEURER_TEST_DATA"] ?? "../shared"
    /// Receipts whose lines are read the same from the whole picture and from its parts.
    private static let names = ["rr_edeka_05", "rr_edeka_07", "legacy_IMG0003", "sm_lidl_07042020"]
    private static let hasReceipts = FileManager.default.fileExists(atPath: folder + "/receipts/images/rr_edeka_05.jpg")
    private static let today = LocalDate(dayNumber: 20_700)

    private func lines(_ documents: RecognizedDocument?...) -> [String] {
        let pages = documents.flatMap { $0?.pages ?? [] }
        return ReceiptParser(today: Self.today).parse(RecognizedDocument(pages: pages)).items.map {
            "\($0.quantity.value.figure()) \($0.total?.value.figure() ?? "?") \($0.kind.rawValue)"
        }
    }

    /// Reads an upright picture whole, and then its upper and lower parts in both orders. The parts overlap by a fifth.
    private func check(_ jpeg: [UInt8], _ reader: ReaderProcess) throws {
        let whole = lines(try reader.read(jpeg).document)
        let upper = try reader.read(JPEGFile.part(of: jpeg, 0..<60)).document
        let lower = try reader.read(JPEGFile.part(of: jpeg, 40..<100)).document
        #expect(!whole.isEmpty)
        #expect(lines(upper, lower) == whole)
        #expect(lines(lower, upper) == whole)
    }

    @Test func `reads a drawn receipt from two photos`() throws {
        try check(JPEGFile.receipt, ReaderProcess())
    }

    @Test(
        .enabled(if: hasReceipts, "no receipts below ALLESTEURER_TEST_DATA (default ../shared)"), arguments: names)
    func `reads a real receipt from two photos`(name: String) throws {
        let reader = try ReaderProcess()
        let file = try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/receipts/images/\(name).jpg"))
        // The stored picture is upright, so its parts are parts of the receipt.
        let reading = try reader.read([UInt8](file)).pictures.first { $0.variant == .reading }
        try check(try #require(reading).jpeg, reader)
    }
}
