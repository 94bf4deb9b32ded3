import Domain
import HTTP
import Postgres
import Recognition
import TestSupport
import Testing

@testable import App

/// A new reading keeps a store that a person entered, replaces the values that were read, and shows its progress.
@Suite(.timeLimit(.minutes(5))) struct RereadingTests {
    private func readAgain(
        _ receipt: ReceiptID, _ anna: Browser, _ harness: AppHarness, _ scene: ReceiptScene,
        as document: RecognizedDocument = ReadingScene.shopping, pages: [ReadingResults.PageBlobs]? = nil
    ) async throws {
        let answer = try await anna.post(
            "/receipts/\(receipt)/rereading", ["revision": "\(try scene.revision(receipt))"])
        #expect(answer.status == .seeOther)
        let claim = try #require(try await JobQueue(database: harness.database).claim())
        let reading = StoredReading(receipt: try ReadingScene.parse(document))
        try await ReadingResults(database: harness.database).finish(claim, reading, pages)
    }

    private func save(_ receipt: ReceiptID, store: String, _ anna: Browser, _ scene: ReceiptScene, _ path: String)
        async throws
    {
        let page = try await anna.get("/receipts/\(receipt)/review")
        let key = try scene.keys(receipt)[0]
        let answer = try await anna.post(
            "/receipts/\(receipt)/\(path)",
            [
                "revision": "\(try scene.revision(receipt))", "store": store, "day": "2026-11-02", "total": "1,50",
                "line": "\(key)", "name-\(key)": "MILCH", "total-\(key)": "1,50",
            ], on: page)
        #expect(answer.status == .seeOther)
    }

    private func shownStore(_ receipt: ReceiptID, _ anna: Browser) async throws -> String? {
        try await anna.get("/receipts/\(receipt)/review").attribute("value", after: "<input name=\"store\"")
    }

    @Test(.database, arguments: ["review", "confirmation"])
    func `a new reading keeps a store that a person entered`(path: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)])
            try await save(receipt, store: "Greißler Huber", anna, scene, path)
            for _ in 0..<2 {
                try await readAgain(receipt, anna, harness, scene)
                #expect(try await shownStore(receipt, anna) == "Greißler Huber")
            }
            #expect(try scene.lines(receipt) == ["VASE", "SEMMEL"])
        }
    }

    @Test(.database, arguments: ["review", "confirmation"])
    func `a new reading replaces a store that was only read`(path: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt(
                [("MILCH", 150)],
                head: .init(store: #"{"name": "H0FFR", "chain": "", "street": "", "town": ""}"#))
            try await save(receipt, store: "H0FFR", anna, scene, path)
            try await readAgain(receipt, anna, harness, scene)
            #expect(try await shownStore(receipt, anna)?.uppercased() == "HOFER")
        }
    }

    @Test(.database, arguments: [(.proven, 0), (.review, 0), (.review, 7)] as [(Verdict, Int64)])
    func `keeps a proven reading, and keeps a reading that matches the total if the new reading does not match it`(
        verdict: Verdict, difference: Int64
    )
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt(
                [("MILCH", 150)], head: .init(verdict: verdict, total: .printed(150 + difference)))
            // Adds the old values to the change log.
            _ = try await anna.post("/receipts/\(receipt)/discard", ["revision": "\(try scene.revision(receipt))"])
            _ = try await anna.post("/receipts/\(receipt)/restoration")
            // A photo is read again, with new pictures.
            let blobs = try ["reading", "display", "preview"].map { try scene.blob($0) }
            let pages = [
                ReadingResults.PageBlobs(
                    file: nil, reading: blobs[0], display: blobs[1], preview: blobs[2], width: 10, height: 10)
            ]
            try await readAgain(receipt, anna, harness, scene, as: ReadingScene.misread, pages: pages)
            let isKept = difference == 0
            let isPageNew =
                try scene.count("SELECT count(*) FROM receipt_page WHERE display_blob_id = \(blobs[1])") == 1
            #expect(isPageNew != isKept)
            #expect(try scene.count("SELECT count(*) FROM receipt_page") == 1)
            #expect(try scene.lines(receipt) == (isKept ? ["MILCH"] : ["VASE", "SEMMEL"]))
            #expect(try scene.text("SELECT stage FROM receipt") == "review")
            let page = try await anna.get("/receipts/\(receipt)/review").text
            #expect(page.contains(#/noch einmal gelesen\. Das/#) == isKept)
            if isKept { #expect(try scene.text("SELECT verdict FROM receipt") == verdict.rawValue) }
            // A proven new reading replaces the earlier reading unless the earlier reading was proven, too.
            try await readAgain(receipt, anna, harness, scene)
            let isProven = verdict == .proven
            #expect(try scene.lines(receipt) == (isProven ? ["MILCH"] : ["VASE", "SEMMEL"]))
            let lastPage = try await anna.get("/receipts/\(receipt)/review").text
            #expect(lastPage.contains("Das neue Ergebnis ließ sich weniger gut") == isProven)
        }
    }

    @Test(.database) func `a failed new reading changes nothing; the reading of a joined receipt is always stored`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)], head: .init(verdict: .proven))
            _ = try await anna.post("/receipts/\(receipt)/discard", ["revision": "\(try scene.revision(receipt))"])
            _ = try await anna.post("/receipts/\(receipt)/restoration")
            _ = try await anna.post("/receipts/\(receipt)/rereading", ["revision": "\(try scene.revision(receipt))"])
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            try await ReadingResults(database: harness.database).fail(claim, reason: .timeout, [])
            #expect(try scene.text("SELECT verdict || ' ' || stage FROM receipt") == "proven review")
            #expect(try scene.lines(receipt) == ["MILCH"])
            // As if the receipt had been joined with another receipt while it was read again. The reading of a joined
            // receipt is stored even if its first part was proven.
            _ = try await anna.post("/receipts/\(receipt)/rereading", ["revision": "\(try scene.revision(receipt))"])
            #expect(try scene.text("SELECT reasons::text FROM receipt") == "{reread}")
            try scene.owner.query("UPDATE receipt SET reasons = '{}'")
            let second = try #require(try await JobQueue(database: harness.database).claim())
            let reading = StoredReading(receipt: try ReadingScene.parse(ReadingScene.misread))
            try await ReadingResults(database: harness.database).finish(second, reading, nil)
            #expect(try scene.lines(receipt) == ["VASE", "SEMMEL"])
        }
    }

    @Test(.database) func `a new reading sets a store that a person cleared`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)])
            for store in ["Greißler Huber", ""] { try await save(receipt, store: store, anna, scene, "review") }
            try await readAgain(receipt, anna, harness, scene)
            #expect(try await shownStore(receipt, anna)?.uppercased() == "HOFER")
        }
    }

    @Test(.database) func `the page shows the number of receipts ahead and each step of the reading`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            var receipts: [ReceiptID] = []
            for n in 0..<3 {
                let (receipt, _) = try await scene.queuedReceipt(harness)
                try scene.owner.query(
                    "UPDATE job SET not_before = now() - \(Int64(9 - n)) * interval '1 minute' WHERE subject_id = \(receipt)"
                )
                receipts.append(receipt)
            }
            let queue = JobQueue(database: harness.database)
            let claim = try #require(try await queue.claim())
            #expect(claim.subject == receipts[0].relabelled())
            // A queued message to a webhook does not count.
            try scene.owner.query(
                """
                INSERT INTO job (id, household_id, kind, subject_id, not_before)
                VALUES (\(JobID.new()), \(anna.household), 'deliver', \(DeliveryID.new()), now() - interval '1 hour')
                """)
            let lastPage = try await anna.get("/receipts/\(receipts[2])")
            #expect(lastPage.text.contains("Belege davor: <span data-ahead>2</span>"))
            #expect(lastPage.text.contains("<li data-step=\"arrived\" class=\"current\">"))
            for step in ["words", "sums", "pictures"] {
                if step != "words" { try await queue.report(JobQueue.Progress(step: step), of: claim) }
                let page = try await anna.get("/receipts/\(receipts[0])")
                #expect(page.text.contains("<li data-step=\"\(step)\" class=\"current\">"), "\(step)")
                #expect(page.text.contains("data-waiting hidden"))
            }
            // The page shows the number of the page that is being read only if there are several.
            #expect(try await anna.get("/receipts/\(receipts[0])").text.contains("data-paging hidden"))
            try await queue.report(JobQueue.Progress(step: "words", readPageCount: 2, pageCount: 5), of: claim)
            let paged = try await anna.get("/receipts/\(receipts[0])").text
            #expect(paged.contains("Seite <span data-page>3</span> von <span data-pages>5</span>"))
            #expect(!paged.contains("data-paging hidden"))
            // The second attempt starts from the first page.
            try await queue.postpone(claim, seconds: 0)
            try scene.owner.query("UPDATE job SET not_before = now() - interval '1 hour' WHERE id = \(claim.id)")
            let secondJob = try #require(try await queue.claim())
            #expect(secondJob.id == claim.id)
            let secondAttempt = try await anna.get("/receipts/\(receipts[0])").text
            #expect(secondAttempt.contains("data-step=\"words\" class=\"current\""))
            #expect(secondAttempt.contains("data-paging hidden"))
        }
    }
}
