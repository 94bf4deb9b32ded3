import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Error pages have the layout of the other pages.
@Suite(.timeLimit(.minutes(5))) struct ErrorPageTests {
    @Test(.database) func `error pages for members have the navigation`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let page = try await anna.get("/not/there")
            #expect(page.status == .notFound)
            #expect(page.text.contains("class=\"places\"") && page.text.contains("action=\"/sign-out\""))
            #expect(page.text.contains("Anna Berger"))
            let refusal = try await anna.send(
                .post, "/receipts/drafts", type: "application/x-www-form-urlencoded", Array("csrf=x".utf8))
            #expect(refusal.status == .forbidden && refusal.text.contains("class=\"places\""))
        }
    }

    @Test(.database) func `an error page says that nothing was lost only if no form was lost`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (safe, unsaved) = ("Es ist nichts verloren gegangen.", "wurde nicht gespeichert.")
            let missing = try await anna.get("/not/there")
            #expect(missing.text.contains(safe) && !missing.text.contains(unsaved))
            let refusal = try await anna.send(
                .post, "/receipts/drafts", type: "application/x-www-form-urlencoded", Array("csrf=x".utf8))
            #expect(refusal.status == .forbidden)
            #expect(refusal.text.contains(unsaved) && !refusal.text.contains(safe))
            // An internal error: a table is missing.
            try harness.owner().query("ALTER TABLE product RENAME TO product_away")
            let page = try await anna.get("/products?search=milch")
            #expect(page.status == .internalServerError && page.text.contains(safe))
            let failure = try await anna.post(
                "/compare/groups", ["name": "Milch", "unit": "kg", "product": "\(ProductID.new())"])
            #expect(failure.status == .internalServerError)
            #expect(failure.text.contains("wurde vielleicht nicht gespeichert.") && !failure.text.contains(safe))
        }
    }

    @Test(.database) func `error pages for visitors have no navigation`() async throws {
        try await AppHarness.run { harness in
            let page = try await harness.browser().get("/not/there")
            #expect(page.status == .notFound)
            #expect(!page.text.contains("class=\"places\"") && !page.text.contains("action=\"/sign-out\""))
            #expect(page.text.contains("href=\"/\""))
        }
    }
}
