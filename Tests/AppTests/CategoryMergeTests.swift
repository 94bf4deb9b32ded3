import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Categories that are merged into others.
@Suite(.timeLimit(.minutes(5))) struct CategoryMergeTests {
    /// Adds a category.
    private func category(
        _ name: String, below parent: CategoryID? = nil, _ browser: Browser, _ harness: AppHarness
    ) async throws -> CategoryID {
        let key = SyncScene.key(.category)
        try await SyncScene(harness, browser).edit(key) { body in
            body = ["type": "category", "name": .string(name)]
            if let parent { body["parent"] = .string("category:\(parent)") }
        }
        return key.id.relabelled()
    }

    /// The spending of each category, by name.
    private func spending(_ owner: SynchronousConnection) throws -> [String] {
        try owner.query(
            """
            SELECT c.name || ' ' || sum(m.amount_minor) FROM spending_month m JOIN category c ON c.id = m.category_id
            GROUP BY c.name ORDER BY 1
            """
        ).decode(String.self)
    }

    @Test(.database) func `merging a category logs the changed rules, recurring expenses and subcategories`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let wrongCategory = try await category("Kramm", anna, harness)
            let right = try await category("Kram", anna, harness)
            let below = try await category("Kerzen", below: wrongCategory, anna, harness)
            let rule = try await anna.post(
                "/rules", ["contains": "kerze", "category": "\(wrongCategory)", "action": "save"])
            #expect(rule.location == "/rules")
            let recurring = try await anna.post(
                "/recurring",
                ["name": "Kerzenabo", "amount": "5", "day": "2026-11-01", "category": "\(wrongCategory)"])
            #expect(recurring.location == "/recurring")
            let merged = try await anna.post(
                "/settings/categories/\(wrongCategory)/removal", ["revision": "1", "other-category": "\(right)"])
            #expect(merged.location == "/settings/stores-and-categories")
            let loggedTypes = try owner.query(
                """
                SELECT document_type FROM change_log WHERE revision = 2 AND (document_id = \(below)
                    AND body ->> 'parent_id' = \(right)::text OR body ->> 'category_id' = \(right)::text)
                ORDER BY document_type
                """
            ).decode(String.self)
            #expect(loggedTypes == ["category", "expense_rule", "recurring_expense"])
        }
    }

    @Test(.database) func `merging a category moves its products, lines, sums and subcategories`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            // The category that remains is a subcategory of the category that is merged into it.
            let wrongCategory = try await category("Kramm", anna, harness)
            let right = try await category("Kram", below: wrongCategory, anna, harness)
            let preview = try await anna.importFile(
                """
                Name;Price;Category;Shop;Datum
                Milch;1,00;Milchiges;SPAR;2026-10-01
                Kerzen;3,00;Kram;SPAR;2026-09-01
                Kerzen;2,00;Kramm;SPAR;2026-10-01

                """)
            _ = try await anna.post("\(try #require(preview.location))/confirmation")
            let used = try await anna.post("/settings/categories/\(wrongCategory)/removal", ["revision": "1"])
            #expect(used.status == .unprocessableContent)
            let mergeAnswer = try await anna.post(
                "/settings/categories/\(wrongCategory)/removal", ["revision": "1", "other-category": "\(right)"])
            #expect(mergeAnswer.location == "/settings/stores-and-categories")
            #expect(try spending(owner) == ["Kram 500", "Milchiges 100"])
            #expect(
                try owner.query("SELECT parent_id FROM category WHERE id = \(right)").first(CategoryID?.self)
                    == .some(nil))
            #expect(try StoresAndCategoriesTests.tombstones(owner) == ["category"])
            // An unused built-in category is deleted without a merge.
            let unusedCategory = try owner.category("baby")
            #expect(
                try await anna.post("/settings/categories/\(unusedCategory)/removal", ["revision": "1"]).location
                    == "/settings/stores-and-categories")
            let storedSpending = try spending(owner)
            try await harness.database.write(anna.household, by: nil) { changes in
                let receipts = try await changes.query("SELECT id FROM receipt").decode(ReceiptID.self)
                try await PriceHistory.update(receipts, changes)
            }
            #expect(try spending(owner) == storedSpending)
        }
    }

    @Test(.database)
    func `the deposit category cannot be merged into a built-in category, and no merge creates a third level`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            func merge(_ id: CategoryID, into other: CategoryID) async throws -> Answer {
                let revision = try owner.query("SELECT revision FROM category WHERE id = \(id)").first(Int64.self) ?? 0
                return try await anna.post(
                    "/settings/categories/\(id)/removal",
                    ["revision": "\(revision)", "other-category": "\(other)"])
            }
            let (deposit, baby) = (try owner.category("deposit"), try owner.category("baby"))
            let refusal = try await merge(deposit, into: baby)
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("Pfand braucht diese Kategorie"))
            #expect(refusal.text.contains("value=\"\(baby)\" selected"))
            #expect(try owner.category("deposit") == deposit)
            // `B` is below `A`, and `D` is below `C`. Merging `A` into `D` moves `B` below `C`, because categories have
            // two levels.
            let (merged, other) = (try await category("A", anna, harness), try await category("C", anna, harness))
            let movedCategory = try await category("B", below: merged, anna, harness)
            let subcategory = try await category("D", below: other, anna, harness)
            #expect(try await merge(merged, into: subcategory).location == "/settings/stores-and-categories")
            let parent = try owner.query("SELECT parent_id FROM category WHERE id = \(movedCategory)").first(
                CategoryID?.self)
            #expect(parent == .some(other))
            // The deposits can be moved to a category that the household created.
            #expect(try await merge(deposit, into: other).location == "/settings/stores-and-categories")
            #expect(try owner.category("deposit") == other)
        }
    }
}
