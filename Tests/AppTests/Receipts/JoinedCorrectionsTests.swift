import Domain
import HTTP
import Postgres
import Recognition
import TestSupport
import Testing

@testable import App

/// Corrections of the parts are applied to the joined receipt.
@Suite(.timeLimit(.minutes(5))) struct JoinedCorrectionsTests {
    /// Two receipts that were read, and whose values are in the change log.
    static func parts(_ harness: AppHarness, _ scene: ReceiptScene) async throws -> [ReceiptID] {
        let parts = [
            try scene.receipt([("VASE", 4_200), ("XXXX", 10)]), try scene.receipt([("SEMMEL", 39)], pages: 1),
        ]
        try await harness.database.write(scene.household, by: nil) { changes in changes.changed(.receipt, parts) }
        return parts
    }

    /// The fields that join two parts and accept that their corrections are applied.
    static func agreeingFields(_ parts: [ReceiptID]) -> KeyValuePairs<String, String> {
        [
            "receipt": "\(parts[0])", "receipt": "\(parts[1])", "agreed": "\(parts[0])", "agreed": "\(parts[1])",
        ]
    }

    /// Sends the form of a part.
    static func save(
        _ receipt: ReceiptID, _ browser: Browser, _ scene: ReceiptScene, store: String = "HOFER", total: String,
        _ lines: [(key: String, name: String, total: String)]
    ) async throws {
        let page = try await browser.get("/receipts/\(receipt)/review")
        var fields = [
            ("csrf", page.token ?? ""), ("revision", "\(try scene.revision(receipt))"), ("store", store),
            ("day", "2026-11-02"), ("total", total),
        ]
        for line in lines {
            fields += [
                ("line", line.key), ("name-\(line.key)", line.name), ("total-\(line.key)", line.total),
            ]
        }
        let body = fields.map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }
        let answer = try await browser.send(
            .post, "/receipts/\(receipt)/review", type: "application/x-www-form-urlencoded",
            Array(body.joined(separator: "&").utf8))
        try #require(answer.status == .seeOther)
    }

    /// Reads the joined receipt, by default as VASE 42,00, SEMMEL 0,39, total 49,39.
    static func read(
        _ harness: AppHarness, as document: RecognizedDocument = ReadingScene.misread,
        _ pages: [ReadingResults.PageBlobs]? = nil
    ) async throws {
        let claim = try #require(try await JobQueue(database: harness.database).claim())
        try await ReadingResults(database: harness.database).finish(
            claim, StoredReading(receipt: try ReadingScene.parse(document)), pages)
    }

    @Test(.database) func `a total and a store that a person entered are kept when parts are joined`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let parts = try await Self.parts(harness, scene)
            let keys = try scene.keys(parts[1])
            try await Self.save(
                parts[1], anna, scene, store: "SPAR Gumpendorf", total: "42,39", [("\(keys[0])", "SEMMEL", "0,39")])
            // Without `agreed`, the page would ask, because the parts have different stores.
            let answer = try await anna.post(
                "/receipts/joins",
                [
                    "receipt": "\(parts[0])", "receipt": "\(parts[1])", "agreed": "\(parts[0])",
                    "agreed": "\(parts[1])",
                ])
            #expect(answer.status == .seeOther)
            try await Self.read(harness)
            #expect(try scene.count("SELECT total_minor FROM receipt") == 4_239)
            #expect(try scene.text("SELECT printed_store ->> 'name' FROM receipt") == "SPAR Gumpendorf")
            #expect(try scene.text("SELECT verdict FROM receipt") == "review")
            #expect(try scene.lines(parts[0]) == ["VASE", "SEMMEL"])
        }
    }

    @Test(.database) func `the page asks about corrected lines once, and the joined receipt has the corrections`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let parts = try await Self.parts(harness, scene)
            let keys = try scene.keys(parts[0])
            // 42,00 was corrected to 49,00, XXXX was deleted, KERZE was added.
            try await Self.save(
                parts[0], anna, scene, total: "42,10",
                [("\(keys[0])", "VASE", "49,00"), ("new1", "KERZE", "3,00")])
            let fields: KeyValuePairs = ["receipt": "\(parts[0])", "receipt": "\(parts[1])"]
            let question = try await anna.post("/receipts/joins", fields)
            #expect(question.status == .unprocessableContent)
            #expect(question.text.contains("In diesen Teilen haben Sie schon etwas korrigiert"))
            #expect(question.attribute("value", after: "name=\"agreed\"") == "\(parts[0])")
            #expect(try scene.count("SELECT count(*) FROM receipt") == 2)
            let answer = try await anna.post("/receipts/joins", Self.agreeingFields(parts), on: question)
            #expect(answer.status == .seeOther)
            try await Self.read(harness)
            #expect(try scene.lines(parts[0]) == ["VASE", "KERZE", "SEMMEL"])
            #expect(
                try scene.owner.query("SELECT total_minor FROM receipt_line ORDER BY position").decode(Int64.self)
                    == [4_900, 300, 39])
            #expect(
                try scene.text("SELECT array_to_string(reasons, ' ') FROM receipt")?.contains("corrections") == false)
        }
    }

    @Test(.database) func `an agreement is valid only for the parts that the page asked about`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let parts = try await Self.parts(harness, scene)
            let others = try await Self.parts(harness, scene)
            for part in [parts[0], others[0]] {
                let keys = try scene.keys(part)
                try await Self.save(part, anna, scene, total: "42,10", [("\(keys[0])", "VASE", "42,10")])
            }
            let question = try await anna.post("/receipts/joins", ["receipt": "\(parts[0])", "receipt": "\(parts[1])"])
            let asked = parts.map { "name=\"agreed\" value=\"\($0)\"" }
            #expect(asked.allSatisfy(question.text.contains))
            let answer = try await anna.post(
                "/receipts/joins",
                [
                    "receipt": "\(others[0])", "receipt": "\(parts[1])", "agreed": "\(parts[0])",
                    "agreed": "\(parts[1])",
                ], on: question)
            #expect(answer.status == .unprocessableContent)
            #expect(try scene.count("SELECT count(*) FROM receipt") == 4)
        }
    }

    @Test(.database)
    func `if the joined receipt cannot be read, it is marked as unreadable and keeps every corrected line`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let parts = try await Self.parts(harness, scene)
            let keys = try scene.keys(parts[0])
            try await Self.save(parts[0], anna, scene, total: "49,00", [("\(keys[0])", "VASE", "49,00")])
            _ = try await anna.post("/receipts/joins", Self.agreeingFields(parts))
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            try await ReadingResults(database: harness.database).fail(claim, reason: .crashed, [])
            #expect(
                try scene.text("SELECT verdict || array_to_string(reasons, ' ') FROM receipt") == "unreadablecrashed")
            #expect(try scene.lines(parts[0]) == ["VASE", "SEMMEL"])
            #expect(try scene.count("SELECT sum(total_minor)::bigint FROM receipt_line") == 4_939)
        }
    }

    @Test(.database) func `the review page lists corrections that match no line of the joined receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let parts = try await Self.parts(harness, scene)
            let keys = try scene.keys(parts[0])
            try await Self.save(
                parts[0], anna, scene, total: "42,10",
                [("\(keys[0])", "VASE", "42,00"), ("\(keys[1])", "ZÜNDHÖLZER", "0,20")])
            _ = try await anna.post("/receipts/joins", Self.agreeingFields(parts))
            try await Self.read(harness)
            let page = try await anna.get("/receipts/\(parts[0])/review")
            #expect(page.text.contains("Einige Ihrer Korrekturen sind beim Zusammenfügen verloren gegangen"))
            #expect(page.text.contains("/receipts/\(parts[0])/join/removal"))
        }
    }

    @Test(.database, arguments: [false, true])
    func `undoing a join restores every part`(isRead: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let parts = try await Self.parts(harness, scene)
            let keys = try scene.keys(parts[1])
            try await Self.save(
                parts[1], anna, scene, store: "SPAR", total: "1,39",
                [
                    ("\(keys[0])", "KAISERSEMMEL", "0,49"), ("new1", "KERZE", "0,90"),
                ])
            _ = try scene.receipt([("SEMMEL", 39)], head: .init(duplicateOf: parts[1]))
            let state: SQL = """
                SELECT string_agg((to_jsonb(r) - 'revision' - 'joined')::text
                    || (SELECT jsonb_agg(to_jsonb(l) ORDER BY l.position, l.id) FROM receipt_line l WHERE l.receipt_id = r.id)
                    || (SELECT jsonb_agg(to_jsonb(g) ORDER BY g.n) FROM receipt_page g WHERE g.receipt_id = r.id)
                    || (SELECT jsonb_agg(to_jsonb(f) ORDER BY f.position) FROM receipt_file f WHERE f.receipt_id = r.id),
                    '|' ORDER BY r.id) FROM receipt r
                """
            let stateBefore = try scene.text(state)
            let answer = try await anna.post("/receipts/joins", Self.agreeingFields(parts))
            #expect(answer.status == .seeOther)
            #expect(try await anna.get("/receipts/\(parts[0])").text.contains("/receipts/\(parts[0])/join/removal"))
            if isRead { try await Self.read(harness) }
            let removalAnswer = try await anna.post("/receipts/\(parts[0])/join/removal")
            #expect(removalAnswer.location == "/receipts")
            #expect(try scene.text(state) == stateBefore)
            #expect(try scene.count("SELECT count(*) FROM job") == 0)
            let list = try await anna.get("/receipts")
            #expect(list.text.contains("Die Teile sind wieder einzelne Belege") && list.text.contains("\(parts[1])"))
            // A second undo has no effect, and the parts can be edited.
            #expect(try await anna.post("/receipts/\(parts[0])/join/removal").location == "/receipts/\(parts[0])")
            try await Self.save(parts[1], anna, scene, store: "SPAR", total: "1,39", [("\(keys[0])", "SEMMEL", "1,39")])
            #expect(try scene.lines(parts[1]) == ["SEMMEL"])
        }
    }

    @Test(.database)
    func `undoing a join queues an unread part again, and is refused after the joined receipt was edited`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let parts = try await Self.parts(harness, scene)
            let (waiting, _) = try await scene.queuedReceipt(harness)
            for _ in 0..<2 {
                _ = try await anna.post("/receipts/joins", ["receipt": "\(parts[0])", "receipt": "\(waiting)"])
                #expect(try await anna.post("/receipts/\(parts[0])/join/removal").location == "/receipts")
                #expect(try scene.count("SELECT count(*) FROM job WHERE subject_id = \(waiting)") == 1)
                #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(waiting)") == "reading")
            }
            _ = try await anna.post("/receipts/joins", ["receipt": "\(parts[0])", "receipt": "\(parts[1])"])
            try await harness.discard(waiting, by: anna)
            try await Self.read(harness)
            let keys = try scene.keys(parts[0])
            try await Self.save(parts[0], anna, scene, total: "42,39", [("\(keys[0])", "VASE", "42,39")])
            #expect(try await anna.post("/receipts/\(parts[0])/join/removal").location == "/receipts/\(parts[0])")
            #expect(try scene.lines(parts[0]) == ["VASE"])
        }
    }
}
