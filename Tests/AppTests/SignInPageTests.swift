import HTTP
import TestSupport
import Testing

@testable import App

/// The sign-in page of a new installation, and of a browser that is signed in already.
@Suite(.timeLimit(.minutes(5))) struct SignInPageTests {
    @Test(.database, arguments: [("de", "Noch nicht eingerichtet"), ("en", "Not set up yet")])
    func `before the first account exists, the sign-in page mentions the set-up link`(
        language: String, title: String
    ) async throws {
        try await AppHarness.run { harness in
            let pageBefore = try await harness.browser(language: language).get("/sign-in").text
            #expect(pageBefore.contains(title) && pageBefore.contains("setup-link"))
            _ = try await harness.signUp()
            let pageAfter = try await harness.browser(language: language).get("/sign-in").text
            #expect(!pageAfter.contains(title) && !pageAfter.contains("setup-link"))
        }
    }

    @Test(.database) func `signing in again ends the earlier session of the browser`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let earlierBrowser = harness.browser()
            earlierBrowser.cookies = anna.cookies
            #expect(try await earlierBrowser.get("/").status == .ok)
            let answer = try await anna.post(
                "/sign-in",
                ["email": try await SignInScene.login(anna, harness), "password": SignInScene.password, "next": "/"])
            #expect(answer.status == .seeOther)
            #expect(try await anna.get("/").status == .ok)
            #expect(try await earlierBrowser.get("/").location == "/sign-in")
        }
    }
}
