import Domain
import HTTP
import TestSupport
import Testing

@testable import App

/// Changing the e-mail address with which a person signs in.
@Suite(.timeLimit(.minutes(5))) struct EmailChangeTests {
    @Test(.database) func `a new address needs the password and must be free, and is then used to sign in`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .viewer)
            let old = try await SignInScene.login(anna, harness)
            let taken = try await SignInScene.login(ben, harness)
            for (email, password, error) in [
                ("neu@example.at", "falsch", "email-current-error"), (taken, SignInScene.password, "email-error"),
                ("kein Name", SignInScene.password, "email-error"),
            ] {
                let refused = try await anna.post("/settings/email", ["email": email, "current": password])
                #expect(refused.status == .unprocessableContent, "\(email)")
                #expect(refused.text.contains("id=\"\(error)\""), "\(email)")
                #expect(refused.text.contains("value=\"\(email.lowercased())\""), "\(email)")
            }
            #expect(try await SignInScene.login(anna, harness) == old)
            let changed = try await anna.post(
                "/settings/email", ["email": " Neu@Example.AT ", "current": SignInScene.password])
            #expect(changed.location == "/settings/account")
            #expect(try await anna.get("/settings/account").text.contains("neu@example.at"))
            let before = try await SignInScene.signIn(harness.browser(), old, SignInScene.password)
            #expect(before.status == .unprocessableContent)
            let after = try await SignInScene.signIn(harness.browser(), "neu@example.at", SignInScene.password)
            #expect(after.location == "/")
            #expect(
                try await ben.post("/settings/email", ["email": "ben@example.at", "current": SignInScene.password])
                    .status == .seeOther)
        }
    }
}
