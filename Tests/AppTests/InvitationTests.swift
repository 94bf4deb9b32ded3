import Crypto
import Domain
import EventLoop
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Links that invite people to a household.
@Suite(.timeLimit(.minutes(5))) struct InvitationTests {
    @Test(.database) func `withdrawing an invitation that was used says that someone has joined with it`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await harness.join(anna, as: .member)
            let invitation = try #require(
                try harness.owner().query(
                    "SELECT id FROM invitation WHERE household_id = \(anna.household) AND used_at IS NOT NULL"
                ).first(InvitationID.self))
            let answer = try await anna.post("/settings/invitations/\(invitation)/revocation")
            #expect(answer.location == "/settings/household")
            #expect(try await anna.get("/settings/household").text.contains("Die Einladung wurde schon verwendet."))
        }
    }

    @Test(.database) func `a household can have a limited number of open invitations`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            for _ in 0..<Invitations.maximumOpen {
                _ = try await Invitations(database: harness.database).invite(
                    into: anna.household, by: anna.person, role: .member)
            }
            let refused = try await anna.post("/settings/invitations", ["role": "viewer"])
            #expect(refused.status == .unprocessableContent && refused.text.contains("höchstens 50 offene Einladungen"))
            let problem = try await caller.post("/api/v1/invitations", "{}")
            #expect(problem.status == .conflict && problem.text.contains("There are 50 open invitations already."))
            // Used and expired invitations do not count.
            try harness.owner().query("UPDATE invitation SET expires_at = now() WHERE household_id = \(anna.household)")
            #expect(try await anna.post("/settings/invitations", ["role": "viewer"]).status == .ok)
        }
    }

    @Test(.database) func `an invitation that works only on this computer says so and has no QR code`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let page = try await anna.post("/settings/invitations").text
            #expect(page.contains("Dieser Link funktioniert nur auf diesem Rechner") && !page.contains("class=\"qr\""))
            #expect(page.contains("data-share=\"invitation-link\""))
        }
    }

    @Test(arguments: [
        ("https://huber.local:8443", "huber.local", "https://huber.local:8443", false),
        ("https://huber.local:8443", "localhost", "https://huber.local:8443", false),
        ("http://localhost:8080", "huber.local", "https://huber.local:8443", false),
        ("http://localhost:8080", "127.0.0.1", "http://localhost:8080", true),
        ("http://127.0.0.1:8080", "localhost", "http://127.0.0.1:8080", true),
    ])
    func `an invitation has the address by which other devices reach the server`(
        base: String, host: String, address: String, opensOnlyHere: Bool
    ) throws {
        let found = HouseholdController.address(
            try #require(BaseURL(base)), askedAt: host, authority: "\(host):8443", isSecure: true)
        #expect(found.text == address && found.opensOnlyHere == opensOnlyHere)
    }

    @Test(.database, arguments: ["/removal", "/ownership/removal"])
    func `open invitations end when their author is removed or loses ownership`(action: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .owner)
            let invitations = Invitations(database: harness.database)
            func invite(_ browser: Browser) async throws -> Token {
                try await invitations.invite(into: anna.household, by: browser.person, role: .member).token
            }
            let (annas, bens) = (try await invite(anna), try await invite(ben))
            #expect(try await anna.post("/settings/members/\(ben.person)\(action)").status == .seeOther)
            #expect(try await harness.browser().get("/join/\(bens.secret)").status == .notFound)
            #expect(try await harness.browser().get("/join/\(annas.secret)").status == .ok)
        }
    }

    @Test(.database)
    func `a person who joins with the address of an account is told that the link is for new accounts`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let token = try await Invitations(database: harness.database).invite(
                into: anna.household, by: anna.person, role: .member
            ).token
            let (browser, path) = (harness.browser(), "/join/\(token.secret)")
            let refusal = try await browser.post(
                path,
                [
                    "name": "Anna Zwei", "email": try await SignInScene.login(anna, harness),
                    "password": SignInScene.password,
                ], on: try await browser.get(path))
            #expect(refusal.status == .unprocessableContent)
            #expect(refusal.text.contains("gibt es schon ein Konto, und dieser Link gilt nur für neue Konten"))
            #expect(refusal.text.contains("value=\"Anna Zwei\""))
        }
    }
}
