import Domain
import Foundation
import Postgres
import TestSupport
import Testing

@testable import App

/// Printed names that differ only in a plus sign at the end of a word.
@Suite(.timeLimit(.minutes(5))) struct PlusSignTests {
    @Test(.database) func `a name with a plus sign is another product than the name without it`() async throws {
        try await AppHarness.run { harness in
            let shop = try PackageShop(harness, try await harness.signUp())
            let plain = try await shop.buy("VITAMIN C", on: "2026-03-02")
            try await shop.match(plain, to: "new", name: "Vitamin C")
            let plus = try await shop.buy("VITAMIN C+", on: "2026-05-04")
            let products = try shop.scene.owner.query("SELECT product_id FROM receipt_line WHERE id = \(plus)")
            #expect(try products.first(ProductID?.self) == .some(nil))
            try await shop.match(plus, to: "new", name: "Vitamin C plus")
            #expect(try shop.product(of: plus) != shop.product(of: plain))
        }
    }

    private func migrate(_ shop: PackageShop) throws {
        let path = TestSources.root + "/Migrations/0074_plus_signs_returns_and_deletions.sql"
        try shop.scene.owner.run(script: try String(contentsOfFile: path, encoding: .utf8))
    }

    /// Stores the keys that earlier versions computed, without plus signs and without a space between number and unit.
    private func removeSigns(_ tables: [String], _ shop: PackageShop) throws {
        for table in tables {
            try shop.scene.owner.query(
                SQL(
                    uncheckedText: """
                        UPDATE \(table) SET alias_key
                            = replace(replace(replace(alias_key, '+', ''), '50 st', '50st'), '500 g', '500g')
                        """))
        }
    }

    @Test(.database) func `stored keys get the plus signs of their printed names`() async throws {
        try await AppHarness.run { harness in
            let shop = try PackageShop(harness, try await harness.signUp())
            let names = [
                "VITAMIN C+", "MÜSLI 50+ 0,5KG", "CAFÉ++ MILD", "DUO 1+1 BALL", "SAFT + KEKS", "VITAMIN C C+",
                "КЕФИР+", "KAPSELN 50+ ST", "SALZ 500 G+",
            ]
            var lines: [ReceiptLineID] = []
            for (index, name) in names.enumerated() {
                lines.append(try await shop.buy(name, on: "2026-03-0\(index + 1)"))
                try await shop.match(lines[index], to: "new", name: "Produkt \(index)")
            }
            let owner = shop.scene.owner
            func keys() throws -> [String] {
                try ["receipt_line", "product_alias"].flatMap { table in
                    try owner.query(
                        SQL(uncheckedText: "SELECT alias_key FROM \(table) ORDER BY printed_name COLLATE \"C\"")
                    ).decode(String.self)
                }
            }
            let expectedKeys = try keys()
            #expect(expectedKeys.contains("vitamin c+") && expectedKeys.contains("muesli 50+ 0.5kg"))
            try removeSigns(["receipt_line", "product_alias"], shop)
            // The second run changes nothing.
            for _ in 0..<2 {
                try migrate(shop)
                #expect(try keys() == expectedKeys)
            }
            // A known name is matched as before.
            let again = try await shop.buy("VITAMIN C+", on: "2026-05-04")
            #expect(try shop.product(of: again) == shop.product(of: lines[0]))
        }
    }

    @Test(.database) func `an ignored name with a plus sign stays ignored`() async throws {
        try await AppHarness.run { harness in
            let shop = try PackageShop(harness, try await harness.signUp())
            let owner = shop.scene.owner
            for (index, name) in ["TASCHE+", "TASCHE+", "BEUTEL+"].enumerated() {
                let line = try await shop.buy(name, on: "2026-03-0\(index + 1)")
                if index != 1 { try await shop.match(line, to: "ignore") }
            }
            try removeSigns(["receipt_line", "ignored_name"], shop)
            // In earlier versions, BEUTEL and BEUTEL+ had the same key.
            _ = try await shop.buy("BEUTEL", on: "2026-03-04")
            try migrate(shop)
            let keys = try owner.query("SELECT alias_key FROM ignored_name ORDER BY 1").decode(String.self)
            #expect(keys == ["beutel", "tasche+"])
        }
    }

    @Test func `the key of a chain has no plus sign, so existing stores keep their keys`() {
        #expect(StoreNaming.chain(of: "Dorfladen+", printed: "") == "dorfladen")
    }
}
