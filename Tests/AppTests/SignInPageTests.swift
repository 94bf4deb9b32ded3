import HTTP
import TestSupport
import Testing

@testable import App

/// The hint on the sign-in page of a new installation.
@Suite(.timeLimit(.minutes(5))) struct SignInPageTests {
    @Test(.database, arguments: [("de", "Noch nicht eingerichtet"), ("en", "Not set up yet")])
    func `before the first account exists, the sign-in page mentions the set-up link`(
        language: String, title: String
    ) async throws {
        try await AppHarness.run { harness in
            let before = try await harness.browser(language: language).get("/sign-in").text
            #expect(before.contains(title) && before.contains("setup-link"))
            _ = try await harness.signUp()
            let after = try await harness.browser(language: language).get("/sign-in").text
            #expect(!after.contains(title) && !after.contains("setup-link"))
        }
    }
}
