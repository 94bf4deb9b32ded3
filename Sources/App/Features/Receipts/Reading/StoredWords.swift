import DocumentParsing
import Domain
import Postgres
import Recognition

/// Stored words of documents with a text layer. The receipt can be read again from them.
enum StoredWords {
    /// The maximum size of one page's words. The words of larger pages are not stored.
    private static let maximumBytes = 4 << 20

    /// The words of each page in the reader's wire format; nil for pages that were read from a picture.
    ///
    /// - Parameter details: personal details to leave out.
    static func pages(of document: RecognizedDocument, leavingOut details: [PersonalDetail]) -> [[UInt8]?] {
        document.pages.enumerated().map { index, page in
            guard page.source == .text else { return nil }
            let boxes = details.filter { $0.page == index }.map(\.box)
            var result = page
            result.lines = page.lines.map { line in
                let isKept = { (word: RecognizedWord) in !boxes.contains { $0.overlaps(word.box) } }
                return RecognizedLine(
                    words: line.words.filter(isKept), secondEngineWords: line.secondEngineWords.filter(isKept))
            }.filter { !$0.words.isEmpty }
            // Keeps only fiscal codes, because the other codes are not needed to check a receipt.
            result.codes = page.codes.filter { FiscalCode(payload: $0.text) != nil }
            let bytes = RecognizedDocument(pages: [result]).wireBytes
            return bytes.count <= maximumBytes ? bytes : nil
        }
    }

    /// Returns the document if every page of the receipt was read from a text layer and no file waits to be read;
    /// otherwise nil.
    static func document(
        of receipt: ReceiptID, _ household: HouseholdID, _ database: Database
    ) async throws -> RecognizedDocument? {
        let rows = try await database.read(
            household,
            """
            SELECT g.n, g.words, EXISTS (SELECT 1 FROM receipt_page o
                    WHERE o.household_id = g.household_id AND o.receipt_id = g.receipt_id AND o.n < g.n
                        AND o.reading_blob_id = g.reading_blob_id)
            FROM receipt_page g
            WHERE g.household_id = \(household) AND g.receipt_id = \(receipt)
                AND NOT EXISTS (SELECT 1 FROM receipt_file f
                    WHERE f.household_id = g.household_id AND f.receipt_id = g.receipt_id AND f.blob_id IS NOT NULL)
            ORDER BY g.n
            """)
        var pages: [RecognizedPage] = []
        for (n, words, isRepeated) in try rows.decode((Int32, [UInt8]?, Bool).self) {
            // Positions refer to pages by number. A separation can leave gaps between the numbers; the receipt is then
            // read from its pictures.
            guard Int(n) == pages.count, let words, var document = try? RecognizedDocument(wireBytes: words) else {
                return nil
            }
            // After a separation and a join, the receipt has the same page twice. Its lines are used once.
            if isRepeated { for page in document.pages.indices { document.pages[page].lines = [] } }
            pages += document.pages
        }
        return pages.isEmpty ? nil : RecognizedDocument(pages: pages)
    }
}
