import Crypto
import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Keys of the API: their format, owner and expiry.
@Suite(.timeLimit(.minutes(5))) struct KeyTests {
    @Test func `a key has a prefix, and its checksum detects every wrong character`() throws {
        let key = KeyText.random()
        let secret = key.secret
        #expect(secret.hasPrefix("at_") && secret.utf8.count == 52)
        #expect(KeyText(secret)?.token == key.token)
        #expect(key.hint == secret.prefix(9))
        for index in secret.indices {
            var changed = secret
            changed.replaceSubrange(index...index, with: secret[index] == "a" ? "b" : "a")
            #expect(KeyText(changed) == nil, "\(changed)")
        }
        for wrong in ["", "at_", secret + "0", String(secret.dropLast()), " " + secret, secret.uppercased()] {
            #expect(KeyText(wrong) == nil)
        }
    }

    @Test(.database) func `the page shows a new key once, lists it, and revokes it`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let creationAnswer = try await anna.post(
                "/settings/keys", ["name": "Kurzbefehl", "scope-read": "1", "scope-upload": "1", "days": "90"])
            let secret = try #require(creationAnswer.attribute("value", after: "class=\"input secret\" id=\"key\""))
            #expect(creationAnswer.status == .ok && KeyText(secret) != nil)
            let page = try await anna.get("/settings/keys").text
            #expect(page.contains("Kurzbefehl") && page.contains(secret.prefix(9)) && !page.contains(secret))
            let caller = Caller(browser: harness.browser(), key: secret)
            let me = try await caller.get("/api/v1/members/me").json
            #expect(me["id"]?.string == anna.person.description)
            #expect(me["household"]?.string == anna.household.description)
            #expect(me["scopes"]?.array?.compactMap(\.string) == ["read", "upload"])
            let revoke = try #require(
                page.firstMatch(of: #/\/settings\/keys\/[0-9a-f-]+\/revocation/#).map { String($0.output) })
            // The page asks before it revokes the key.
            #expect(page.section("own-keys").contains("<details class=\"ask\">"))
            #expect(page.contains("Auch Schlüssel, die damit erstellt wurden, gelten nicht mehr."))
            // Another member cannot revoke the key.
            let ben = try await harness.join(anna, as: .owner)
            #expect(try await ben.post(revoke).status == .notFound)
            #expect(try await anna.post(revoke).location == "/settings/keys")
            #expect(try await caller.get("/api/v1/members/me").status == .unauthorized)
        }
    }

    @Test(.database) func `a key needs a name, a scope and one of the offered durations`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.post("/settings/keys", ["name": " ", "days": "30"])
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("name-error") && answer.text.contains("scopes-error"))
            #expect(try await anna.post("/settings/keys", ["name": "x", "days": "31"]).status == .badRequest)
        }
    }

    @Test(.database) func `changing the password shows the keys that stay valid, and revokes them all if asked`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let bens = try await harness.caller(ben)
            #expect(try await !anna.get("/settings/account").text.contains("revoke-keys"))
            let caller = try await harness.caller(anna)
            let expired = try await harness.caller(anna, days: 30)
            try harness.owner().query(
                """
                UPDATE api_key SET name = 'Abgelaufen', expires_at = now() - interval '1 day'
                WHERE expires_at IS NOT NULL
                """
            )
            let page = try await anna.get("/settings/account").text
            #expect(page.contains(">Test</span>") && !page.contains("Abgelaufen"))
            #expect(page.contains("name=\"revoke-keys\" value=\"1\">"))
            // A refused form keeps the ticked box.
            let refusal = try await anna.post(
                "/settings/password", ["current": "falsch", "password": "neun Teller Suppe 4", "revoke-keys": "1"])
            #expect(refusal.status == .unprocessableContent)
            #expect(refusal.text.contains("name=\"revoke-keys\" value=\"1\" checked"))
            func change(_ old: String, to new: String, _ more: [(String, String)]) async throws {
                let changeAnswer = try await anna.post(
                    "/settings/password", pairs: [("current", old), ("password", new)] + more)
                #expect(changeAnswer.location == "/settings/account")
            }
            try await change(SignInScene.password, to: "neun Teller Suppe 4", [])
            #expect(try await caller.get("/api/v1/members/me").status == .ok)
            try await change("neun Teller Suppe 4", to: "zehn Gläser Saft 5", [("revoke-keys", "1")])
            #expect(try await anna.get("/settings/account").text.contains("alle API-Schlüssel widerrufen"))
            for ended in [caller, expired] {
                #expect(try await ended.get("/api/v1/members/me").status == .unauthorized)
            }
            #expect(try await bens.get("/api/v1/members/me").status == .ok)
        }
    }

    @Test(.database) func `a key over the limit is refused without a Retry-After header`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let keys = APIKeys(database: harness.database)
            for _ in 1..<APIKeys.limit {
                _ = try await keys.create("x", scopes: [.read], days: nil, for: anna.person, in: anna.household)
            }
            let page = try await anna.post("/settings/keys", ["name": "Zuviel", "scope-read": "1", "days": "30"])
            #expect(page.status == .unprocessableContent && page.headers[.retryAfter] == nil)
            #expect(page.text.contains("höchstens 50 Schlüssel") && page.text.contains("value=\"Zuviel\""))
            let answer = try await caller.post("/api/v1/keys", #"{"name": "x", "scopes": ["read"]}"#)
            #expect(answer.status == .conflict && answer.headers[.retryAfter] == nil)
            #expect(answer.text.contains("There are 50 keys already."))
            let login = try #require(try harness.owner().query("SELECT login FROM person").first(String.self))
            let (status, output) = try KilledBackupTests.run(["keys", "create", login, "x", "read"])
            #expect(status == 1 && output.contains("the account has 50 keys already"), "\(output)")
        }
    }

    @Test(.database) func `a key becomes invalid when it expires and when the membership ends`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let limited = try await harness.caller(anna, days: 30)
            let bens = try await harness.caller(ben)
            #expect(try await limited.get("/api/v1/members/me").status == .ok)
            try harness.owner().query(
                "UPDATE api_key SET expires_at = now() - interval '1 second' WHERE expires_at > now()")
            #expect(try await limited.get("/api/v1/members/me").status == .unauthorized)
            #expect(try await bens.get("/api/v1/members/me").status == .ok)
            #expect(try await anna.post("/settings/members/\(ben.person)/removal").status == .seeOther)
            #expect(try await bens.get("/api/v1/members/me").status == .unauthorized)
        }
    }

    @Test(.database) func `a key that was created with another key expires no later and is revoked with it`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (maker, lasting) = (try await harness.caller(anna, days: 2), try await harness.caller(anna))
            func make(_ caller: Caller, _ days: String) async throws -> (id: String, expires: String?, caller: Caller) {
                let body = #"{"name": "Neu", "scopes": ["read"]\#(days)}"#
                let creationAnswer = try await caller.post("/api/v1/keys", body)
                try #require(creationAnswer.status == .created, "\(creationAnswer.text)")
                let json = try creationAnswer.json
                let key = try #require(json["key"]?.string)
                return (
                    try #require(json["id"]?.string), json["expires_at"]?.string,
                    Caller(browser: harness.browser(), key: key)
                )
            }
            let listed = try #require(try await lasting.get("/api/v1/keys").json["keys"]?.array)
            let ends = listed.compactMap { $0["expires_at"]?.string }
            let end = try #require(ends.first)
            let later = try await make(maker, #", "days": 3650"#)
            #expect(later.expires == end)
            #expect(try await make(maker, "").expires == end)
            let shorter = try #require(try await make(maker, #", "days": 1"#).expires)
            #expect(shorter < end)
            #expect(try await make(lasting, "").expires == nil)
            let tooMuch = try await later.caller.post("/api/v1/keys", #"{"name": "x", "scopes": ["admin"]}"#)
            #expect(tooMuch.status == .forbidden)
            // Revoking a key also revokes the keys that were created with it.
            #expect(try await later.caller.get("/api/v1/members/me").status == .ok)
            let id = try #require(listed.first { $0["expires_at"]?.string == end }?["id"]?.string)
            #expect(try await lasting.send(.delete, "/api/v1/keys/\(id)").status == .noContent)
            #expect(try await later.caller.get("/api/v1/members/me").status == .unauthorized)
            #expect(try await lasting.get("/api/v1/members/me").status == .ok)
        }
    }

    @Test(.database) func `a key is also accepted as the password of HTTP Basic`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            // The name ends at the first colon (RFC 7617 §2), so after "anna:x" the password begins with "x:".
            for (name, status) in [("", Status.ok), ("anna", .ok), ("anna:x", .unauthorized)] {
                let text = Base64URL.encode(Array("\(name):\(caller.key)".utf8))
                    .replacing("-", with: "+").replacing("_", with: "/")
                let padded = text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
                let answer = try await harness.browser().send(
                    .get, "/api/v1/members/me", type: nil, [], fields: ["Authorization": "Basic \(padded)"])
                #expect(answer.status == status, "\(name)")
            }
            let wrong = try await harness.browser().send(
                .get, "/api/v1/members/me", type: nil, [], fields: ["Authorization": "Basic eDp5"])
            #expect(wrong.status == .unauthorized)
            #expect(wrong.headers["WWW-Authenticate"]?.contains("Basic") == true)
        }
    }

    @Test(.database) func `a browser gets no challenge that opens a password dialog`() async throws {
        try await AppHarness.run { harness in
            let answer = try await harness.browser().send(
                .get, "/api/v1/members/me", type: nil, [], fields: ["Sec-Fetch-Mode": "cors"])
            #expect(answer.status == .unauthorized)
            #expect(answer.headers["WWW-Authenticate"] == "Bearer realm=\"AllesTeurer\"")
        }
    }

    @Test(.database) func `limits attempts with unknown keys per network, but not requests with valid keys`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            var statuses: Set<Int> = []
            for _ in 0..<25 {
                let unknownCaller = Caller(browser: harness.browser(), key: KeyText.random().secret)
                statuses.insert(try await unknownCaller.get("/api/v1/members/me").status.code)
            }
            #expect(statuses == [401, 429])
            #expect(try await caller.get("/api/v1/members/me").status == .ok)
            // A malformed key is refused without being counted as a guess.
            let callerWithBrokenKey = Caller(browser: harness.browser(), key: "at_nothing")
            #expect(try await callerWithBrokenKey.get("/api/v1/members/me").status == .unauthorized)
        }
    }

    @Test(.database) func `the last use is stored at most every ten minutes`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            func lastUse() throws -> PostgresInstant? {
                try harness.owner().query("SELECT used_at FROM api_key").first(PostgresInstant?.self) ?? nil
            }
            #expect(try lastUse() == nil)
            _ = try await caller.get("/api/v1/members/me")
            let first = try #require(try lastUse())
            _ = try await caller.get("/api/v1/members/me")
            #expect(try lastUse() == first)
        }
    }
}
