import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Products that are renamed, merged and divided, and get package sizes.
@Suite(.timeLimit(.minutes(5))) struct ProductEditTests {
    @Test(.database) func `a product can be renamed; a name that is already used is refused at its field`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let drawn = try await DrawnReceipts.fill(harness, anna)
            let path = "/products/\(drawn.products[0])"
            let saveAnswer = try await anna.post(path, ["revision": "1", "name": "Vollmilch", "category": ""])
            #expect(saveAnswer.location == path)
            #expect(try await anna.get(path).text.contains("<h1>Vollmilch</h1>"))
            // Products 0 and 2 belong to the same chain.
            let takenNameAnswer = try await anna.post(path, ["revision": "2", "name": "Produkt 2", "category": ""])
            #expect(takenNameAnswer.status == .unprocessableContent)
            #expect(takenNameAnswer.text.contains("id=\"name-error\"") && takenNameAnswer.text.contains("Produkt 2"))
            // A refused form keeps the category and its old revision, so that it cannot overwrite a newer change.
            let category = try harness.owner().category("dairy")
            let sized = try await anna.post(
                "\(path)/packages", ["revision": "2", "amount": "500", "unit": "g", "from": "2026-01-01"])
            #expect(sized.location == path)
            let refusal = try await anna.post(
                path, ["revision": "2", "name": "Produkt 2", "category": "\(category)"])
            #expect(refusal.text.contains("value=\"\(category)\" selected"))
            #expect(refusal.attribute("value", after: "name=\"revision\"") == "2")
        }
    }

    @Test(.database)
    func `changes of different fields are both stored, and a change of the same field is not overwritten`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let drawn = try await DrawnReceipts.fill(harness, anna)
            let owner = try harness.owner()
            let path = "/products/\(drawn.products[1])"
            let category = try owner.category("dairy")
            _ = try await anna.post(path, ["revision": "1", "name": "Topfen", "category": ""])
            let revision = try #require(
                try await anna.get("\(path)/edit").attribute("value", after: "name=\"revision\""))
            // Both forms are for the same revision.
            _ = try await anna.post(path, ["revision": revision, "name": "Topfen 20 %", "category": ""])
            let otherAnswer = try await anna.post(
                path, ["revision": revision, "name": "Topfen", "category": category.description])
            #expect(otherAnswer.status == .seeOther)
            #expect(try await anna.get(path).text.contains("<h1>Topfen 20 %</h1>"))
            let page = try await anna.get("\(path)/edit")
            #expect(page.text.contains("value=\"\(category)\" selected"))
            let lateAnswer = try await anna.post(
                path, ["revision": revision, "name": "Quark", "category": category.description])
            #expect(lateAnswer.status == .conflict)
            #expect(try await anna.get(path).text.contains("<h1>Topfen 20 %</h1>"))
        }
    }

    @Test(.database) func `a package size changes base prices from the date on which it becomes valid`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let drawn = try await DrawnReceipts.fill(harness, anna)
            let owner = try harness.owner()
            let product = drawn.products[1]
            let answer = try await anna.post(
                "/products/\(product)/packages",
                ["revision": "1", "amount": "250", "unit": "g", "from": "2026-04-01"])
            #expect(answer.status == .seeOther)
            let wrongPriceCount = try owner.query(
                """
                SELECT count(*) FROM price WHERE product_id = \(product) AND unit = 'piece'
                    AND (base_unit <> 'kg' OR base_thousandths <> regular_thousandths * 4)
                """
            ).first(Int64.self)
            #expect(wrongPriceCount == 0)
            let refusal = try await anna.post(
                "/products/\(product)/packages",
                ["revision": "1", "amount": "viel", "unit": "g", "from": "2026-04-01"])
            #expect(refusal.status == .unprocessableContent)
            #expect(refusal.text.contains("id=\"amount-error\""))
            // The page keeps the input and shows the error.
            #expect(refusal.attribute("value", after: "name=\"amount\"") == "viel")
            #expect(refusal.text.contains("<option value=\"g\" selected>g</option>"))
            #expect(refusal.attribute("value", after: "name=\"from\"") == "2026-04-01")
            let early = try await anna.post(
                "/products/\(product)/packages",
                ["revision": "1", "amount": "500", "unit": "ml", "from": "1999-04-01"])
            #expect(early.status == .unprocessableContent && early.text.contains("id=\"from-error\""))
            #expect(early.text.contains("<option value=\"ml\" selected>ml</option>"))
            let ambiguous = try await anna.post(
                "/products/\(product)/packages",
                ["revision": "1", "amount": "1.234", "unit": "g", "from": "2026-04-01"])
            #expect(ambiguous.status == .unprocessableContent && ambiguous.text.contains("„1.234“ ist mehrdeutig"))
            let removalAnswer = try await anna.post(
                "/products/\(product)/packages/2026-04-01/removal", ["revision": "2"])
            #expect(removalAnswer.status == .seeOther)
            #expect(
                try owner.query(
                    "SELECT count(*) FROM price WHERE product_id = \(product) AND base_unit = 'kg' AND unit = 'piece'"
                )
                .first(Int64.self) == 0)
        }
    }

    @Test(.database) func `merging moves all prices, and splitting off a printed name moves its prices back`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let drawn = try await DrawnReceipts.fill(harness, anna)
            let owner = try harness.owner()
            func count(_ product: ProductID) throws -> Int64 {
                try owner.query("SELECT count(*) FROM price WHERE product_id = \(product)").first(Int64.self) ?? -1
            }
            let (leaving, staying) = (drawn.products[0], drawn.products[2])
            let sum = try count(leaving) + count(staying)
            let mergeAnswer = try await anna.post(
                "/products/\(leaving)/merge", ["revision": "1", "into": staying.description])
            #expect(mergeAnswer.location == "/products/\(staying)")
            #expect(try count(staying) == sum)
            #expect(try await anna.get("/products/\(leaving)").location == "/products/\(staying)")
            let tombstone = try owner.query(
                "SELECT deleted FROM change_log WHERE document_id = \(leaving) ORDER BY seq DESC LIMIT 1")
            #expect(try tombstone.first(Bool.self) == true)
            let page = try await anna.get("/products/\(staying)/edit")
            let alias = try #require(page.attribute("value", after: "name=\"alias\""))
            let split = try await anna.post("/products/\(staying)/splits", ["revision": "2", "alias": alias])
            let product = try #require(split.location.flatMap { ProductID($0.dropFirst("/products/".count)) })
            #expect(try count(product) + count(staying) == sum)
            #expect(try count(product) > 0)
        }
    }

    @Test(.database) func `products of two chains are not merged`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let drawn = try await DrawnReceipts.fill(harness, anna)
            let answer = try await anna.post(
                "/products/\(drawn.products[0])/merge", ["revision": "1", "into": drawn.products[1].description])
            #expect(answer.status == .unprocessableContent)
            #expect(try await anna.get("/products/\(drawn.products[0])").status == .ok)
            let nothing = try await anna.get("/products/\(drawn.products[0])/merge?search=zzzz").text
            #expect(nothing.contains("nur Produkte derselben Kette, hier "))
        }
    }
}
