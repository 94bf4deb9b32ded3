import HTTP
import TestSupport
import Testing

@testable import App

/// What went wrong is said on a page like the others.
@Suite(.timeLimit(.minutes(5))) struct ErrorPageTests {
    @Test(.database) func `what a member asks for in vain is answered with the places to go to`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let page = try await anna.get("/not/there")
            #expect(page.status == .notFound)
            #expect(page.text.contains("class=\"places\"") && page.text.contains("action=\"/sign-out\""))
            #expect(page.text.contains("Anna Berger"))
            let refused = try await anna.send(
                .post, "/receipts/drafts", type: "application/x-www-form-urlencoded", Array("csrf=x".utf8))
            #expect(refused.status == .forbidden && refused.text.contains("class=\"places\""))
        }
    }

    @Test(.database) func `who is not signed in is shown no places`() async throws {
        try await AppHarness.run { harness in
            let page = try await harness.browser().get("/not/there")
            #expect(page.status == .notFound)
            #expect(!page.text.contains("class=\"places\"") && !page.text.contains("action=\"/sign-out\""))
            #expect(page.text.contains("href=\"/\""))
        }
    }
}
