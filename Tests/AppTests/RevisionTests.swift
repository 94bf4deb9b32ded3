import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Forms for an older revision: a conflicting change is refused, other changes are stored.
@Suite(.timeLimit(.minutes(5))) struct RevisionTests {
    @Test(.database, arguments: ["discard", "rereading", "restoration"])
    func `a form for an older revision of a receipt changes nothing and shows the receipt`(verb: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179)])
            if verb == "restoration" {
                try await harness.discard(receipt, by: anna)
            } else {
                try await harness.change(receipt, #"{"purchase_time": "10:15"}"#, by: anna)
            }
            let lateAnswer = try await anna.post("/receipts/\(receipt)/\(verb)", ["revision": "1"])
            #expect(lateAnswer.status == .conflict)
            #expect(
                lateAnswer.text.contains("Der Beleg hat sich inzwischen geändert") && lateAnswer.text.contains("MILCH"))
            #expect(try scene.revision(receipt) == 2)
            #expect(try scene.count("SELECT count(*) FROM job") == 0)
            let currentAnswer = try await anna.post("/receipts/\(receipt)/\(verb)", ["revision": "2"])
            #expect(currentAnswer.status == .seeOther)
            #expect(try scene.revision(receipt) == 3)
        }
    }

    @Test(.database) func `a package size that was recorded in the meantime for the same day is not overwritten`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let id = try await harness.product("Kaffee", chain: "hofer", by: anna)
            func add(_ amount: String, _ day: String, revision: Int) async throws -> Status {
                try await anna.post(
                    "/products/\(id)/packages",
                    ["revision": "\(revision)", "amount": amount, "unit": "g", "from": day]
                ).status
            }
            #expect(try await add("500", "2026-01-01", revision: 1) == .seeOther)
            // Another day or the same size is not a conflict.
            #expect(try await add("450", "2026-06-01", revision: 1) == .seeOther)
            #expect(try await add("500", "2026-01-01", revision: 1) == .seeOther)
            #expect(try await add("250", "2026-01-01", revision: 1) == .conflict)
            #expect(
                try scene.count("SELECT amount_thousandths FROM product_package WHERE valid_from = '2026-01-01'") == 500
            )
            let removal = "/products/\(id)/packages/2026-06-01/removal"
            #expect(try await anna.post(removal, ["revision": "1"]).status == .conflict)
            let revision = try scene.count("SELECT revision FROM product WHERE id = \(id)")
            #expect(try await anna.post(removal, ["revision": "\(revision)"]).status == .seeOther)
            #expect(try scene.count("SELECT count(*) FROM product_package") == 1)
        }
    }

    @Test(.database)
    func `a form for an older revision does not merge a product; a name is detached only from its own product`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let one = try await harness.product("Milch", chain: "hofer", by: anna)
            let two = try await harness.product("Vollmilch", chain: "hofer", by: anna)
            _ = try await anna.post("/products/\(one)", ["revision": "1", "name": "Frische Milch", "category": ""])
            let lateAnswer = try await anna.post("/products/\(one)/merge", ["revision": "1", "into": "\(two)"])
            #expect(lateAnswer.status == .conflict && lateAnswer.text.contains("Inzwischen geändert"))
            #expect(try scene.count("SELECT count(*) FROM product") == 2)
            let receipt = try scene.receipt([("MILCH", 150)], pages: 0)
            try await harness.confirm(receipt, by: anna)
            let line = try scene.keys(receipt)[0]
            _ = try await anna.post("/matching", ["alias": "\(line)", "product": "\(two)"])
            let alias = try #require(try scene.owner.query("SELECT id FROM product_alias").first(AliasID.self))
            let moveAnswer = try await anna.post("/products/\(one)/splits", ["revision": "2", "alias": "\(alias)"])
            #expect(moveAnswer.status == .conflict)
            let mergeAnswer = try await anna.post("/products/\(one)/merge", ["revision": "2", "into": "\(two)"])
            #expect(mergeAnswer.status == .seeOther)
            #expect(try scene.count("SELECT count(*) FROM product") == 1)
        }
    }

    @Test(.database)
    func `products that two forms add to a comparison are all stored; different new names are a conflict`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            var products: [ProductID] = []
            for name in ["A", "B", "C"] { products.append(try await harness.product(name, chain: "hofer", by: anna)) }
            _ = try await anna.post(
                "/compare/groups", ["name": "Milch", "unit": "l", "product": "\(products[0])"])
            let group = try #require(
                try scene.owner.query("SELECT id FROM comparison_group").first(ComparisonGroupID.self))
            func save(_ name: String, _ added: ProductID) async throws -> Status {
                try await anna.post(
                    "/compare/groups/\(group)",
                    [
                        "revision": "1", "name": name, "unit": "l", "shown": "\(products[0])",
                        "product": "\(products[0])", "product": "\(added)",
                    ]
                ).status
            }
            #expect(try await save("Vollmilch", products[1]) == .seeOther)
            // The second form is for the first revision, too. The name that the first form stored is kept.
            #expect(try await save("Milch", products[2]) == .seeOther)
            #expect(
                try scene.count("SELECT count(*) FROM product WHERE comparison_group_id = \(group)") == 3)
            #expect(try scene.text("SELECT name FROM comparison_group") == "Vollmilch")
            #expect(try await save("H-Milch", products[2]) == .conflict)
            #expect(
                try await anna.post("/compare/groups/\(group)/removal", ["revision": "1"]).status == .conflict)
            #expect(try scene.text("SELECT name FROM comparison_group") == "Vollmilch")
        }
    }

    @Test(.database) func `a client cannot replace a list of products that another request has changed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            var products: [ProductID] = []
            for name in ["A", "B", "C"] { products.append(try await harness.product(name, chain: "hofer", by: anna)) }
            let creationAnswer = try await caller.post(
                "/api/v1/groups", #"{"name": "Milch", "unit": "l", "product_ids": ["\#(products[0])"]}"#)
            let (path, tag) = (
                try #require(creationAnswer.location, "\(creationAnswer.text)"),
                try #require(creationAnswer.headers[.etag])
            )
            func add(_ product: ProductID) async throws -> Answer {
                try await caller.change(.patch, path, #"{"product_ids": ["\#(products[0])", "\#(product)"]}"#, tag)
            }
            #expect(try await add(products[1]).status == .ok)
            #expect(try await add(products[2]).status == .preconditionFailed)
            let storedProducts = try await caller.get(path).json["product_ids"]?.array?.compactMap(\.string)
            #expect(storedProducts == products.prefix(2).sorted().map(\.description))
        }
    }

    @Test(.database) func `the ETag of a comparison changes with each operation that changes its products`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let sync = SyncScene(harness, anna)
            var products: [ProductID] = []
            for name in ["A", "B", "C", "D"] {
                products.append(try await harness.product(name, chain: "hofer", by: anna))
            }
            func list(_ products: some Sequence<ProductID>) -> String {
                products.map { "\"\($0)\"" }.joined(separator: ", ")
            }
            let creationAnswer = try await caller.post(
                "/api/v1/groups", #"{"name": "Milch", "unit": "l", "product_ids": [\#(list(products))]}"#)
            let path = try #require(creationAnswer.location, "\(creationAnswer.text)")
            var tag = try #require(creationAnswer.headers[.etag])

            func expectNewTag(_ left: [ProductID]) async throws {
                let currentAnswer = try await caller.get(path)
                #expect(
                    try currentAnswer.json["product_ids"]?.array?.compactMap(\.string)
                        == left.sorted().map(\.description))
                let body = #"{"product_ids": [\#(list(left.prefix(1)))]}"#
                let changeAnswer = try await caller.change(.patch, path, body, tag)
                let removalAnswer = try await caller.send(.delete, path, fields: ["If-Match": tag])
                for late in [changeAnswer, removalAnswer] {
                    #expect(late.status == .preconditionFailed)
                    #expect(late.headers[.etag] == currentAnswer.headers[.etag])
                }
                tag = try #require(currentAnswer.headers[.etag])
            }
            let mergeAnswer = try await anna.post(
                "/products/\(products[0])/merge", ["revision": "2", "into": "\(products[1])"])
            #expect(mergeAnswer.status == .seeOther)
            try await expectNewTag(Array(products[1...]))
            try await sync.edit(DocumentKey(.product, products[1].relabelled())) { $0["group"] = .null }
            try await expectNewTag(Array(products[2...]))
            let otherAnswer = try await caller.post(
                "/api/v1/groups", #"{"name": "Rahm", "unit": "l", "product_ids": [\#(list(products[2...2]))]}"#)
            #expect(otherAnswer.status == .created)
            try await expectNewTag(Array(products[3...]))
        }
    }

    @Test(.database) func `the ETag of a document that a sync client creates again is not one of its earlier ETags`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let sync = SyncScene(harness, anna)
            let key = SyncScene.key(.expenseRule)
            func create(_ text: String) async throws {
                try await sync.edit(key) {
                    $0 = ["type": "expense_rule", "contains": .string(text), "labels": ["Wort"]]
                }
            }
            try await create("kino")
            let path = "/api/v1/expense-rules/\(key.id)"
            let tag = try #require(try await caller.get(path).headers[.etag])
            try await sync.delete(key)
            #expect(try await caller.get(path).status == .notFound)
            try await create("theater")
            let currentAnswer = try await caller.get(path, ["If-None-Match": tag])
            #expect(try currentAnswer.status == .ok && currentAnswer.json["contains"] == "theater")
            #expect(try await caller.send(.delete, path, fields: ["If-Match": tag]).status == .preconditionFailed)
        }
    }
}
