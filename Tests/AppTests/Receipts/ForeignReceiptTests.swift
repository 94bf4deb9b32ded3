import Domain
import Foundation
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// A receipt in another currency than the household's counts in the sums at the rate of its day, or with the amount
/// that a person states.
@Suite(.timeLimit(.minutes(5))) struct ForeignReceiptTests {
    private static let day = "2026-11-03"

    /// Confirms a receipt of 19.00 in złoty, of which one line is 10.00.
    ///
    /// - Parameter paper: the payment data that was read, as JSON.
    private static func receipt(
        _ harness: AppHarness, _ anna: Browser, paper: String? = nil
    ) async throws -> ReceiptID {
        let receipt = try await harness.scene(anna).receiptInChangeLog(
            harness, [("PIEROGI", 1_000), ("CHLEB", 900)],
            head: .init(day: day, total: .printed(1_900), paper: paper))
        try await harness.change(receipt, #"{"currency": "PLN"}"#, by: anna)
        try await harness.confirm(receipt, by: anna)
        return receipt
    }

    private static func sum(_ table: SQL, _ harness: AppHarness) throws -> Int64? {
        try harness.owner().query("SELECT coalesce(sum(amount_minor), 0)::bigint FROM \(table)").first(Int64.self)
    }

    private static func sums(_ harness: AppHarness) throws -> Set<Int64?> {
        try Set(["spending_day", "spending_month", "expense_day", "expense_month"].map { try sum($0, harness) })
    }

    @Test(.database) func `a receipt counts once its rate is known, and not after the rate is removed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Self.receipt(harness, anna)
            #expect(try Self.sums(harness) == [0])
            #expect(try await anna.get("/expenses/rates").text.contains("PLN vom 03.11.2026"))
            #expect(try await anna.get("/receipts/\(receipt)").text.contains("kein Wechselkurs bekannt"))
            _ = try await anna.post("/expenses/rates", ["currency": "PLN", "day": "2026-11-02", "rate": "4"])
            #expect(try Self.sums(harness) == [475])
            #expect(try await anna.get("/receipts/\(receipt)").text.contains("Zählt mit 4,75"))
            let list = try await harness.caller(anna).get("/api/v1/expenses").json["expenses"]?.array?.first
            #expect(list?["home_minor"]?.integer == 475 && list?["amount_minor"]?.integer == 1_900)
            _ = try await anna.post("/expenses/rates", ["currency": "PLN", "day": "2026-11-03", "rate": "5"])
            #expect(try Self.sums(harness) == [380])
            for day in ["2026-11-02", "2026-11-03"] {
                _ = try await anna.post("/expenses/rates/removal", ["currency": "PLN", "day": day])
            }
            #expect(try Self.sums(harness) == [0])
        }
    }

    @Test(.database) func `a stated amount takes precedence over the rate`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Self.receipt(harness, anna)
            _ = try await anna.post("/expenses/rates", ["currency": "PLN", "day": "2026-11-02", "rate": "4"])
            let path = "/receipts/\(receipt)/stated-amount"
            #expect(try await anna.post(path, ["revision": "0", "amount": "4,80"]).status == .seeOther)
            #expect(try Self.sums(harness) == [480])
            #expect(try await anna.get("/expenses/list?search=4.80").text.contains("/receipts/\(receipt)"))
            #expect(try await anna.post(path, ["revision": "0", "amount": "9"]).status == .conflict)
            #expect(try await anna.post(path, ["revision": "1", "amount": "viel"]).status == .unprocessableContent)
            // 0 is not a valid amount, as in the API.
            #expect(try await anna.post(path, ["revision": "1", "amount": "0"]).status == .unprocessableContent)
            #expect(try await anna.post(path, ["revision": "1", "amount": ""]).status == .seeOther)
            #expect(try Self.sums(harness) == [475])
        }
    }

    @Test(.database, arguments: [(1_900, true), (1_800, false)])
    func `the page proposes the amount of a card slip if it was read for the total of the receipt`(
        total: Int, isProposed: Bool
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paper = #"{"stated": {"currency": "EUR", "total": \#(total), "amount": 480}}"#
            let receipt = try await Self.receipt(harness, anna, paper: paper)
            let page = try await anna.get("/receipts/\(receipt)")
            #expect(page.text.contains("Vom Foto gelesen") == isProposed)
            #expect(page.text.contains("name=\"amount\" value=\"4,80\"") == isProposed)
            // The amount counts only when it is saved.
            #expect(try Self.sums(harness) == [0])
        }
    }

    @Test(.database) func `a linked booking states the amount of a receipt until the import is undone`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Self.receipt(harness, anna)
            let table = """
                Booking Date,Partner Name,Amount (EUR),Original Amount,Original Currency
                2026-11-04,Hofer,-4.62,19.00,PLN
                """
            let upload = try await anna.upload(
                "/bank-files", field: "file", fileName: "konto.csv", type: "text/csv", Array(table.utf8))
            let preview = try #require(upload.location)
            let done = try await anna.post(
                "\(preview)/confirmation", ["row-0": "join", "match-0": "\(receipt)"])
            #expect(done.location == "/bank-files")
            #expect(try Self.sums(harness) == [462])
            #expect(try await anna.get("/receipts/\(receipt)").text.contains("Zählt mit 4,62"))
            _ = try await anna.post("\(preview)/removal")
            #expect(try Self.sums(harness) == [0])
        }
    }

    @Test(.database) func `separating a receipt divides its stated amount`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await Self.receipt(harness, anna)
            _ = try await anna.post("/receipts/\(receipt)/stated-amount", ["revision": "0", "amount": "4,80"])
            let line = try scene.keys(receipt)[0]
            let answer = try await anna.post(
                "/receipts/\(receipt)/splits",
                ["revision": "\(try scene.revision(receipt))", "line": "\(line)"])
            #expect(answer.status == .seeOther)
            // 9.00 of 19.00 are left.
            #expect(try Self.sums(harness) == [227])
            let other = try #require(
                try scene.owner.query("SELECT receipt_id FROM receipt_line WHERE id = \(line)").first(ReceiptID.self))
            try await harness.confirm(other, by: anna)
            #expect(try Self.sums(harness) == [480])
        }
    }

    @Test(.database, arguments: [false, true])
    func `both parts of a separated receipt have its payer`(hasStatedAmount: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let receipt = try await Self.receipt(harness, anna)
            _ = try await anna.post(
                "/expenses/\(receipt)/split",
                ["method": "equal", "with-\(anna.person)": "1", "paid-by": "\(paul.person)", "revision": "0"])
            if hasStatedAmount {
                _ = try await anna.post(
                    "/receipts/\(receipt)/stated-amount", ["revision": "1", "amount": "4,80"])
            }
            let line = try scene.keys(receipt)[0]
            let answer = try await anna.post(
                "/receipts/\(receipt)/splits", ["revision": "\(try scene.revision(receipt))", "line": "\(line)"])
            #expect(answer.status == .seeOther)
            let rows = try scene.owner.query("SELECT paid_by, stated_minor FROM expense ORDER BY stated_minor")
                .decode((PersonID, Int64?).self)
            #expect(rows.map(\.0) == [paul.person, paul.person])
            #expect(rows.map(\.1) == (hasStatedAmount ? [227, 253] : [nil, nil]))
        }
    }

    @Test(.database)
    func `joining the parts of a separated receipt adds their stated amounts until the join is undone`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let first = try await Self.receipt(harness, anna)
            _ = try await anna.post("/receipts/\(first)/stated-amount", ["revision": "0", "amount": "4,80"])
            let line = try scene.keys(first)[0]
            _ = try await anna.post(
                "/receipts/\(first)/splits", ["revision": "\(try scene.revision(first))", "line": "\(line)"])
            let second = try #require(
                try scene.owner.query("SELECT receipt_id FROM receipt_line WHERE id = \(line)").first(ReceiptID.self))
            func stated() throws -> [ReceiptID: Int64] {
                let rows = try scene.owner.query("SELECT receipt_id, stated_minor FROM expense")
                    .decode((ReceiptID, Int64).self)
                return Dictionary(rows.map { ($0.0, $0.1) }) { first, _ in first }
            }
            // 9.00 and 10.00 of 19.00.
            let parts: [ReceiptID: Int64] = [first: 227, second: 253]
            #expect(try stated() == parts)
            let rereading = try await anna.post(
                "/receipts/\(first)/rereading", ["revision": "\(try scene.revision(first))"])
            #expect(rereading.status == .seeOther)
            try await JoinedCorrectionsTests.read(harness)
            for _ in 0..<2 {
                let joinAnswer = try await anna.post(
                    "/receipts/joins", JoinedCorrectionsTests.agreeingFields([first, second]))
                #expect(joinAnswer.location == "/receipts/\(first)")
                #expect(try stated() == [first: 480])
                #expect(try await anna.post("/receipts/\(first)/join/removal").location == "/receipts")
                #expect(try stated() == parts)
            }
        }
    }

    @Test(.database) func `viewers see no form, and a discarded receipt does not report a missing rate`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Self.receipt(harness, anna)
            let viewer = try await harness.join(anna, as: .viewer)
            #expect(try await anna.get("/receipts/\(receipt)").text.contains("stated-amount"))
            let page = try await viewer.get("/receipts/\(receipt)").text
            #expect(page.contains("kein Wechselkurs bekannt") && !page.contains("stated-amount"))
            try harness.owner().query("UPDATE receipt SET discarded_at = now() WHERE id = \(receipt)")
            #expect(try await !anna.get("/receipts/\(receipt)").text.contains("kein Wechselkurs bekannt"))
        }
    }

    @Test(.database) func `the API and sync clients state the amount of a receipt in the household's currency`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Self.receipt(harness, anna)
            let caller = try await harness.caller(anna)
            func patch(_ body: String) async throws -> Answer {
                try await caller.change(.patch, "/api/v1/expenses/\(receipt)", body, "*")
            }
            #expect(try await patch(#"{"stated_minor": 500}"#).json["home_minor"]?.integer == 500)
            #expect(try Self.sums(harness) == [500])
            #expect(try await patch(#"{"what": "Urlaub"}"#).status == .unprocessableContent)
            let expense = try #require(
                try harness.owner().query("SELECT id FROM expense WHERE receipt_id = \(receipt)").first(ExpenseID.self))
            let sync = SyncScene(harness, anna)
            let key = DocumentKey(.expense, expense.relabelled())
            #expect(try await sync.body(key)?["stated_minor"]?.integer == 500)
            try await sync.edit(key) { $0["stated_minor"] = 520 }
            #expect(try Self.sums(harness) == [520])
            // A client can still edit the document after the household has changed its currency.
            try harness.owner().query("UPDATE household SET currency = 'CHF'")
            try await sync.edit(key) { $0["note"] = "Urlaub" }
            try harness.owner().query("UPDATE household SET currency = 'EUR'")
            let storedExpense = try harness.owner().query(
                "SELECT stated_minor, stated_currency, note FROM expense WHERE id = \(expense)"
            ).first((Int64, String, String).self)
            #expect(storedExpense?.0 == 520 && storedExpense?.1 == "EUR" && storedExpense?.2 == "Urlaub")
            try await sync.delete(key)
            #expect(try Self.sums(harness) == [0])
        }
    }

    @Test(.database) func `the amounts of the lines add up to the amount of the receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Self.receipt(harness, anna)
            let category = try harness.owner().category("household")
            try harness.owner().query(
                "UPDATE receipt_line SET category_id = \(category) WHERE printed_name = 'CHLEB'")
            _ = try await anna.post("/receipts/\(receipt)/stated-amount", ["revision": "0", "amount": "0,03"])
            // The line is 10.00 of 19.00 złoty. Its part of 3 cents is 1.58, rounded to 2. The rest is 1 cent.
            #expect(
                try harness.owner().query("SELECT amount_minor FROM expense_day ORDER BY 1").decode(Int64.self) == [
                    1, 2,
                ])
        }
    }

    @Test(.database) func `the migration adds receipts in other currencies with a known rate to the sums`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await Self.receipt(harness, anna)
            _ = try await anna.post("/expenses/rates", ["currency": "PLN", "day": "2026-11-02", "rate": "4.27"])
            let tables: [SQL] = ["spending_day", "spending_month", "expense_day", "expense_month"]
            func rows() throws -> [String?] {
                try tables.map { table in
                    try harness.owner().query("SELECT jsonb_agg(to_jsonb(t) ORDER BY t)::text FROM \(table) t")
                        .first(String?.self) ?? nil
                }
            }
            let expectedRows = try rows()
            let owner = try harness.owner()
            for table in tables { try owner.query("DELETE FROM \(table)") }
            let path = TestSources.root + "/Migrations/0056_foreign_receipts.sql"
            try owner.run(script: try String(contentsOfFile: path, encoding: .utf8))
            #expect(try rows() == expectedRows)
        }
    }
}
