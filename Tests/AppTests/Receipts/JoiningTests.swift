import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Joining several receipts into one.
@Suite(.timeLimit(.minutes(5))) struct JoiningTests {
    @Test(.database)
    func `a join makes one receipt with all lines and pages in the chosen order, and queues its reading`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let bottom = try scene.receipt([("SEIFE", 199)], pages: 1)
            let top = try scene.receipt([("MILCH", 179), ("BROT", 329)], pages: 2)
            let answer = try await anna.post(
                "/receipts/joins",
                ["receipt": "\(bottom)", "receipt": "\(top)", "position-\(bottom)": "2", "position-\(top)": "1"])
            #expect(answer.status == .seeOther)
            #expect(answer.location == "/receipts/\(top)")
            #expect(try scene.lines(top) == ["MILCH", "BROT", "SEIFE"])
            #expect(try scene.pages(top) == [0, 1, 2])
            #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(top)") == "reading")
            #expect(try scene.count("SELECT count(*) FROM job WHERE subject_id = \(top)") == 1)
            #expect(try scene.count("SELECT count(*) FROM receipt WHERE id = \(bottom)") == 0)
            #expect(
                try scene.count("SELECT count(*) FROM change_log WHERE document_id = \(bottom) AND deleted") == 1)
            #expect(try await anna.get("/receipts/\(bottom)").location == "/receipts")
        }
    }

    @Test(.database) func `a gift that is joined with another member's receipt stays visible to its uploader only`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let annas = try scene.receipt([("MILCH", 179)], person: anna.person)
            let gift = try scene.receipt([("PARFUM", 7_900)], person: ben.person)
            try await harness.hide(gift, by: ben)
            let answer = try await ben.post(
                "/receipts/joins",
                ["receipt": "\(annas)", "receipt": "\(gift)", "position-\(annas)": "1", "position-\(gift)": "2"])
            #expect(answer.location == "/receipts/\(annas)")
            #expect(try await ben.get("/receipts/\(annas)").status == .ok)
            #expect(try await anna.get("/receipts/\(annas)").status == .notFound)
        }
    }

    private static func head(
        store: String = #"{"name": "HOFER", "town": "Wien"}"#, day: String? = "2026-11-02", till: String = "KASSE1"
    ) -> ReceiptScene.Head {
        .init(store: store, day: day, purchaseKey: "at:\(till):17")
    }

    @Test(
        .database,
        arguments: [
            ("store", head(store: #"{"chain": "SPAR", "name": "SPAR"}"#), "verschiedene Geschäfte"),
            ("town", head(store: #"{"name": "HOFER", "town": "Graz"}"#), "verschiedene Geschäfte"),
            ("day", head(day: "2026-11-03"), "nicht dasselbe Datum"),
            ("till", head(till: "KASSE2"), "verschiedene Kassen"),
            ("nothing", head(), nil), ("unread", head(store: "{}", day: nil), nil),
        ] as [(String, ReceiptScene.Head, String?)])
    func `the page asks before it joins parts of different stores, days or tills`(
        difference: String, other: ReceiptScene.Head, message: String?
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let parts = [
                try scene.receipt([("MILCH", 179)], head: Self.head()), try scene.receipt([("BROT", 329)], head: other),
            ]
            let answer = try await anna.post("/receipts/joins", ["receipt": "\(parts[0])", "receipt": "\(parts[1])"])
            guard let message else {
                #expect(answer.status == .seeOther, "\(difference)")
                return
            }
            #expect(answer.status == .unprocessableContent && answer.text.contains(message), "\(difference)")
            #expect(answer.text.contains("Trotzdem zusammenfügen"))
            #expect(try scene.count("SELECT count(*) FROM receipt") == 2)
            let agreementAnswer = try await anna.post(
                "/receipts/joins",
                [
                    "receipt": "\(parts[0])", "receipt": "\(parts[1])", "agreed": "\(parts[0])",
                    "agreed": "\(parts[1])",
                ], on: answer)
            #expect(agreementAnswer.status == .seeOther, "\(difference)")
            #expect(try scene.count("SELECT count(*) FROM receipt") == 1)
        }
    }

    @Test(.database) func `after a person agrees to a join, every line and page is kept, and the receipt counts once`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let parts = [
                try scene.receipt([("VASE", 4_900)], head: Self.head(day: "2026-11-03")),
                try scene.receipt([("SEMMEL", 39)], head: Self.head()),
            ]
            for _ in 0..<2 {
                let answer = try await anna.post("/receipts/joins", JoinedCorrectionsTests.agreeingFields(parts))
                #expect(answer.location == "/receipts/\(parts[0])")
            }
            #expect(try scene.lines(parts[0]) == ["VASE", "SEMMEL"])
            #expect(try scene.pages(parts[0]) == [0, 1])
            #expect(try scene.count("SELECT count(*) FROM receipt_file WHERE receipt_id = \(parts[0])") == 2)
            #expect(try scene.count("SELECT count(*) FROM job WHERE subject_id = \(parts[0])") == 1)
            try await JoinedCorrectionsTests.read(harness, as: ReadingScene.shopping)
            #expect(try scene.lines(parts[0]) == ["VASE", "SEMMEL"])
            try await harness.confirm(parts[0], by: anna)
            #expect(try scene.count("SELECT count(*) FROM receipt") == 1)
            #expect(try scene.count("SELECT sum(amount_minor)::bigint FROM spending_month") == 4_939)
        }
    }

    @Test(.database) func `a single part is not joined`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179)])
            let answer = try await anna.post("/receipts/joins", ["receipt": "\(receipt)", "position-\(receipt)": "1"])
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("Wählen Sie mindestens zwei Teile"))
            #expect(try scene.revision(receipt) == 1)
        }
    }

    @Test(.database, arguments: ["confirmed", "discarded", "foreign"])
    func `a refused join changes neither part`(state: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179)])
            let other: ReceiptID
            if state == "foreign" {
                other = try harness.scene(try await harness.signUp("Carla Neu")).receipt([("BROT", 329)])
            } else {
                other = try scene.receipt([("BROT", 329)], stage: state == "confirmed" ? "confirmed" : "review")
            }
            if state == "discarded" {
                #expect(try await anna.post("/receipts/\(other)/discard", ["revision": "1"]).status == .seeOther)
            }
            let answer = try await anna.post("/receipts/joins", ["receipt": "\(receipt)", "receipt": "\(other)"])
            #expect(answer.status == .conflict)
            #expect(try scene.lines(receipt) == ["MILCH"])
            #expect(try scene.lines(other) == ["BROT"])
        }
    }

    @Test(.database)
    func `the page offers unconfirmed receipts with pictures; the requested receipt is first and ticked`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let first = try scene.receipt([("MILCH", 179)])
            let second = try scene.receipt([("BROT", 329)])
            let typed = try scene.receipt([("SEIFE", 199)], pages: 0)
            let page = try await anna.get("/receipts/joins/new?receipt=\(second)")
            #expect(page.status == .ok)
            #expect(page.attribute("value", after: "name=\"position-\(second)\"") == "1")
            #expect(page.attribute("value", after: "name=\"position-\(first)\"") == "2")
            #expect(page.text.contains("value=\"\(second)\" aria-labelledby=\"part-\(second)\" checked"))
            #expect(!page.text.contains("\(typed)"))
        }
    }

    @Test(.database) func `a reading of a part is not stored if the part was joined in the meantime`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let first = try scene.receipt([("MILCH", 179)], stage: "reading")
            let second = try scene.receipt([("BROT", 329)])
            _ = try await harness.database.query(
                JobQueue.enqueue(.read, first.relabelled(), anna.household))
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            _ = try await anna.post("/receipts/joins", ["receipt": "\(first)", "receipt": "\(second)"])
            try await ReadingResults(database: harness.database).fail(claim, reason: .unreadable, [])
            #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(first)") == "reading")
            #expect(try scene.pages(first) == [0, 1])
            #expect(try scene.count("SELECT count(*) FROM job WHERE subject_id = \(first)") == 1)
        }
    }
}
