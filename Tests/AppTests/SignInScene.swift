import Domain
import Postgres
import TestSupport
import Testing

@testable import App

/// Signing in, for tests of password guessing and stolen sessions.
enum SignInScene {
    /// The password of the accounts that `AppHarness` creates.
    static let password = "vier Tassen Kaffee 7"

    /// The e-mail address of an account.
    static func login(_ browser: Browser, _ harness: AppHarness) async throws -> String {
        try #require(
            try await harness.database.read("SELECT login FROM person WHERE id = \(browser.person)").first(String.self))
    }

    static func signIn(
        _ browser: Browser, _ login: String, _ password: String, next: String = "/"
    ) async throws -> Answer {
        let page = try await browser.get("/sign-in")
        return try await browser.post("/sign-in", ["email": login, "password": password, "next": next], on: page)
    }
}
