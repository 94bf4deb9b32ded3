import Crypto
import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// One-time links for setting a new password.
@Suite(.timeLimit(.minutes(5))) struct PasswordResetTests {
    private static let newPassword = "neun Teller Suppe 4"

    private func link(_ answer: Answer) throws -> String {
        let match = try #require(answer.text.firstMatch(of: #/http:\/\/localhost:8080(\/reset\/[A-Za-z0-9_-]{43})/#))
        return String(match.output.1)
    }

    @Test(.database) func `an owner creates a link with which a member sets a new password once`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let login = try await SignInScene.login(ben, harness)
            let (key, other) = (try await harness.caller(ben), try await harness.caller(anna))
            let path = "/settings/members/\(ben.person)/reset-link"
            #expect(try await anna.get("/settings/household").text.contains(path))
            let creationAnswer = try await anna.post(path)
            #expect(creationAnswer.status == .ok && creationAnswer.headers["Referrer-Policy"] == "no-referrer")
            let link = try link(creationAnswer)
            #expect(!(try await anna.get("/settings/household").text.contains("/reset/")))

            let browser = harness.browser()
            let page = try await browser.get(link)
            #expect(page.status == .ok && page.text.contains(login))
            let short = try await browser.post(link, ["password": "kurz"], on: page)
            #expect(short.status == .unprocessableContent)
            #expect(try await ben.get("/settings").status == .ok)
            let done = try await browser.post(link, ["password": Self.newPassword], on: page)
            #expect(done.location == "/sign-in")
            #expect(try await browser.get("/sign-in").text.contains("Passwort geändert."))

            #expect(try await ben.get("/settings").status == .seeOther, "the session has not ended")
            #expect(try await anna.get("/settings").status == .ok)
            #expect(try await key.get("/api/v1/members/me").status == .unauthorized, "the API key still works")
            #expect(try await other.get("/api/v1/members/me").status == .ok)
            #expect(try await browser.get(link).status == .notFound)
            #expect(try await browser.post(link, ["password": Self.newPassword], on: page).status == .notFound)
            let old = try await SignInScene.signIn(harness.browser(), login, SignInScene.password)
            #expect(old.status == .unprocessableContent)
            #expect(try await SignInScene.signIn(harness.browser(), login, Self.newPassword).location == "/")
        }
    }

    @Test(.database)
    func `only owners create links, and only for other members who are in no other household`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let vera = try await harness.join(anna, as: .viewer)
            let stranger = try await harness.signUp("Karl Fremd", household: "Anderswo")
            func make(_ browser: Browser, _ person: PersonID) async throws -> Int {
                try await browser.post("/settings/members/\(person)/reset-link").status.code
            }
            #expect(try await make(ben, vera.person) == 403)
            #expect(try await make(vera, ben.person) == 403)
            #expect(try await make(anna, anna.person) == 403)
            #expect(try await make(anna, stranger.person) == 404)
            #expect(try await make(anna, vera.person) == 200)
            // The link for a person in two households would also give access to the other household.
            try harness.addMember(ben, to: stranger.household, as: .member)
            #expect(try await make(anna, ben.person) == 403)
            #expect(!(try await anna.get("/settings/household").text.contains("\(ben.person)/reset-link")))
        }
    }

    @Test(.database, arguments: ["newer", "expired", "demoted", "removed", "second household"])
    func `a link is invalid after an event that makes it outdated or unsafe`(event: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paula = try await harness.join(anna, as: .owner)
            let ben = try await harness.join(anna, as: .member)
            let path = "/settings/members/\(ben.person)/reset-link"
            let link = try link(try await paula.post(path))
            #expect(try await harness.browser().get(link).status == .ok)
            switch event {
            case "newer": #expect(try await anna.post(path).status == .ok)
            case "expired":
                try harness.owner().query("UPDATE password_reset SET expires_at = now() - interval '1 second'")
            case "demoted":
                let demoted = try await anna.post("/settings/members/\(paula.person)/ownership/removal")
                #expect(demoted.status == .seeOther)
            case "removed":
                #expect(try await anna.post("/settings/members/\(ben.person)/removal").status == .seeOther)
            default:
                let stranger = try await harness.signUp("Karl Fremd", household: "Anderswo")
                try harness.addMember(ben, to: stranger.household, as: .viewer)
            }
            #expect(try await harness.browser().get(link).status == .notFound)
        }
    }

    @Test(.database) func `changing the password ends open links`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let link = try link(try await anna.post("/settings/members/\(ben.person)/reset-link"))
            #expect(try await harness.browser().get(link).status == .ok)
            let changeAnswer = try await ben.post(
                "/settings/password", ["current": SignInScene.password, "password": Self.newPassword])
            #expect(changeAnswer.location == "/settings/account")
            #expect(try await harness.browser().get(link).status == .notFound)
        }
    }

    @Test(.database) func `the operator creates a link for any account, and only its hash is stored`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let resets = PasswordResets(database: harness.database)
            let token = try #require(try await resets.create(login: try await SignInScene.login(anna, harness)))
            #expect(try await resets.create(login: "niemand@example.at") == nil)
            let storedHashes = try harness.owner().query("SELECT token_hash FROM password_reset").decode([UInt8].self)
            #expect(storedHashes == [token.hash])
            let browser = harness.browser()
            let page = try await browser.get("/reset/\(token.secret)")
            let done = try await browser.post("/reset/\(token.secret)", ["password": Self.newPassword], on: page)
            #expect(done.location == "/sign-in")
            #expect(try await anna.get("/settings").status == .seeOther)
        }
    }

    @Test(.database) func `the sign-in page says how to get a new password`() async throws {
        try await AppHarness.run { harness in
            _ = try await harness.signUp()
            #expect(try await harness.browser().get("/sign-in").text.contains("Passwort vergessen?"))
            #expect(try await harness.browser(language: "en").get("/sign-in").text.contains("Forgot your password?"))
        }
    }
}
