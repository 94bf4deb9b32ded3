import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Corrected lines get products of the receipt's chain, and discounts belong to the items above them.
@Suite(.timeLimit(.minutes(5))) struct LineReferencesTests {
    private typealias Line = (key: String, name: String, kind: String, total: String)

    /// The sum of the lines, used as the total so that no line's amount is unusually high for the receipt.
    private static func sum(_ lines: [Line]) -> String {
        let cents = lines.reduce(0) { $0 + (Int($1.total.replacing(",", with: "")) ?? 0) }
        return "\(cents / 100),\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
    }

    private func save(
        _ receipt: ReceiptID, _ browser: Browser, _ scene: ReceiptScene, store: String, _ lines: [Line]
    ) async throws {
        var fields = [
            ("csrf", try await browser.get("/settings").token ?? ""), ("revision", "\(try scene.revision(receipt))"),
            ("store", store), ("day", "2026-11-02"), ("total", Self.sum(lines)), ("action", "save"),
        ]
        for line in lines {
            fields += [
                ("line", line.key), ("name-\(line.key)", line.name), ("kind-\(line.key)", line.kind),
                ("total-\(line.key)", line.total), ("quantity-\(line.key)", "1"), ("unit-\(line.key)", "piece"),
            ]
        }
        let body = fields.map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
        let answer = try await browser.send(
            .post, "/receipts/\(receipt)/confirmation", type: "application/x-www-form-urlencoded", Array(body.utf8))
        #expect(answer.status == .seeOther, "\(answer.text)")
    }

    /// Confirms a receipt of BILLA whose two names, TOMATEN and FLASCHE, are matched to products.
    private func confirmedReceipt(_ browser: Browser, _ scene: ReceiptScene) async throws -> ReceiptID {
        let receipt = try scene.receipt([("TOMATEN", 199), ("FLASCHE", 25)], pages: 0)
        let keys = try scene.keys(receipt).map(\.description)
        try await save(
            receipt, browser, scene, store: "BILLA Wien",
            [(keys[0], "TOMATEN", "item", "1,99"), (keys[1], "FLASCHE", "item", "0,25")])
        for key in keys {
            _ = try await browser.post("/matching", ["alias": key, "product": "new", "name": "Ware \(key)"])
        }
        return receipt
    }

    private func chains(_ scene: ReceiptScene) throws -> [String] {
        try scene.owner.query(
            "SELECT s.chain || ' ' || d.chain FROM price p JOIN store s ON s.id = p.store_id JOIN product d ON d.id = p.product_id"
        ).decode(String.self)
    }

    @Test(.database) func `a receipt that is assigned to another chain loses the old chain's products`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await confirmedReceipt(anna, scene)
            #expect(try chains(scene) == ["billa billa", "billa billa"])
            let lines = try scene.keys(receipt).map(\.description)
            let same: [Line] = [(lines[0], "TOMATEN", "item", "1,99"), (lines[1], "FLASCHE", "item", "0,25")]
            // Another store of the chain has the same products.
            try await save(receipt, anna, scene, store: "BILLA Anif", same)
            #expect(try chains(scene) == ["billa billa", "billa billa"])
            try await save(receipt, anna, scene, store: "SPAR Salzburg", same)
            #expect(try chains(scene) == [])
            #expect(try scene.count("SELECT count(*) FROM receipt_line WHERE product_id IS NOT NULL") == 0)
            // Back at the first store, the names are matched to its products again.
            try await save(receipt, anna, scene, store: "BILLA Wien", same)
            #expect(try chains(scene) == ["billa billa", "billa billa"])
        }
    }

    @Test(.database) func `a line that is no longer an item has no product`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await confirmedReceipt(anna, scene)
            let keys = try scene.keys(receipt).map(\.description)
            try await save(
                receipt, anna, scene, store: "BILLA Wien",
                [(keys[0], "TOMATEN", "item", "1,99"), (keys[1], "FLASCHE", "deposit", "0,25")])
            #expect(
                try scene.owner.query("SELECT product_id IS NULL FROM receipt_line ORDER BY position").decode(Bool.self)
                    == [false, true])
            let categories = try scene.owner.query(
                """
                SELECT coalesce(c.key, '') || ' ' || m.amount_minor FROM spending_month m
                LEFT JOIN category c ON c.id = m.category_id ORDER BY m.amount_minor
                """
            ).decode(String.self)
            #expect(categories.contains("deposit 25"))
        }
    }

    @Test(.database)
    func `a discount that was added, or a line that became a discount, lowers the price of the item above it`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await confirmedReceipt(anna, scene)
            let keys = try scene.keys(receipt).map(\.description)
            func prices() throws -> [String] {
                try scene.owner.query(
                    """
                    SELECT l.printed_name || ' ' || p.regular_thousandths || ' ' || p.paid_thousandths || ' ' || p.is_offer
                    FROM price p JOIN receipt_line l ON l.id = p.line_id ORDER BY l.position
                    """
                ).decode(String.self)
            }
            try await save(
                receipt, anna, scene, store: "BILLA Wien",
                [
                    (keys[0], "TOMATEN", "item", "1,99"), ("new1", "AKTION", "discount", "-0,50"),
                    ("new2", "NOCH WAS", "discount", "-0,10"), (keys[1], "FLASCHE", "item", "0,25"),
                ])
            #expect(try prices() == ["TOMATEN 199000 139000 true", "FLASCHE 25000 25000 false"])
            let now = try scene.keys(receipt).map(\.description)
            try await save(
                receipt, anna, scene, store: "BILLA Wien",
                [
                    (now[0], "TOMATEN", "item", "1,99"), (now[1], "AKTION", "discount", "-0,50"),
                    (now[3], "FLASCHE", "discount", "-0,25"),
                ])
            #expect(try prices() == ["TOMATEN 199000 124000 true"])
        }
    }

    @Test(.database) func `a discount that was moved reduces the price of the item above it`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 199), ("BROT", 299), ("RABATT", -50)], pages: 0)
            let keys = try scene.keys(receipt).map(\.description)
            func discountedItem() throws -> String? {
                try scene.text(
                    """
                    SELECT coalesce((SELECT i.printed_name FROM receipt_line i WHERE i.id = l.bound_line_id), 'none')
                    FROM receipt_line l WHERE l.printed_name = 'RABATT'
                    """)
            }
            let (milk, bread) = ((keys[0], "MILCH", "item", "1,99"), (keys[1], "BROT", "item", "2,99"))
            func discountLine(_ kind: String) -> Line { (keys[2], "RABATT", kind, "-0,50") }
            try await save(receipt, anna, scene, store: "BILLA", [milk, bread, discountLine("discount")])
            #expect(try discountedItem() == "BROT")
            #expect(try await anna.get("/receipts/\(receipt)/review").text.contains("Rabatt auf BROT"))
            try await save(receipt, anna, scene, store: "BILLA", [milk, discountLine("discount"), bread])
            #expect(try discountedItem() == "MILCH")
            try await save(receipt, anna, scene, store: "BILLA", [milk, discountLine("coupon"), bread])
            #expect(try discountedItem() == "none")
            try await save(receipt, anna, scene, store: "BILLA", [bread, discountLine("discount"), milk])
            #expect(try discountedItem() == "BROT")
            // If its item is deleted, the discount belongs to no item.
            try await save(receipt, anna, scene, store: "BILLA", [discountLine("discount"), milk])
            #expect(try discountedItem() == "none")
        }
    }

    @Test(.database) func `a discount keeps its item if a line is inserted above it or items are reordered`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 199), ("BROT", 299), ("RABATT", -50)], pages: 0)
            let keys = try scene.keys(receipt).map(\.description)
            let (milk, bread) = ((keys[0], "MILCH", "item", "1,99"), (keys[1], "BROT", "item", "2,99"))
            let discountLine = (keys[2], "RABATT", "discount", "-0,50")
            try await save(receipt, anna, scene, store: "BILLA", [milk, bread, discountLine])
            for lines in [
                [milk, bread, ("new1", "SEMMEL", "item", "0,39"), discountLine], [bread, milk, discountLine],
            ] {
                try await save(receipt, anna, scene, store: "BILLA", lines)
                #expect(
                    try scene.text(
                        """
                        SELECT i.printed_name FROM receipt_line l JOIN receipt_line i ON i.id = l.bound_line_id
                        WHERE l.printed_name = 'RABATT'
                        """) == "BROT")
            }
        }
    }
}
