import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Expenses and receipts that are split between members, and payments that settle them.
@Suite(.timeLimit(.minutes(5))) struct SplitTests {
    private func revision(_ browser: Browser, _ id: ExpenseID) async throws -> String {
        try #require(try await browser.get("/expenses/\(id)/split").attribute("value", after: "name=\"revision\""))
    }

    @Test(.database) func `an expense is split between three members and settled with the fewest payments`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let eva = try await harness.join(anna, as: .member, name: "Eva Gruber")
            let id = try await anna.expense("100", "Pizzeria")
            let everybody = [anna, paul, eva].map { ("with-\($0.person)", "1") }
            let split = try await anna.post(
                "/expenses/\(id)/split",
                pairs: everybody + [("method", "equal"), ("revision", "1"), ("paid-by", "\(anna.person)")])
            #expect(split.location == "/balances")
            let page = try await paul.get("/balances")
            // 100.00 is 33.34 + 33.33 + 33.33. The person with the lowest identifier pays the largest part.
            #expect(page.text.contains("66,6"))
            #expect(page.text.ranges(of: "→ Anna Berger").count >= 2)
            let due = try harness.owner().query(
                "SELECT person_id, amount_minor FROM balance_month WHERE amount_minor < 0"
            ).decode((PersonID, Int64).self)
            #expect(due.count == 2 && due.map(\.1).reduce(0, +) <= -6_666)
            for (person, amount) in due {
                let paid = try await paul.post(
                    "/settlements",
                    [
                        "from-person": "\(person)", "to-person": "\(anna.person)",
                        "amount": "\(Amount(minorUnits: -amount).field(.german))", "currency": "EUR",
                    ])
                #expect(paid.status == .seeOther)
            }
            #expect(try await eva.get("/balances").text.contains("Alles ausgeglichen"))
            // Deleting a payment restores the debt; undoing the deletion settles it again.
            let settlement = try #require(
                try harness.owner().query("SELECT id FROM settlement LIMIT 1").first(SettlementID.self))
            _ = try await anna.post("/settlements/\(settlement)/removal")
            #expect(try await !eva.get("/balances").text.contains("Alles ausgeglichen"))
            _ = try await anna.post("/settlements/\(settlement)/restoration")
            #expect(try await eva.get("/balances").text.contains("Alles ausgeglichen"))
            let logged = try harness.owner().query(
                "SELECT count(*) FROM change_log WHERE document_type = 'settlement'"
            ).first(Int64.self)
            #expect(logged == 4)
        }
    }

    @Test(
        .database,
        arguments: [
            ("percent", ["60", "40"], true), ("percent", ["60", "30"], false), ("exact", ["7,50", "2,50"], true),
            ("exact", ["7,50", "2,51"], false), ("shares", ["2", "1"], true), ("shares", ["x", "1"], false),
            ("shares", ["0", "0"], false),
        ])
    func `the values of a split have to add up to the amount`(method: String, values: [String], isRight: Bool)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let id = try await anna.expense("10", "Pizza")
            let people = zip([anna, paul], values).flatMap { [("with-\($0.person)", "1"), ("value-\($0.person)", $1)] }
            let answer = try await anna.post(
                "/expenses/\(id)/split", pairs: people + [("method", method), ("revision", "1")])
            #expect(answer.status == (isRight ? .seeOther : .unprocessableContent))
            #expect(try harness.owner().query("SELECT 1 FROM expense_share").isEmpty != isRight)
        }
    }

    @Test(.database, arguments: ["none", "save"])
    func `a split that was changed in the meantime is neither replaced nor removed`(action: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let id = try await anna.expense("10", "Pizza")
            let both = [anna, paul].map { ("with-\($0.person)", "1") }
            let first = try await anna.post(
                "/expenses/\(id)/split", pairs: both + [("method", "equal"), ("revision", "1")])
            #expect(first.status == .seeOther)
            let second = try await paul.post(
                "/expenses/\(id)/split",
                pairs: [("action", action), ("with-\(paul.person)", "1"), ("method", "equal"), ("revision", "1")])
            #expect(second.status == .conflict && second.text.contains("Pizza"))
            #expect(try harness.owner().query("SELECT count(*) FROM expense_share").first(Int64.self) == 2)
        }
    }

    @Test(
        .database, arguments: [("de", "90,5", "zusammen 90,5"), ("en", "90.5", "add up to 90.5")])
    func `the sum of wrong percentages is shown in the member's language`(
        language: String, typed: String, shown: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp(language: language)
            let id = try await anna.expense("10", "Pizza")
            let answer = try await anna.post(
                "/expenses/\(id)/split",
                ["with-\(anna.person)": "1", "value-\(anna.person)": typed, "method": "percent", "revision": "1"])
            #expect(answer.status == .unprocessableContent && answer.text.contains(shown))
        }
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
            // One for the wine. The payer is Anna.
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
            let receipt = try scene.receipt([("WEIN", 900), ("BROT", 300)])
            try await harness.confirm(receipt, by: anna)
            let id: ExpenseID = receipt.relabelled()
            let lines = try scene.keys(receipt)
            let split = try await anna.post(
                "/expenses/\(id)/split",
                pairs: [
                    ("method", "lines"), ("revision", "0"), ("with-\(anna.person)", "1"), ("paid-by", "\(anna.person)"),
                    ("with-\(paul.person)", "1"), ("line-\(lines[0])", "\(paul.person)"),
                ])
            #expect(split.status == .seeOther)
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

    /// A receipt with wine for 9.00, which Paul takes, and bread for 3.00, which both share.
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
            func stored() throws -> [PersonID: Int64] {
                let rows = try scene.owner.query("SELECT person_id, weight FROM expense_share")
                    .decode((PersonID, Int64).self)
                return Dictionary(uniqueKeysWithValues: rows.map { ($0.0, $0.1) })
            }
            // A third and two thirds of 12.00.
            #expect(try stored() == [anna.person: 400, paul.person: 800])
            #expect(try await sync.body(key)?["split"] == "exact")
            #expect(try scene.owner.query("SELECT 1 FROM expense_line").isEmpty)
            let (wine, bread) = (
                #"{"id": "\#(lines[0])", "total_minor": 300}"#, #"{"id": "\#(lines[1])", "total_minor": 300}"#
            )
            try await harness.change(receipt, #"{"total_minor": 600, "lines": [\#(wine), \#(bread)]}"#, by: anna)
            #expect(try stored() == [anna.person: 400, paul.person: 800])
        }
    }

    @Test(.database) func `removing the deleted row of a receipt removes its split from the balances`() async throws {
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

    @Test(.database) func `a line that moves to another receipt is no longer part of the split`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let (receipt, lines) = try await receiptByLine(harness, anna, paul)
            let moved = try await anna.post(
                "/receipts/\(receipt)/splits",
                ["revision": "\(try scene.revision(receipt))", "line": "\(lines[0])"])
            #expect(moved.status == .seeOther)
            #expect(try scene.owner.query("SELECT 1 FROM expense_line").isEmpty)
            // Only the bread is left.
            #expect(
                try scene.owner.query("SELECT amount_minor FROM balance_month WHERE person_id = \(paul.person)")
                    .first(Int64.self) == -150)
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
                claim, StoredReading(receipt: try ReadingScene.parsed(ReadingScene.shopping)), nil)
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
                try await Booking.rebook([receipt], changes)
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

    @Test(.database) func `a proposed payment is recorded once if two members record it`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let id = try await anna.expense("10", "Pizza")
            let both = [anna, paul].map { ("with-\($0.person)", "1") }
            _ = try await anna.post(
                "/expenses/\(id)/split",
                pairs: both + [("method", "equal"), ("revision", "1"), ("paid-by", "\(anna.person)")])
            let page = try await anna.get("/balances").text
            #expect(page.contains("name=\"proposed\"") && page.contains("name=\"amount\" value=\"5,00\""))
            for member in [anna, paul] {
                let paid = try await member.post(
                    "/settlements",
                    [
                        "from-person": "\(paul.person)", "to-person": "\(anna.person)", "amount": "5,00",
                        "currency": "EUR", "proposed": "1",
                    ])
                #expect(paid.location == "/balances")
            }
            #expect(try await paul.get("/balances").text.contains("Nicht eingetragen"))
            #expect(try harness.owner().query("SELECT count(*) FROM settlement").first(Int64.self) == 1)
            #expect(try await anna.get("/balances").text.contains("Alles ausgeglichen"))
        }
    }

    @Test(.database) func `a split counts in the month to which its receipt was moved in the meantime`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("WEIN", 900)])
            try await harness.change(receipt, #"{"purchase_day": "2026-03-05"}"#, by: anna)
            try await harness.confirm(receipt, by: anna)
            let member = Member(
                household: anna.household, person: anna.person, name: "", role: .owner, language: .german,
                country: .austria, zone: nil, session: .new(), csrfSecret: [])
            let shown = try await SplitExpense.find(receipt.relabelled(), member, harness.database)
            try await harness.change(receipt, #"{"purchase_day": "2026-04-05"}"#, by: anna)
            let edits = SplitEdits(database: harness.database)
            try await edits.split(
                shown.entry, .equal, [anna.person: 1, paul.person: 1], paidBy: anna.person,
                revision: shown.entry.revision, by: member)
            let owed = try scene.owner.query(
                "SELECT month::text, amount_minor FROM balance_month WHERE person_id = \(paul.person)"
            ).decode((String, Int64).self)
            #expect(owed.map(\.0) == ["2026-04-01"] && owed.map(\.1) == [-450])
            try await harness.discard(receipt, by: anna)
            await #expect(throws: Refusal.self) {
                try await edits.split(shown.entry, nil, [:], paidBy: nil, revision: 1, by: member)
            }
        }
    }

    @Test(.database) func `only members of the household can take part in a split`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let stranger = try await harness.signUp("Eva Fremd", household: "Anderswo")
            let id = try await anna.expense("10", "Pizza")
            let answer = try await anna.post(
                "/expenses/\(id)/split",
                pairs: [("with-\(stranger.person)", "1"), ("method", "equal"), ("revision", "1")])
            #expect(answer.status == .unprocessableContent)
            let settled = try await anna.post(
                "/settlements",
                ["from-person": "\(stranger.person)", "to-person": "\(anna.person)", "amount": "1", "currency": "EUR"])
            #expect(settled.status == .badRequest)
        }
    }
}
