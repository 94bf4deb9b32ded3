import Demo
import DocumentParsing
import Domain
import EventLoop
import Postgres
import Recognition

/// Adds pictures to the newest receipts of a generated household. The reader creates them, as for uploads.
struct DemoPictures {
    let database: Database
    let household: HouseholdID
    let person: PersonID
    let generated: DemoHousehold

    /// The number of receipts that get pictures. The reader needs about a second for each.
    private static let count = 8

    /// - Returns: the number of receipts that got pictures; 0 if the reader cannot be started.
    func insert(reader path: String) async throws -> Int {
        guard let loop = EventLoop.current, let reader = try? ReaderConnection(on: loop, path: path) else { return 0 }
        defer { reader.close() }
        let parsing = try SlowWork(name: "parsing")
        let parser = ReceiptParser(today: WallClock.today())
        let run = ReaderJobRun(connection: reader, parser: parser, parsing: parsing, pictures: .whole)
        var done = 0
        for (number, receipt) in generated.receipts.suffix(Self.count).enumerated() {
            guard let store = generated.stores.first(where: { $0.id == receipt.store }),
                let chain = generated.chains.first(where: { $0.id == receipt.chain })
            else { continue }
            let paper = DemoPaper(receipt, store, chain: chain.name, number: 4_000 + number)
            guard let result = try? await run.run(id: UInt64(number + 1), files: [paper.pdf]) else { return done }
            try await storePictures(result, of: receipt)
            done += 1
        }
        return done
    }

    /// Stores the pictures of a receipt, and the positions of its lines on them.
    private func storePictures(_ result: ReaderResult, of receipt: DemoHousehold.Receipt) async throws {
        let results = ReadingResults(database: database)
        var blobs: [PagePicture.Variant: BlobID] = [:]
        for picture in result.pictures where picture.page == 0 {
            let blob = BlobID.new()
            try await results.add(picture, as: blob, household)
            blobs[picture.variant] = blob
        }
        guard let reading = blobs[.reading], let page = result.document.pages.first else { return }
        let blobsOfPage = ReadingResults.PageBlobs(
            file: nil, reading: reading, display: blobs[.display] ?? reading, preview: blobs[.preview] ?? reading,
            width: page.width, height: page.height,
            words: StoredWords.pages(of: result.document, leavingOut: []).first ?? nil)
        let read = result.receipt.items
        // Store positions only if the reader found exactly the generated lines.
        let areLinesEqual = read.map(\.total?.value) == receipt.lines.map(\.total)
        try await database.write(household, by: person) { changes in
            try await results.replacePages(receipt.id, [blobsOfPage], changes)
            if areLinesEqual {
                try await changes.query(batch: zip(receipt.lines, read).compactMap { storingPosition($0.id, $1) })
            }
            try await changes.query(
                "UPDATE receipt SET revision = revision + 1 WHERE household_id = \(household) AND id = \(receipt.id)")
            changes.changed(.receipt, receipt.id)
        }
    }

    /// Returns a statement that stores the position of a line on the picture; nil if the reader found no position.
    private func storingPosition(_ line: ReceiptLineID, _ item: ParsedReceipt.Item) -> SQL? {
        guard let name = item.name.box else { return nil }
        let box = item.total?.box.map { name.union($0) } ?? name
        return """
            UPDATE receipt_line SET page = 0, box_x = \(Int32(box.x)), box_y = \(Int32(box.y)),
                box_width = \(Int32(box.width)), box_height = \(Int32(box.height))
            WHERE household_id = \(household) AND id = \(line)
            """
    }
}
