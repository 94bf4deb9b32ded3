import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Package sizes in printed names are added to a product or removed from it, together with the name.
@Suite(.timeLimit(.minutes(5))) struct PackagesOfNamesTests {
    private let expectedBasePrices = ["2026-03-02 400 kg", "2026-05-04 500 kg"]

    @Test(.database, arguments: [false, true])
    func `matching a name adds the package size that the name contains`(isOlder: Bool) async throws {
        try await AppHarness.run { harness in
            let shop = try PackageShop(harness, try await harness.signUp())
            let lines = [
                try await shop.buy("KEKSE 500G", on: "2026-03-02"), try await shop.buy("KEKSE 400G", on: "2026-05-04"),
            ]
            let (known, other) = isOlder ? (lines[1], lines[0]) : (lines[0], lines[1])
            try await shop.match(known, to: "new", name: "Kekse")
            let product = try shop.product(of: known)
            let packagesBefore = try shop.packages(of: product)
            try await shop.match(other, to: "\(product)")
            #expect(try shop.basePrices() == expectedBasePrices)
            #expect(try shop.packages(of: product) == ["2026-03-02 500", "2026-05-04 400"])
            // Detaching a name also removes its package size.
            try await shop.split(isOlder ? "KEKSE 500G" : "KEKSE 400G", from: product)
            #expect(try shop.packages(of: product) == packagesBefore)
            #expect(try shop.basePrices() == expectedBasePrices)
        }
    }

    @Test(.database, arguments: [false, true])
    func `each purchase has the size in its printed name, unless a person entered another size`(isByHand: Bool)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let shop = try PackageShop(harness, anna)
            let lines = [
                try await shop.buy("KEKSE 500G", on: "2026-03-02"), try await shop.buy("KEKSE 400G", on: "2026-05-04"),
            ]
            try await shop.match(lines[0], to: "new", name: "Kekse")
            let product = try shop.product(of: lines[0])
            try await shop.match(lines[1], to: "\(product)")
            if isByHand {
                let revision = try shop.scene.count("SELECT revision FROM product WHERE id = \(product)")
                _ = try await anna.post(
                    "/products/\(product)/packages",
                    ["revision": "\(revision)", "amount": "250", "unit": "g", "from": "2026-06-01"])
            }
            for (name, day) in [("KEKSE 500G", "2026-06-08"), ("KEKSE 400G", "2026-06-15")] {
                _ = try await shop.buy(name, on: day)
            }
            let later =
                isByHand ? ["2026-06-08 800 kg", "2026-06-15 800 kg"] : ["2026-06-08 400 kg", "2026-06-15 500 kg"]
            #expect(try shop.basePrices() == expectedBasePrices + later)
        }
    }

    @Test(.database) func `a purchase has the size in its printed name after its date is corrected`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let shop = try PackageShop(harness, anna)
            try await shop.addBothSizes()
            let receipt = try shop.scene.receipt([("KEKSE 500G", 200)], pages: 0, head: .init(day: "2026-04-01"))
            try await harness.confirm(receipt, by: anna)
            try await harness.change(receipt, #"{"purchase_day": "2026-06-08"}"#, by: anna)
            #expect(try shop.basePrices() == expectedBasePrices + ["2026-06-08 400 kg"])
        }
    }

    @Test(.database, arguments: [false, true])
    func `a hidden purchase has the size in its printed name when it is published`(isSwept: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let shop = try PackageShop(harness, anna)
            try await shop.addBothSizes()
            let gift = try shop.scene.receipt(
                [("KEKSE 500G", 200)], pages: 0, person: anna.person, head: .init(day: "2026-06-08"))
            try await harness.hide(gift, by: anna)
            try await harness.confirm(gift, by: anna)
            #expect(try shop.basePrices() == expectedBasePrices)
            try shop.scene.owner.query("UPDATE receipt SET hidden_until = current_date - 1 WHERE id = \(gift)")
            if isSwept {
                #expect(try await Publication.publish(anna.household, atMost: 10, harness.database) == 1)
            } else {
                // Any write to the household also publishes receipts after their publication day.
                _ = try await shop.buy("BROT", on: "2026-06-01")
            }
            #expect(try shop.basePrices() == expectedBasePrices + ["2026-06-08 400 kg"])
        }
    }

    @Test(.database, arguments: [true, false])
    func `importing names adds the package sizes that they contain`(isOneFile: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let shop = try PackageShop(harness, anna)
            _ = try await shop.buy("KEKSE 500G", on: "2026-03-02")
            _ = try await shop.buy("KEKSE 400G", on: "2026-05-04")
            _ = try await shop.buy("KEKSE 500G", on: "2026-06-08")
            let rows = ["HOFER;KEKSE 500G;Kekse", "HOFER;KEKSE 400G;Kekse"]
            for file in isOneFile ? [rows.joined(separator: "\n")] : rows {
                let imported = try await anna.upload(
                    "/names/import", field: "file", fileName: "names.csv", type: "text/csv",
                    Array("Chain;Printed name;Product\n\(file)\n".utf8), on: try await anna.get("/names/import"))
                #expect(imported.status == .seeOther)
            }
            #expect(try shop.basePrices() == expectedBasePrices + ["2026-06-08 400 kg"])
        }
    }

    @Test(.database) func `a name with the same package size, or with a size in another kind of unit, changes nothing`()
        async throws
    {
        try await AppHarness.run { harness in
            let shop = try PackageShop(harness, try await harness.signUp())
            let line = try await shop.buy("EIER 500G", on: "2026-03-02")
            try await shop.match(line, to: "new", name: "Eier")
            let product = try shop.product(of: line)
            for name in ["EIER BIO 0,5KG", "EIER 10ER", "EIER"] {
                try await shop.match(try await shop.buy(name, on: "2026-05-04"), to: "\(product)")
            }
            #expect(try shop.packages(of: product) == ["2026-03-02 500"])
        }
    }

    @Test(.database, arguments: [false, true])
    func `a merged product has the package sizes of both products`(mergesOlder: Bool) async throws {
        try await AppHarness.run { harness in
            let shop = try PackageShop(harness, try await harness.signUp())
            let lines = [
                try await shop.buy("KEKSE 500G", on: "2026-03-02"), try await shop.buy("KEKSE 400G", on: "2026-05-04"),
            ]
            for (index, line) in lines.enumerated() { try await shop.match(line, to: "new", name: "Kekse \(index)") }
            // As after detaching a name, the sizes are valid from the year 2000 on.
            try shop.scene.owner.query("UPDATE product_package SET valid_from = '2000-01-01'")
            let products = try lines.map(shop.product)
            try await shop.merge(products[mergesOlder ? 0 : 1], into: products[mergesOlder ? 1 : 0])
            #expect(try shop.basePrices() == expectedBasePrices)
        }
    }

    @Test(.database) func `detaching a name after a merge restores the name's prices`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let shop = try PackageShop(harness, anna)
            let sweets = try shop.scene.owner.category("sweets")
            let bread = try await shop.buy("BROT 1KG", on: "2026-03-02")
            let sweet = try await shop.buy("SCHOKO TAFEL", on: "2026-05-04")
            try await shop.match(bread, to: "new", name: "Brot")
            try await shop.match(sweet, to: "new", name: "Feine Schokolade", category: "\(sweets)")
            let (loaf, chocolate) = (try shop.product(of: bread), try shop.product(of: sweet))
            let revision = try shop.scene.count("SELECT revision FROM product WHERE id = \(chocolate)")
            _ = try await anna.post(
                "/products/\(chocolate)/packages",
                ["revision": "\(revision)", "amount": "100", "unit": "g", "from": "2026-04-01"])
            _ = try await anna.post("/compare/groups", ["name": "Tafeln", "unit": "kg", "product": "\(chocolate)"])
            let prices = try shop.basePrices()
            try await shop.merge(chocolate, into: loaf)
            #expect(try shop.basePrices() == prices)
            try await shop.split("SCHOKO TAFEL", from: loaf)
            let back = try shop.product(of: sweet)
            #expect(back != loaf)
            let restoredProduct = try shop.scene.text(
                """
                SELECT d.name || ', ' || c.key || ', ' || g.name FROM product d
                JOIN category c ON c.id = d.category_id JOIN comparison_group g ON g.id = d.comparison_group_id
                WHERE d.id = \(back)
                """)
            #expect(restoredProduct == "Feine Schokolade, sweets, Tafeln")
            #expect(try shop.packages(of: back) == ["2026-04-01 100"])
            #expect(try shop.packages(of: loaf) == ["2026-03-02 1000"])
            #expect(try shop.basePrices() == prices)
        }
    }

    @Test(.database) func `detaching both names of a product that was merged by mistake restores the product`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let shop = try PackageShop(harness, anna)
            let bread = try await shop.buy("BROT 1KG", on: "2026-03-02")
            let large = try await shop.buy("SCHOKO 100G", on: "2026-05-04")
            let small = try await shop.buy("SCHOKO 90G", on: "2026-08-04")
            try await shop.match(bread, to: "new", name: "Brot")
            try await shop.match(large, to: "new", name: "Schokolade")
            let (loaf, chocolate) = (try shop.product(of: bread), try shop.product(of: large))
            try await shop.match(small, to: "\(chocolate)")
            let prices = try shop.basePrices()
            try await shop.merge(chocolate, into: loaf)
            try await shop.split("SCHOKO 100G", from: loaf)
            try await shop.split("SCHOKO 90G", from: loaf)
            let back = try shop.product(of: large)
            #expect(try shop.product(of: small) == back && back != loaf)
            let names = try shop.scene.owner.query("SELECT name FROM product ORDER BY name").decode(String.self)
            #expect(names == ["Brot", "Schokolade"])
            #expect(try shop.basePrices() == prices)
            // Detaching a name does not move other names.
            try await shop.split("SCHOKO 90G", from: back)
            #expect(try shop.product(of: small) != back)
        }
    }

    @Test(.database, arguments: [true, false])
    func `a package size entered by hand is kept when the only name bought in that size is detached`(isUndone: Bool)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let shop = try PackageShop(harness, anna)
            let old = try await shop.buy("KEKSE 500G", on: "2026-03-02")
            let new = try await shop.buy("KNUSPERKEKSE", on: "2026-06-01")
            try await shop.match(old, to: "new", name: "Kekse")
            let product = try shop.product(of: old)
            try await shop.match(new, to: "\(product)")
            let revision = try shop.scene.count("SELECT revision FROM product WHERE id = \(product)")
            let entryAnswer = try await anna.post(
                "/products/\(product)/packages",
                ["revision": "\(revision)", "amount": "400", "unit": "g", "from": "2026-05-01"])
            #expect(entryAnswer.status == .seeOther)
            let sizes = ["2026-03-02 500", "2026-05-01 400"]
            #expect(try shop.packages(of: product) == sizes)
            if isUndone {
                let answer = try await anna.post("/matching/bindings/\(new)/\(product)/removal")
                #expect(answer.location == "/matching")
            } else {
                try await shop.split("KNUSPERKEKSE", from: product)
            }
            #expect(try shop.packages(of: product) == sizes)
        }
    }

    @Test(.database)
    func `a package size entered by hand stays marked as entered by hand after a merge and a detached name`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let shop = try PackageShop(harness, anna)
            let lines = [
                try await shop.buy("BROT 1KG", on: "2026-03-02"), try await shop.buy("SEMMEL", on: "2026-05-04"),
            ]
            for (line, name) in zip(lines, ["Brot", "Semmel"]) { try await shop.match(line, to: "new", name: name) }
            let products = try lines.map(shop.product)
            let revision = try shop.scene.count("SELECT revision FROM product WHERE id = \(products[1])")
            _ = try await anna.post(
                "/products/\(products[1])/packages",
                ["revision": "\(revision)", "amount": "60", "unit": "g", "from": "2026-05-01"])
            try await shop.merge(products[1], into: products[0])
            try await shop.split("SEMMEL", from: products[0])
            let back = try shop.product(of: lines[1])
            #expect(try shop.packages(of: back) == ["2026-05-01 60"])
            #expect(
                try shop.scene.owner.query("SELECT product_id FROM product_package WHERE by_hand").decode(
                    ProductID.self) == [back])
        }
    }

    @Test(.database) func `deleting a product changes no receipt, and its names can be matched again`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let shop = try PackageShop(harness, anna)
            let line = try await shop.buy("BANANEN (EDKd", on: "2026-03-02")
            let other = try await shop.buy("BROT 1KG", on: "2026-03-02")
            try await shop.match(line, to: "new", name: "Bananen (EDKd")
            try await shop.match(other, to: "new", name: "Brot")
            let (wrong, bread) = (try shop.product(of: line), try shop.product(of: other))
            let stale = try await anna.post("/products/\(wrong)/removal", ["revision": "7"])
            #expect(stale.status == .conflict)
            let revision = try shop.scene.count("SELECT revision FROM product WHERE id = \(wrong)")
            for (attempt, flash) in ["Produkt gelöscht", "Schon erledigt"].enumerated() {
                let answer = try await anna.post("/products/\(wrong)/removal", ["revision": "\(revision)"])
                #expect(answer.location == "/products", "\(attempt)")
                #expect(try await anna.get("/products").text.contains(flash))
            }
            #expect(try shop.scene.count("SELECT count(*) FROM product") == 1)
            #expect(try shop.scene.count("SELECT count(*) FROM price WHERE product_id <> \(bread)") == 0)
            #expect(try shop.scene.count("SELECT count(*) FROM receipt_line WHERE printed_name LIKE 'BANANEN%'") == 1)
            #expect(try await anna.get("/matching").text.contains("BANANEN (EDKd"))
            #expect(
                try shop.scene.count(
                    "SELECT count(*) FROM change_log WHERE deleted AND document_type IN ('product', 'alias')")
                    == 2)
            // Matching the name again restores the price.
            try await shop.match(line, to: "new", name: "Bananen")
            #expect(try shop.scene.count("SELECT count(*) FROM price") == 2)
        }
    }
}
