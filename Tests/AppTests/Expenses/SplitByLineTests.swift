import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Receipts whose lines are split between members.
@Suite(.timeLimit(.minutes(5))) struct SplitByLineTests {
    private func revision(_ browser: Browser, _ id: ExpenseID) async throws -> String {
        try #require(try await browser.get("/expenses/\(id)/split").attribute("value", after: "name=\"revision\""))
    }

    /// A receipt with wine for 9.00 and bread for 3.00. Paul takes the wine, and both share the bread.
    private func receiptByLine(
        _ harness: AppHarness, _ anna: Browser, _ paul: Browser
    ) async throws -> (id: ReceiptID, lines: [ReceiptLineID]) {
        let scene = try harness.scene(anna)
        let receipt = try scene.receipt([("WEIN", 900), ("BROT", 300)])
        try await harness.confirm(receipt, by: anna)
        let lines = try scene.keys(receipt)
        let split = try await anna.post(
            "/expenses/\(receipt)/split",
            pairs: [
                ("method", "lines"), ("revision", "0"), ("with-\(anna.person)", "1"), ("paid-by", "\(anna.person)"),
                ("with-\(paul.person)", "1"), ("line-\(lines[0])", "\(paul.person)"),
            ])
        try #require(split.status == .seeOther, "\(split.text)")
        return (receipt, lines)
    }

    @Test(.database) func `a receipt is split line by line and keeps its shares when its total changes`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("WEIN", 900), ("BROT", 300)])
            try await harness.confirm(receipt, by: anna)
            let id: ExpenseID = receipt.relabelled()
            let lines = try scene.keys(receipt)
            let pairs: [(String, String)] = [
                ("method", "lines"), ("revision", try await revision(anna, id)), ("with-\(anna.person)", "1"),
                ("with-\(paul.person)", "1"), ("line-\(lines[0])", "\(paul.person)"), ("paid-by", "\(anna.person)"),
            ]
            let answer = try await anna.post("/expenses/\(id)/split", pairs: pairs)
            #expect(answer.status == .seeOther, "\(answer.text)")
            // Paul pays the wine and half of the bread: 10.50 of 12.00.
            let owed = try scene.owner.query(
                "SELECT amount_minor FROM balance_month WHERE person_id = \(paul.person)"
            ).first(Int64.self)
            #expect(owed == -1_050)
            let (wine, bread) = (
                #"{"id": "\#(lines[0])", "total_minor": 1800}"#, #"{"id": "\#(lines[1])", "total_minor": 600}"#
            )
            try await harness.change(receipt, #"{"total_minor": 2400, "lines": [\#(wine), \#(bread)]}"#, by: anna)
            let doubled = try scene.owner.query(
                "SELECT amount_minor FROM balance_month WHERE person_id = \(paul.person)"
            ).first(Int64.self)
            #expect(doubled == -2_100)
            // The page shows who took the wine. With a cheaper wine, Paul pays 3.00 and half of the bread.
            let page = try await anna.get("/expenses/\(id)/split")
            let choices = page.text.ranges(of: "<option value=\"\(paul.person)\" selected>")
            // Paul is selected for the wine only, because Anna is the payer.
            #expect(choices.count == 1)
            let cheap = #"{"id": "\#(lines[0])", "total_minor": 300}"#
            try await harness.change(receipt, #"{"total_minor": 900, "lines": [\#(cheap), \#(bread)]}"#, by: anna)
            #expect(
                try scene.owner.query("SELECT amount_minor FROM balance_month WHERE person_id = \(paul.person)")
                    .first(Int64.self) == -600)
            let none = try await anna.post(
                "/expenses/\(id)/split", pairs: [("action", "none"), ("revision", try await revision(anna, id))])
            #expect(none.status == .seeOther)
            #expect(try scene.owner.query("SELECT 1 FROM balance_month").isEmpty)
            #expect(try scene.owner.query("SELECT 1 FROM expense_line").isEmpty)
        }
    }

    @Test(.database) func `sync clients receive and change which member took a line`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let (receipt, lines) = try await receiptByLine(harness, anna, paul)
            let expense = try #require(
                try scene.owner.query("SELECT id FROM expense WHERE receipt_id = \(receipt)").first(ExpenseID.self))
            let sync = SyncScene(harness, anna)
            let key = DocumentKey(.expense, expense.relabelled())
            let body = try #require(try await sync.body(key))
            let wine: JSONValue = ["line": .string("\(lines[0])"), "person": .string("person:\(paul.person)")]
            #expect(body["taken"] == [wine])
            #expect(body["shared_by"]?.array?.count == 2)
            // Anna takes the bread, so Paul pays the wine only.
            let bread: JSONValue = ["line": .string("\(lines[1])"), "person": .string("person:\(anna.person)")]
            try await sync.edit(key) { $0["taken"] = [wine, bread] }
            #expect(
                try scene.owner.query("SELECT amount_minor FROM balance_month WHERE person_id = \(paul.person)")
                    .first(Int64.self) == -900)
        }
    }

    @Test(.database) func `shares that a client sets in a split by line are kept when the lines change`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let (receipt, lines) = try await receiptByLine(harness, anna, paul)
            let expense = try #require(
                try scene.owner.query("SELECT id FROM expense WHERE receipt_id = \(receipt)").first(ExpenseID.self))
            let sync = SyncScene(harness, anna)
            let key = DocumentKey(.expense, expense.relabelled())
            let shares: [JSONValue] = [
                ["person": .string("person:\(anna.person)"), "weight": 1],
                ["person": .string("person:\(paul.person)"), "weight": 2],
            ]
            try await sync.edit(key) { $0["shares"] = .array(shares) }
            func storedShares() throws -> [PersonID: Int64] {
                let rows = try scene.owner.query("SELECT person_id, weight FROM expense_share")
                    .decode((PersonID, Int64).self)
                return Dictionary(uniqueKeysWithValues: rows.map { ($0.0, $0.1) })
            }
            // A third and two thirds of 12.00.
            #expect(try storedShares() == [anna.person: 400, paul.person: 800])
            #expect(try await sync.body(key)?["split"] == "exact")
            #expect(try scene.owner.query("SELECT 1 FROM expense_line").isEmpty)
            let (wine, bread) = (
                #"{"id": "\#(lines[0])", "total_minor": 300}"#, #"{"id": "\#(lines[1])", "total_minor": 300}"#
            )
            try await harness.change(receipt, #"{"total_minor": 600, "lines": [\#(wine), \#(bread)]}"#, by: anna)
            #expect(try storedShares() == [anna.person: 400, paul.person: 800])
        }
    }

    @Test(.database) func `deleting the discarded expense of a receipt removes its split from the balances`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let owner = try harness.owner()
            _ = try await receiptByLine(harness, anna, paul)
            #expect(try !owner.query("SELECT 1 FROM balance_month").isEmpty)
            try owner.query("UPDATE expense SET discarded_at = now() - interval '40 days'")
            let count = try await ExpenseBulkEdits.deleteDiscarded(anna.household, atMost: 10, harness.database)
            #expect(count == 1)
            #expect(try owner.query("SELECT 1 FROM balance_month").isEmpty)
        }
    }

    @Test(.database) func `a line that moves to another receipt is part of the split of that receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let (receipt, lines) = try await receiptByLine(harness, anna, paul)
            func owedAmount() throws -> Int64? {
                try scene.owner.query(
                    "SELECT sum(amount_minor)::bigint FROM balance_month WHERE person_id = \(paul.person)"
                )
                .first(Int64.self)
            }
            let moved = try await anna.post(
                "/receipts/\(receipt)/splits",
                ["revision": "\(try scene.revision(receipt))", "line": "\(lines[0])"])
            let other = try moved.redirectedReceipt()
            // Only the bread is left.
            #expect(try owedAmount() == -150)
            let participants = try scene.owner.query(
                """
                SELECT e.receipt_id, x.person_id FROM expense_line x JOIN expense e ON e.id = x.expense_id
                """
            ).decode((ReceiptID, PersonID).self)
            #expect(participants.map(\.0) == [other] && participants.map(\.1) == [paul.person])
            try await harness.confirm(other, by: anna)
            #expect(try owedAmount() == -1_050)
        }
    }

    @Test(.database, arguments: ["equal", "shares", "percent", "exact"])
    func `both parts of a separated receipt keep its labels, its category and its split`(method: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("WEIN", 900), ("BROT", 300)])
            try await harness.confirm(receipt, by: anna)
            let values = ["equal": ("", ""), "shares": ("1", "3"), "percent": ("25", "75"), "exact": ("3", "9")]
            let (own, other) = try #require(values[method])
            let split = try await anna.post(
                "/expenses/\(receipt)/split",
                pairs: [
                    ("method", method), ("revision", "0"), ("with-\(anna.person)", "1"), ("paid-by", "\(anna.person)"),
                    ("with-\(paul.person)", "1"), ("value-\(anna.person)", own), ("value-\(paul.person)", other),
                ])
            try #require(split.status == .seeOther, "\(split.text)")
            let category = try scene.owner.category("leisure")
            _ = try await anna.post(
                "/receipts/\(receipt)/expense",
                ["category": "\(category)", "paid-by": "\(anna.person)", "labels": "Wien", "revision": "1"])
            func owedAmount() throws -> Int64? {
                try scene.owner.query(
                    "SELECT sum(amount_minor)::bigint FROM balance_month WHERE person_id = \(paul.person)"
                )
                .first(Int64.self)
            }
            let owedBefore = try owedAmount()
            let moveAnswer = try await anna.post(
                "/receipts/\(receipt)/splits",
                ["revision": "\(try scene.revision(receipt))", "line": "\(try scene.keys(receipt)[0])"])
            let second = try moveAnswer.redirectedReceipt()
            try await harness.confirm(second, by: anna)
            #expect(try owedAmount() == owedBefore)
            let rows = try scene.owner.query("SELECT labels, category_id, split FROM expense").decode(
                ([String], CategoryID?, String).self)
            #expect(rows.map(\.0) == [["Wien"], ["Wien"]] && rows.map(\.1) == [category, category])
            #expect(rows.map(\.2) == [method, method])
            if method == "exact" {
                // The page shows the shares of the 3.00 that are left.
                let page = try await anna.get("/expenses/\(receipt)/split").text
                #expect(page.contains("value=\"0,75\"") && page.contains("value=\"2,25\""))
            }
        }
    }

    @Test(.database) func `a receipt that is read again keeps the shares of a split by line`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let (receipt, _) = try await receiptByLine(harness, anna, paul)
            _ = try await anna.post(
                "/receipts/\(receipt)/rereading", ["revision": "\(try scene.revision(receipt))"])
            let claim = try #require(try await JobQueue(database: harness.database).claim())
            try await ReadingResults(database: harness.database).finish(
                claim, StoredReading(receipt: try ReadingScene.parse(ReadingScene.shopping)), nil)
            try await harness.confirm(receipt, by: anna)
            let weights = try scene.owner.query("SELECT person_id, weight FROM expense_share")
                .decode((PersonID, Int64).self)
            // Paul pays the wine and half of the bread, Anna the other half.
            #expect(
                Dictionary(uniqueKeysWithValues: weights.map { ($0.0, $0.1) })
                    == [anna.person: 300, paul.person: 2_100])
        }
    }

    @Test(.database)
    func `the tip of a bill that is split line by line is divided in proportion to each person's lines`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let eva = try await harness.join(anna, as: .member, name: "Eva Gruber")
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("PIZZA", 1_190), ("STEAK", 2_480), ("WASSER", 599)], stage: "confirmed")
            try scene.owner.query("UPDATE receipt SET total_minor = 4700 WHERE id = \(receipt)")
            try await harness.database.write(anna.household, by: anna.person) { changes in
                try await PriceHistory.update([receipt], changes)
            }
            let id: ExpenseID = receipt.relabelled()
            let lines = try scene.keys(receipt)
            let answer = try await anna.post(
                "/expenses/\(id)/split",
                pairs: [anna, paul, eva].map { ("with-\($0.person)", "1") } + [
                    ("method", "lines"), ("revision", try await revision(anna, id)), ("paid-by", "\(anna.person)"),
                    ("line-\(lines[0])", "\(paul.person)"), ("line-\(lines[1])", "\(eva.person)"),
                ])
            #expect(answer.status == .seeOther, "\(answer.text)")
            func balance(_ person: PersonID) throws -> Int64? {
                try scene.owner.query("SELECT amount_minor FROM balance_month WHERE person_id = \(person)").first(
                    Int64.self)
            }
            // The lines cost 42.69, so the tip is 4.31. Everyone has a third of the water, 1.9967. Paul pays
            // 47.00 × (11.90 + 1.9967) / 42.69, Eva 47.00 × (24.80 + 1.9967) / 42.69, Anna 47.00 × 1.9967 / 42.69.
            #expect(try balance(paul.person) == -1_530 && balance(eva.person) == -2_950)
            #expect(try balance(anna.person) == 4_480)
        }
    }
}
