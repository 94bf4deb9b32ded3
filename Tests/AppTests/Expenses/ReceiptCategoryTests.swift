import Domain
import Foundation
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// The part of a receipt without a category counts in the category of the receipt, on the overview and among the
/// expenses.
@Suite(.timeLimit(.minutes(5))) struct ReceiptCategoryTests {
    /// A confirmed receipt of 21.49: milk with a category, a menu without a category, and 1.00 that no line covers.
    private struct Receipt {
        let scene: ReceiptScene
        let id: ReceiptID
        let anna: Browser

        init(_ harness: AppHarness, _ anna: Browser, day: String = "2026-11-03", currency: Currency = .eur) async throws
        {
            self.anna = anna
            scene = try harness.scene(anna)
            id = try await scene.receiptInChangeLog(
                harness, [("MENÜ", 1_900), ("MILCH", 149)], person: anna.person,
                head: .init(day: day, total: .printed(2_149)))
            let dairy = try scene.owner.category("dairy")
            try scene.owner.query(
                "UPDATE receipt_line SET category_id = \(dairy) WHERE receipt_id = \(id) AND printed_name = 'MILCH'")
            if currency != .eur {
                try await harness.change(id, #"{"currency": "\#(currency.rawValue)"}"#, by: anna)
            }
            try await harness.confirm(id, by: anna)
        }

        /// Sets the category on the page of the receipt's expense.
        func categorise(as category: CategoryID) async throws {
            let revision = try revision()
            let answer = try await anna.post(
                "/receipts/\(id)/expense",
                [
                    "category": "\(category)", "paid-by": "\(anna.person)", "labels": "", "revision": "\(revision)",
                ])
            try #require(answer.status == .seeOther, "\(answer.text)")
        }

        /// States an amount in euros on the receipt's page.
        func state(_ amount: String) async throws {
            let revision = try revision()
            let answer = try await anna.post(
                "/receipts/\(id)/stated-amount", ["revision": "\(revision)", "amount": amount])
            try #require(answer.status == .seeOther, "\(answer.text)")
        }

        /// The revision of the receipt's row in `expense`; 0 if it has none.
        private func revision() throws -> Int64 {
            try scene.count("SELECT coalesce(max(revision), 0)::bigint FROM expense WHERE receipt_id = \(id)")
        }

        /// The sums by category, computed from each table. The set has one element if all tables agree.
        func sums() throws -> Set<Set<String>> {
            let tables: [SQL] = ["spending_day", "spending_month", "expense_day", "expense_month"]
            return Set(
                try tables.map { table in
                    let rows = try scene.owner.query(
                        """
                        SELECT coalesce(c.key, '-') || ' ' || sum(m.amount_minor) FROM \(table) m
                        LEFT JOIN category c ON c.household_id = m.household_id AND c.id = m.category_id
                        GROUP BY c.key HAVING sum(m.amount_minor) <> 0
                        """)
                    return Set(try rows.decode(String.self))
                })
        }
    }

    @Test(.database) func `each way to change the category of a receipt changes all sums`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Receipt(harness, anna)
            let owner = receipt.scene.owner
            let (leisure, gifts) = (try owner.category("leisure"), try owner.category("gifts"))
            #expect(try receipt.sums() == [["- 2000", "dairy 149"]])
            try await receipt.categorise(as: leisure)
            #expect(try receipt.sums() == [["leisure 2000", "dairy 149"]])
            let bulk = try await anna.post(
                "/expenses/changes", ["receipt": "\(receipt.id)", "action": "category", "category": "\(gifts)"])
            try #require(bulk.status == .seeOther, "\(bulk.text)")
            #expect(try receipt.sums() == [["gifts 2000", "dairy 149"]])
            let page = try await anna.get("/expenses/list").text
            let undo = try #require(
                page.firstMatch(of: #/action="(\/expenses\/[0-9a-f-]{36}\/changes\/removal\?revision=\d+)"/#))
            _ = try await anna.post(String(undo.output.1))
            #expect(try receipt.sums() == [["leisure 2000", "dairy 149"]])
            let patch = try await harness.caller(anna).send(
                .patch, "/api/v1/expenses/\(receipt.id)", type: "application/json",
                Array(#"{"category_id": "\#(gifts)"}"#.utf8), fields: ["If-Match": "*"])
            try #require(patch.status == .ok, "\(patch.text)")
            #expect(try receipt.sums() == [["gifts 2000", "dairy 149"]])
            let expense = try #require(
                try owner.query("SELECT id FROM expense WHERE receipt_id = \(receipt.id)").first(ExpenseID.self))
            let sync = SyncScene(harness, anna)
            let key = DocumentKey(.expense, expense.relabelled())
            try await sync.edit(key) {
                $0["category"] = .string(DocumentKey(.category, leisure.relabelled()).description)
            }
            #expect(try receipt.sums() == [["leisure 2000", "dairy 149"]])
            try await sync.replicate(key, "9-end", after: [try #require(try await sync.winner(key))], deleted: true)
            #expect(try receipt.sums() == [["- 2000", "dairy 149"]])
        }
    }

    @Test(.database) func `a rule, its undo and a merge of categories change all sums`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Receipt(harness, anna)
            let owner = receipt.scene.owner
            let (leisure, gifts) = (try owner.category("leisure"), try owner.category("gifts"))
            _ = try await anna.post("/rules", ["contains": "hofer", "category": "\(leisure)", "action": "apply"])
            #expect(try receipt.sums() == [["leisure 2000", "dairy 149"]])
            let run = try #require(try owner.query("SELECT id FROM expense_rule_run").first(RuleRunID.self))
            #expect(try await anna.post("/rules/runs/\(run)/removal").location == "/rules")
            #expect(try receipt.sums() == [["- 2000", "dairy 149"]])
            try await receipt.categorise(as: leisure)
            let merge = try await anna.post(
                "/settings/categories/\(leisure)/removal", ["revision": "1", "other-category": "\(gifts)"])
            #expect(merge.location == "/settings/stores-and-categories")
            #expect(try receipt.sums() == [["gifts 2000", "dairy 149"]])
        }
    }

    @Test(.database) func `a hidden gift counts in its category on the pages of its owner`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            let gift = try await Receipt(harness, anna, day: WallClock.today().iso)
            try await harness.hide(gift.id, by: anna)
            let (leisure, travel) = (
                try gift.scene.owner.category("leisure"), try gift.scene.owner.category("travel")
            )
            try await gift.categorise(as: leisure)
            #expect(try gift.sums() == [[]])
            // Without other expenses, the page of expenses has no table of categories.
            _ = try await anna.expense("7", "Fahrkarte", [("category", "\(travel)")])
            for path in ["/", "/expenses"] {
                for (browser, isShown) in [(anna, true), (ben, false)] {
                    let page = try await browser.get(path).text
                    #expect(page.contains("category=\(leisure)") == isShown, "\(path)")
                    #expect(page.contains("20,00 €") == isShown, "\(path)")
                }
            }
        }
    }

    @Test(.database) func `the migration moves amounts without a category to the category of their receipt`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let (leisure, gifts) = (try owner.category("leisure"), try owner.category("gifts"))
            _ = try await anna.post("/expenses/rates", ["currency": "PLN", "day": "2026-10-02", "rate": "4.27"])
            let receipt = try await Receipt(harness, anna)
            try await receipt.categorise(as: leisure)
            let foreign = try await Receipt(harness, anna, day: "2026-10-03", currency: .pln)
            try await foreign.categorise(as: gifts)
            let stated = try await Receipt(harness, anna, day: "2026-09-03", currency: .pln)
            try await stated.categorise(as: gifts)
            try await stated.state("5,03")
            // Add another day of the month, and a month without a receipt that has a category.
            let preview = try await anna.importFile(
                "Name;Price;Category;Shop;Datum\nReis;2,00;Alpha;SPAR;2026-11-04\n")
            _ = try await anna.post("\(try #require(preview.location))/confirmation")
            _ = try await Receipt(harness, anna, day: "2026-08-03")
            let expectedRows = try Self.rows(owner)
            // Stores the sums of earlier versions.
            for table in ["spending_day", "spending_month"] as [SQL] {
                try owner.query(
                    """
                    UPDATE \(table) SET category_id = \(ExpenseSums.none) WHERE category_id IN (\(leisure), \(gifts))
                    """)
            }
            #expect(try Self.rows(owner) != expectedRows)
            let path = TestSources.root + "/Migrations/0075_categories_of_receipts.sql"
            // The second run changes nothing.
            for _ in 0..<2 {
                try owner.run(script: try String(contentsOfFile: path, encoding: .utf8))
                #expect(try Self.rows(owner) == expectedRows)
            }
        }
    }

    private static func rows(_ owner: SynchronousConnection) throws -> [String?] {
        try (["spending_day", "spending_month"] as [SQL]).map { table in
            try owner.query("SELECT jsonb_agg(to_jsonb(t) ORDER BY t)::text FROM \(table) t").first(String?.self) ?? nil
        }
    }
}
