import Domain
import HTTP
import Postgres
import Recognition
import TestSupport
import Testing

@testable import App

/// Joins receipts that were separated, read again or already joined.
@Suite(.timeLimit(.minutes(5))) struct RejoiningTests {
    /// A read receipt with VASE 49,00 and SEMMEL 0,39.
    private static func receipt(_ harness: AppHarness, _ scene: ReceiptScene) async throws -> ReceiptID {
        let receipt = try scene.receipt([("VASE", 4_900), ("SEMMEL", 39)])
        try await harness.database.write(scene.household, by: nil) { $0.changed(.receipt, receipt) }
        return receipt
    }

    /// Moves the line SEMMEL to a second receipt.
    private static func separate(_ receipt: ReceiptID, _ anna: Browser, _ scene: ReceiptScene) async throws -> ReceiptID
    {
        let key = try scene.keys(receipt)[1]
        return try await anna.post(
            "/receipts/\(receipt)/splits", ["revision": "\(try scene.revision(receipt))", "line": "\(key)"]
        ).redirectedReceipt()
    }

    /// Joins two receipts. Returns whether the page asked for a confirmation.
    private static func join(_ first: ReceiptID, _ second: ReceiptID, _ anna: Browser) async throws -> Bool {
        let answer = try await anna.post("/receipts/joins", ["receipt": "\(first)", "receipt": "\(second)"])
        if answer.status == .seeOther { return false }
        let agreementAnswer = try await anna.post(
            "/receipts/joins", JoinedCorrectionsTests.agreeingFields([first, second]))
        try #require(agreementAnswer.status == .seeOther)
        return true
    }

    private static func amounts(_ receipt: ReceiptID, _ scene: ReceiptScene) throws -> [Int64] {
        try scene.owner.query("SELECT total_minor FROM receipt_line WHERE receipt_id = \(receipt) ORDER BY position")
            .decode(Int64.self)
    }

    @Test(.database, arguments: [false, true])
    func `separated receipts can be joined again without loss and without a confirmation`(isMovedLast: Bool)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let first = try await Self.receipt(harness, scene)
            let second = try await Self.separate(first, anna, scene)
            let (upper, lower) = isMovedLast ? (first, second) : (second, first)
            #expect(try await Self.join(upper, lower, anna) == false)
            try await JoinedCorrectionsTests.read(harness, as: ReadingScene.shopping)
            #expect(try scene.lines(upper) == ["VASE", "SEMMEL"])
            #expect(try scene.count("SELECT total_minor FROM receipt") == 4_939)
        }
    }

    @Test(.database) func `a joined receipt has the labels and the payer of its parts until the join is undone`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let first = try await Self.receipt(harness, scene)
            let second = try await Self.separate(first, anna, scene)
            let expense = ExpenseID.new()
            try await harness.database.write(anna.household, by: anna.person) { changes in
                try await changes.query(
                    """
                    INSERT INTO expense (household_id, id, receipt_id, labels, paid_by)
                    VALUES (\(anna.household), \(expense), \(second), \(["Wien"]), \(paul.person))
                    """)
                changes.changed(.expense, expense)
            }
            func labelsByReceipt() throws -> [ReceiptID: [String]] {
                let rows = try scene.owner.query("SELECT receipt_id, labels FROM expense WHERE labels <> '{}'")
                    .decode((ReceiptID, [String]).self)
                return Dictionary(rows.map { ($0.0, $0.1) }) { first, _ in first }
            }
            _ = try await Self.join(first, second, anna)
            #expect(try labelsByReceipt() == [first: ["Wien"]])
            #expect(try scene.owner.query("SELECT paid_by FROM expense").first(PersonID.self) == paul.person)
            #expect(try await anna.post("/receipts/\(first)/join/removal").location == "/receipts")
            #expect(try labelsByReceipt() == [second: ["Wien"]])
            let payers = try scene.owner.query("SELECT receipt_id FROM expense WHERE paid_by IS NOT NULL")
                .decode(ReceiptID.self)
            #expect(payers == [second])
        }
    }

    @Test(.database)
    func `a joined receipt has the labels of all its parts even if a client had deleted the expense of the first part`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let first = try await Self.receipt(harness, scene)
            let second = try await Self.separate(first, anna, scene)
            try await harness.database.write(anna.household, by: anna.person) { changes in
                let expenses = [ExpenseID.new(), ExpenseID.new()]
                try await changes.query(
                    """
                    INSERT INTO expense (household_id, id, receipt_id, labels, discarded_at)
                    VALUES (\(anna.household), \(expenses[0]), \(first), \(["Graz"]), now() - interval '40 days'),
                        (\(anna.household), \(expenses[1]), \(second), \(["Wien"]), NULL)
                    """)
                changes.changed(.expense, expenses)
            }
            _ = try await Self.join(first, second, anna)
            #expect(try await ExpenseBulkEdits.deleteDiscarded(anna.household, atMost: 10, harness.database) == 0)
            let labels = try scene.owner.query("SELECT labels FROM expense").first([String].self)
            #expect(labels == ["Graz", "Wien"])
        }
    }

    @Test(.database) func `a document that was separated and joined again has each of its words once`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let first = try await Self.receipt(harness, scene)
            try scene.keepWords(of: ReadingScene.shopping, first)
            let second = try await Self.separate(first, anna, scene)
            #expect(try await Self.join(first, second, anna) == false)
            let readDocument = try await StoredWords.document(of: first, scene.household, harness.database)
            let document = try #require(readDocument)
            #expect(document.pages.count == 2)
            try await JoinedCorrectionsTests.read(harness, as: document)
            #expect(try scene.lines(first) == ["VASE", "SEMMEL"])
        }
    }

    @Test(.database, arguments: [true, false])
    func `a corrected line stays corrected after joining, whether corrected before or after it was separated`(
        isBefore: Bool
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let first = try await Self.receipt(harness, scene)
            let keys = try scene.keys(first)
            if isBefore {
                try await JoinedCorrectionsTests.save(
                    first, anna, scene, total: "49,39",
                    [("\(keys[0])", "VASE", "49,00"), ("\(keys[1])", "KAISERSEMMEL", "0,39")])
            }
            let second = try await Self.separate(first, anna, scene)
            if !isBefore {
                try await JoinedCorrectionsTests.save(
                    second, anna, scene, total: "0,39", [("\(keys[1])", "KAISERSEMMEL", "0,39")])
            }
            #expect(try await Self.join(first, second, anna))
            try await JoinedCorrectionsTests.read(harness, as: ReadingScene.shopping)
            #expect(try scene.lines(first) == ["VASE", "KAISERSEMMEL"])
        }
    }

    @Test(.database) func `joining a separated part with another receipt asks about its corrections`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let other = try await Self.receipt(harness, scene)
            let second = try await Self.separate(try await Self.receipt(harness, scene), anna, scene)
            let key = try scene.keys(second)[0]
            try await JoinedCorrectionsTests.save(
                second, anna, scene, total: "0,39", [("\(key)", "KAISERSEMMEL", "0,39")])
            #expect(try await Self.join(other, second, anna))
            try await JoinedCorrectionsTests.read(harness, as: ReadingScene.shopping)
            // The joined receipt has the line once.
            #expect(try scene.lines(other) == ["VASE", "KAISERSEMMEL"])
        }
    }

    @Test(.database, arguments: ["a kept reading", "a change without a person"])
    func `corrections of a part are still found after the server has written the part again`(write: String) async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let parts = try await JoinedCorrectionsTests.parts(harness, scene)
            let keys = try scene.keys(parts[0])
            try await JoinedCorrectionsTests.save(
                parts[0], anna, scene, total: "49,10",
                [("\(keys[0])", "VASE", "49,00"), ("\(keys[1])", "XXXX", "0,10")])
            if write == "a kept reading" {
                _ = try await anna.post(
                    "/receipts/\(parts[0])/rereading", ["revision": "\(try scene.revision(parts[0]))"])
                try await JoinedCorrectionsTests.read(harness)
                #expect(
                    try scene.text("SELECT array_to_string(reasons, '') FROM receipt WHERE id = \(parts[0])") == "kept")
            } else {
                try scene.owner.query("UPDATE receipt SET revision = revision + 1 WHERE id = \(parts[0])")
                try await harness.database.write(scene.household, by: nil) { $0.changed(.receipt, parts[0]) }
            }
            #expect(try await Self.join(parts[0], parts[1], anna))
            try await JoinedCorrectionsTests.read(harness)
            #expect(try Self.amounts(parts[0], scene) == [4_900, 39])
        }
    }

    @Test(.database, arguments: [true, false])
    func `parts that were joined, separated and joined again keep their corrections`(isRead: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let parts = try await JoinedCorrectionsTests.parts(harness, scene)
            let keys = try scene.keys(parts[0])
            try await JoinedCorrectionsTests.save(
                parts[0], anna, scene, total: "49,10",
                [("\(keys[0])", "VASE", "49,00"), ("\(keys[1])", "XXXX", "0,10")])
            #expect(try await Self.join(parts[0], parts[1], anna))
            if isRead {
                try await JoinedCorrectionsTests.read(harness)
            } else {
                let claim = try #require(try await JobQueue(database: harness.database).claim())
                try await ReadingResults(database: harness.database).fail(claim, reason: .crashed, [])
            }
            #expect(try await anna.post("/receipts/\(parts[0])/join/removal").location == "/receipts")
            #expect(try await Self.join(parts[0], parts[1], anna))
            try await JoinedCorrectionsTests.read(harness)
            #expect(try scene.lines(parts[0]) == ["VASE", "SEMMEL"])
            #expect(try Self.amounts(parts[0], scene) == [4_900, 39])
        }
    }

    @Test(.database) func `the maximum number of parts can be joined and separated one by one`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            var parts: [ReceiptID] = []
            for n in 0..<ReceiptJoining.maximumParts { parts.append(try scene.receipt([("MILCH \(n)", 100)])) }
            try await harness.database.write(scene.household, by: nil) { $0.changed(.receipt, parts) }
            for part in parts.dropFirst() {
                let answer = try await anna.post("/receipts/joins", ["receipt": "\(parts[0])", "receipt": "\(part)"])
                try #require(answer.status == .seeOther)
            }
            #expect(try scene.lines(parts[0]).count == ReceiptJoining.maximumParts)
            for _ in parts.dropFirst() {
                #expect(try await anna.post("/receipts/\(parts[0])/join/removal").location == "/receipts")
            }
            for (n, part) in parts.enumerated() { #expect(try scene.lines(part) == ["MILCH \(n)"]) }
        }
    }
}
