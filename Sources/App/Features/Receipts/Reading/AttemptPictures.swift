import Domain
import Postgres
import Recognition

/// The pictures that one attempt to read a receipt stores.
struct AttemptPictures {
    let results: ReadingResults
    let household: HouseholdID
    private var blobs: [BlobID] = []

    init(_ results: ReadingResults, _ household: HouseholdID) {
        self.results = results
        self.household = household
    }

    /// Stores the pictures of pages. They are assigned to the receipt when the reading ends.
    ///
    /// - Parameter words: the words of each page's text layer in the reader's wire format.
    mutating func store(
        _ pictures: [PagePicture], _ sources: [ReadingSource], words: [[UInt8]?] = []
    ) async throws -> [ReadingResults.PageBlobs] {
        let pages = Dictionary(grouping: pictures, by: \.page).sorted { $0.key < $1.key }
        var stored: [ReadingResults.PageBlobs] = []
        for (index, (number, page)) in pages.enumerated() {
            guard let reading = page.first(where: { $0.variant == .reading }) else { continue }
            var blobsOfPage: [PagePicture.Variant: BlobID] = [:]
            for picture in page {
                let blob = BlobID.new()
                // Records the blob before storing it, so that it can be deleted even if the answer to COMMIT is lost.
                blobs.append(blob)
                try await results.add(picture, as: blob, household)
                blobsOfPage[picture.variant] = blob
            }
            guard let readingBlob = blobsOfPage[.reading] else { continue }
            // Pages come in the order of the files. When there is only one file, all pages belong to it.
            let file = sources.count == 1 ? sources[0].file : pages.count == sources.count ? sources[index].file : nil
            stored.append(
                ReadingResults.PageBlobs(
                    file: file, reading: readingBlob, display: blobsOfPage[.display] ?? readingBlob,
                    preview: blobsOfPage[.preview] ?? readingBlob, width: reading.width, height: reading.height,
                    words: words.indices.contains(number) ? words[number] : nil))
        }
        return stored
    }

    /// Deletes the stored pictures that no page uses. A reading that fails or is not accepted leaves such pictures,
    /// and the next attempt stores its own.
    func discardUnused() async throws {
        guard !blobs.isEmpty else { return }
        try await results.database.store(
            household,
            batch: [
                """
                DELETE FROM blob b WHERE b.household_id = \(household) AND b.id = ANY(\(blobs))
                    AND NOT EXISTS (SELECT 1 FROM receipt_page g
                        WHERE g.household_id = b.household_id
                            AND b.id IN (g.reading_blob_id, g.display_blob_id, g.preview_blob_id))
                """
            ])
    }
}
