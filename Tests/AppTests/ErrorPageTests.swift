import HTTP
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

    @Test(.database) func `error pages for visitors have no navigation`() async throws {
        try await AppHarness.run { harness in
            let page = try await harness.browser().get("/not/there")
            #expect(page.status == .notFound)
            #expect(!page.text.contains("class=\"places\"") && !page.text.contains("action=\"/sign-out\""))
            #expect(page.text.contains("href=\"/\""))
        }
    }
}
