import Crypto
import Domain
import HTTP
import TestSupport
import Testing

@testable import App

/// Changing the e-mail address for sign-in. The address is refused as a password.
@Suite(.timeLimit(.minutes(5))) struct EmailChangeTests {
    @Test(.database) func `a new address needs the password and must be free, and is then used to sign in`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .viewer)
            let old = try await SignInScene.login(anna, harness)
            let takenLogin = try await SignInScene.login(ben, harness)
            for (email, password, error) in [
                ("neu@example.at", "falsch", "email-current-error"), (takenLogin, SignInScene.password, "email-error"),
                ("kein Name", SignInScene.password, "email-error"),
            ] {
                let refusal = try await anna.post("/settings/email", ["email": email, "current": password])
                #expect(refusal.status == .unprocessableContent, "\(email)")
                #expect(refusal.text.contains("id=\"\(error)\""), "\(email)")
                #expect(refusal.text.contains("</svg>Das Passwort ist falsch.</span>") == (password == "falsch"))
                #expect(refusal.text.contains("value=\"\(email.lowercased())\""), "\(email)")
            }
            #expect(try await SignInScene.login(anna, harness) == old)
            let changeAnswer = try await anna.post(
                "/settings/email", ["email": " Neu@Example.AT ", "current": SignInScene.password])
            #expect(changeAnswer.location == "/settings/account")
            #expect(try await anna.get("/settings/account").text.contains("neu@example.at"))
            let answerBefore = try await SignInScene.signIn(harness.browser(), old, SignInScene.password)
            #expect(answerBefore.status == .unprocessableContent)
            let answerAfter = try await SignInScene.signIn(harness.browser(), "neu@example.at", SignInScene.password)
            #expect(answerAfter.location == "/")
            #expect(
                try await ben.post("/settings/email", ["email": "ben@example.at", "current": SignInScene.password])
                    .status == .seeOther)
        }
    }

    @Test(.database) func `a person's own e-mail address is refused as the password, whatever address the form names`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let login = try await SignInScene.login(anna, harness)
            let refusal = try await anna.post(
                "/settings/password",
                ["current": SignInScene.password, "password": login, "email": "jemand@example.at"])
            #expect(refusal.status == .unprocessableContent)
            #expect(refusal.text.contains("ähnelt Ihrem Namen, Ihrer E-Mail-Adresse"))
        }
    }

    @Test(.database) func `does not change the address if the password changes after the check of the password`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let signIn = SignIn(
                database: harness.database, sessions: Sessions(database: harness.database),
                passwords: PasswordHasher(cost: AppHarness.passwordCost))
            let network = PeerAddress(high: 0x2001_0db8_0000_0001, low: 1, port: 1).network
            guard case .right(let verified) = try await signIn.confirm(SignInScene.password, anna.person, from: network)
            else {
                Issue.record("the password is refused")
                return
            }
            let changeAnswer = try await anna.post(
                "/settings/password", ["current": SignInScene.password, "password": "neun Teller Suppe 4"])
            #expect(changeAnswer.location == "/settings/account")
            #expect(try await !signIn.changeLogin(verified, to: "neu@example.at", anna.person))
            #expect(try await SignInScene.login(anna, harness) != "neu@example.at")
        }
    }
}
