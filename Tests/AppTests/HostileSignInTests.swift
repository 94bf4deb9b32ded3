import Crypto
import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Stolen sessions, and replayed and forged requests. GuessingTests tests the guessing of passwords.
@Suite(.timeLimit(.minutes(5))) struct HostileSignInTests {
    @Test(.database) func `a removed member can be invited again with the same address`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let address = "paul.\(UInt64.random(in: .min ... .max))@example.at"
            for _ in 0..<2 {
                let invitation = try await Invitations(database: harness.database).invite(
                    into: anna.household, by: anna.person, role: .member)
                let paul = harness.browser()
                let link = "/join/\(invitation.token.secret)"
                let answer = try await paul.post(
                    link, ["name": "Paul Huber", "email": address, "password": SignInScene.password],
                    on: try await paul.get(link))
                #expect(answer.status == .seeOther)
                #expect(try await paul.get("/receipts").status == .ok)
                let person = try #require(
                    try harness.owner().query("SELECT id FROM person WHERE login = \(address)").first(PersonID.self))
                #expect(try await anna.post("/settings/members/\(person)/removal").status == .seeOther)
                #expect(try harness.owner().query("SELECT 1 FROM person WHERE login = \(address)").isEmpty)
            }
        }
    }

    // MARK: Passwords

    /// Passwords, each with the status of the answer to the set-up form.
    static let passwords: [(String, Int)] = [
        ("Äpfel, Birnen und Zwetschken aus dem Garten hinter dem Haus, 2026", 303), ("🫖☕🥐🧀🍎🥕🍞🥚🧈🍯🥛🍇", 303),
        ((0..<1_000).map { String($0, radix: 36) }.joined(separator: " "), 303),
        ((0..<2_000).map { String($0, radix: 36) }.joined(separator: " "), 422),
        (String(repeating: "a", count: 1 << 20), 413), ("", 422),
        ("kurz", 422), ("passwordpassword", 422),
    ]

    @Test(.database) func `a password is hashed completely or refused`() async throws {
        try await AppHarness.run { harness in
            for (password, status) in Self.passwords {
                let browser = harness.browser()
                let login = "person\(password.utf8.count)@example.at"
                let link = "/setup/\(try await Invitations(database: harness.database).setUp().secret)"
                let answer = try await browser.post(
                    link, ["household": "Haus", "name": "Anna", "email": login, "password": password],
                    on: try await browser.get(link))
                #expect(answer.status.code == status, "\(password.prefix(20))")
                guard status == 303 else {
                    let createdCount = try harness.owner().query("SELECT count(*) FROM person WHERE login = \(login)")
                    #expect(try createdCount.first(Int64.self) == 0)
                    continue
                }
                #expect(try await SignInScene.signIn(harness.browser(), login, password).status == .seeOther)
                // The whole password is hashed, including its last character.
                let shorter = try await SignInScene.signIn(harness.browser(), login, String(password.dropLast()))
                #expect(shorter.status == .unprocessableContent)
            }
        }
    }

    @Test(.database) func `composed and decomposed umlauts are equal in passwords`() async throws {
        try await AppHarness.run { harness in
            let browser = harness.browser()
            let link = "/setup/\(try await Invitations(database: harness.database).setUp().secret)"
            let answer = try await browser.post(
                link,
                [
                    "household": "Haus", "name": "Anna", "email": "anna@example.at",
                    "password": "Gr\u{fc}ne \u{c4}pfel 2026",
                ],
                on: try await browser.get(link))
            #expect(answer.status == .seeOther)
            let other = try await SignInScene.signIn(
                harness.browser(), "anna@example.at", "Gru\u{308}ne A\u{308}pfel 2026")
            #expect(other.status == .seeOther)
        }
    }

    // MARK: Sessions

    @Test(.database) func `signing in starts a new session, and a signed-out cookie is invalid`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let name = try await SignInScene.login(anna, harness)
            let old = anna.cookies
            #expect(try await SignInScene.signIn(anna, name, SignInScene.password).status == .seeOther)
            // The browser is already signed in. A GET request of the sign-in page redirects, but its form starts a new
            // session.
            let session = try #require(anna.cookies["__Host-session"])
            #expect(session != old["__Host-session"])
            let stolen = harness.browser()
            stolen.cookies = anna.cookies
            #expect(try await stolen.get("/receipts").status == .ok)
            #expect(try await anna.post("/sign-out").status == .seeOther)
            #expect(try await stolen.get("/receipts").status == .seeOther)
            // A cookie without the prefix is ignored, because another site of the same domain could set it.
            let unprefixed = harness.browser()
            unprefixed.cookies = ["session": old["__Host-session"] ?? ""]
            #expect(try await unprefixed.get("/receipts").status == .seeOther)
            let forgedBrowser = harness.browser()
            forgedBrowser.cookies = ["__Host-session": String(repeating: "A", count: 43)]
            #expect(try await forgedBrowser.get("/receipts").status == .seeOther)
        }
    }

    @Test(.database) func `a new password ends every other session`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let phone = harness.browser()
            #expect(
                try await SignInScene.signIn(phone, try await SignInScene.login(anna, harness), SignInScene.password)
                    .status == .seeOther)
            #expect(try await phone.get("/receipts").status == .ok)
            let changeAnswer = try await anna.post(
                "/settings/password", ["current": SignInScene.password, "password": "fünf Kannen Tee 2026"])
            #expect(changeAnswer.status == .seeOther)
            #expect(try await phone.get("/receipts").status == .seeOther)
            #expect(try await anna.get("/receipts").status == .ok)
        }
    }

    @Test(.database) func `a removed member is refused from the next request on`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let page = try await paul.get("/settings/account")
            #expect(page.status == .ok)
            #expect(try await anna.post("/settings/members/\(paul.person)/removal").status == .seeOther)
            #expect(try await paul.get("/receipts").status == .seeOther)
            let upload = try await paul.upload(
                "/receipts", field: "files", fileName: "a", type: "image/png",
                HostilePictures.png(width: 100, height: 200), on: page)
            #expect(upload.status == .unauthorized)
            #expect(upload.text.contains("Sie sind nicht mehr angemeldet"))
            #expect(try await paul.post("/receipts/drafts", on: page).status == .unauthorized)
            #expect(try harness.owner().query("SELECT count(*) FROM receipt").first(Int64.self) == 0)
            // A lower role applies from the next request on.
            let carla = try await harness.join(anna, as: .member, name: "Carla Weiss")
            try harness.owner().query("UPDATE membership SET role = 'viewer' WHERE person_id = \(carla.person)")
            #expect(try await carla.post("/receipts/drafts").status == .forbidden)
        }
    }

    @Test(.database) func `a one-time link works once`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let secret = try await Invitations(database: harness.database).invite(
                into: anna.household, by: anna.person, role: .member
            ).token.secret
            let fields: KeyValuePairs = [
                "name": "Paul", "email": "paul@example.at", "password": SignInScene.password, "role": "owner",
                "household_id": "x", "is_admin": "true",
            ]
            let first = harness.browser()
            let second = harness.browser()
            let pages = (try await first.get("/join/\(secret)"), try await second.get("/join/\(secret)"))
            #expect(try await first.post("/join/\(secret)", fields, on: pages.0).status == .seeOther)
            #expect(try await second.post("/join/\(secret)", fields, on: pages.1).status == .notFound)
            #expect(try await second.get("/join/\(secret)").status == .notFound)
            // An invitation link cannot set up a household, and the role in the form is ignored.
            #expect(try await second.get("/setup/\(secret)").status == .notFound)
            let roles = try harness.owner().query("SELECT role FROM membership ORDER BY joined_at").decode(String.self)
            #expect(roles == ["owner", "member"])
            let late = try await Invitations(database: harness.database).invite(
                into: anna.household, by: anna.person, role: .member
            ).token.secret
            try harness.owner().query("UPDATE invitation SET expires_at = now() - interval '1 second'")
            #expect(try await second.get("/join/\(late)").status == .notFound)
        }
    }

    // MARK: Forged forms

    @Test(.database) func `a form without this session's token changes nothing`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let other = try await harness.signUp("Paul Huber", household: "Anderswo")
            let own = try #require(try await anna.get("/settings").token)
            let foreign = try #require(try await other.get("/settings").token)
            let type = "application/x-www-form-urlencoded"
            func post(_ token: String?, type: String, _ fields: KeyValuePairs<String, String> = [:]) async throws -> Int
            {
                let text = (token.map { "csrf=\(PercentCoding.encode($0))&" } ?? "") + "household=Gestohlen"
                return try await anna.send(
                    .post, "/settings/household", type: type, Array(text.utf8), fields: fields
                ).status.code
            }
            #expect(try await post(nil, type: type) == 403)
            #expect(try await post(foreign, type: type) == 403)
            #expect(try await post("x", type: type) == 403)
            #expect(try await post(own, type: type, ["Sec-Fetch-Site": "cross-site"]) == 403)
            #expect(try await post(own, type: type, ["Sec-Fetch-Site": "same-site"]) == 403)
            #expect(try await post(own, type: "text/plain") == 415)
            #expect(try await post(own, type: "application/json") == 415)
            for method in ["PUT", "PATCH", "DELETE"] {
                let answer = try await anna.send(
                    .post, "/settings/household?_method=\(method)", type: type,
                    Array("_method=\(method)&household=X".utf8),
                    fields: ["X-HTTP-Method-Override": method])
                #expect(answer.status == .forbidden)
            }
            // A link from another site changes nothing.
            #expect(try await anna.get("/settings/household?household=Gestohlen").status == .ok)
            let name = try harness.owner().query("SELECT name FROM household WHERE id = \(anna.household)").first(
                String.self)
            #expect(name == "Haus")
            #expect(try await post(own, type: type) == 303)
        }
    }

    @Test(.database) func `a form from another origin changes nothing`() async throws {
        try await AppHarness.run { harness in
            for origin in ["null", "https://evil.example", "http://localhost:8080.evil.example"] {
                let anna = try await harness.signUp()
                let token = try #require(try await anna.get("/settings").token)
                let body = Array("csrf=\(PercentCoding.encode(token))&household=Gestohlen".utf8)
                // Browsers that send no fetch metadata send an origin.
                let answer = try await anna.send(
                    .post, "/settings/household", type: nil, body: RequestBody(body),
                    fields: [
                        "Content-Type": "application/x-www-form-urlencoded", "Content-Length": "\(body.count)",
                        "Origin": origin,
                    ])
                #expect(answer.status == .forbidden)
            }
        }
    }

    // MARK: Redirects

    @Test(.database) func `signing in never redirects to another site`() async throws {
        try await AppHarness.run { harness in
            for next in [
                "//evil.com", "https:evil", "/\\evil.com", "/\t/evil.com", "javascript:alert(1)", "https://evil.com/",
                "\\\\evil.com",
                "/\r\nSet-Cookie: a=b", "http:/evil.com", "/%09/evil.com", "///evil.com",
            ] {
                let name = try await SignInScene.login(try await harness.signUp(), harness)
                let answer = try await SignInScene.signIn(harness.browser(), name, SignInScene.password, next: next)
                #expect(answer.status == .seeOther)
                let location = try #require(answer.location)
                #expect(location.hasPrefix("/") && !location.hasPrefix("//") && !location.contains("\\"), "\(location)")
                #expect(location.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(location)")
                #expect(!answer.headers.values(.setCookie).contains { $0.hasPrefix("a=") })
                let page = try await harness.browser().get("/sign-in?next=\(PercentCoding.encode(next))")
                #expect(!page.text.contains("javascript:") && !page.text.contains("evil.com\""))
            }
        }
    }
}
