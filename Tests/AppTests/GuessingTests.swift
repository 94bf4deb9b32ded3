import Crypto
import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Password guessing: sequentially, in parallel, on many accounts, and from many addresses.
@Suite(.timeLimit(.minutes(5))) struct GuessingTests {
    /// The text of the page without random values and without the entered login.
    private func text(_ answer: Answer, without login: String) -> String {
        answer.text.replacing(login, with: "").replacing(/value="[^"]*"/, with: "").replacing(/nonce="[^"]*"/, with: "")
    }

    @Test(.database) func `an unknown name and a wrong password get the same answer`() async throws {
        try await AppHarness.run { harness in
            let knownLogin = try await SignInScene.login(try await harness.signUp(), harness)
            let wrong = try await SignInScene.signIn(harness.browser(), knownLogin, "fünf Tassen Kaffee 7")
            let unknown = try await SignInScene.signIn(harness.browser(), "niemand@example.at", "fünf Tassen Kaffee 7")
            #expect(wrong.status == unknown.status)
            #expect(wrong.status == .unprocessableContent)
            #expect(text(wrong, without: knownLogin) == text(unknown, without: "niemand@example.at"))
            #expect(wrong.headers.count == unknown.headers.count)
        }
    }

    @Test(.database) func `an attempt costs exactly one hash evaluation, whether the name is known or not`()
        async throws
    {
        try await AppHarness.run { harness in
            let knownLogin = try await SignInScene.login(try await harness.signUp(), harness)
            // The hasher has the cost of the harness, so that a correct password is not hashed again.
            let passwords = PasswordHasher(cost: AppHarness.passwordCost)
            let signIn = SignIn(
                database: harness.database, sessions: Sessions(database: harness.database), passwords: passwords)
            var evaluations: [Int] = []
            for (name, password) in [
                (knownLogin, "falsch falsch 1"), ("niemand@example.at", "falsch falsch 1"),
                (knownLogin, SignInScene.password),
            ] {
                let evaluationsBefore = passwords.startedEvaluationCount
                _ = try await signIn.attempt(
                    login: name, password: password, from: PeerAddress.loopback.network, client: "")
                evaluations.append(passwords.startedEvaluationCount - evaluationsBefore)
            }
            #expect(evaluations == [1, 1, 1])
        }
    }

    @Test(.database) func `guesses on one account are delayed, and its sessions stay valid`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let name = try await SignInScene.login(anna, harness)
            let passwords = PasswordHasher()
            let signIn = SignIn(
                database: harness.database, sessions: Sessions(database: harness.database), passwords: passwords)
            var blocked = 0
            // Each attempt comes from another network. The counter of the account delays the attempts anyway.
            for number in 0..<1_000 as Range<UInt64> {
                let peer = PeerAddress(high: 0x2001_0db8_0000_0000 + number, low: number, port: 1)
                if case .blocked = try await signIn.attempt(
                    login: name, password: "Versuch Nummer \(number)", from: peer.network, client: "")
                {
                    blocked += 1
                }
            }
            // Five attempts are not delayed. The delays after them are 1, 2, 4 … seconds. The thousand attempts take
            // less time than these delays, so most are blocked.
            #expect(blocked > 900)
            #expect(passwords.startedEvaluationCount < 50)
            #expect(try await anna.get("/receipts").status == .ok)
            let page = try await SignInScene.signIn(harness.browser(), name, SignInScene.password)
            #expect(page.status == .tooManyRequests || page.status == .seeOther)
            if page.status == .tooManyRequests { #expect(page.headers[.retryAfter] != nil) }
        }
    }

    @Test(.database) func `parallel guesses on one account are limited like sequential ones`() async throws {
        try await AppHarness.run { harness in
            let name = try await SignInScene.login(try await harness.signUp(), harness)
            let passwords = PasswordHasher()
            let signIn = SignIn(
                database: harness.database, sessions: Sessions(database: harness.database), passwords: passwords)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 as Range<UInt64> {
                    let peer = PeerAddress(high: 0x2001_0db8_0000_0000 + number, low: number, port: 1)
                    group.addTask {
                        _ = try await signIn.attempt(
                            login: name, password: "Versuch Nummer \(number)", from: peer.network, client: "")
                    }
                }
                try await group.waitForAll()
            }
            // Five attempts are not delayed. The delays after them are 1, 2, 4 … seconds. On a slow machine some delays
            // end during the test.
            #expect((1...20).contains(passwords.startedEvaluationCount), "\(passwords.startedEvaluationCount)")
        }
    }

    @Test(.database) func `signs a person in on a known device while strangers guess the password`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let name = try await SignInScene.login(anna, harness)
            let signIn = SignIn(
                database: harness.database, sessions: Sessions(database: harness.database), passwords: PasswordHasher())
            func attempt(_ password: String, _ number: UInt64, device: Token? = nil) async throws -> SignIn.Outcome {
                let peer = PeerAddress(high: 0x2001_0db8_0000_0000 + number, low: 1, port: 1)
                return try await signIn.attempt(
                    login: name, password: password, from: peer.network, client: "", device: device)
            }
            guard case .signedIn(_, let cookie) = try await attempt(SignInScene.password, 0) else {
                Issue.record("cannot sign in")
                return
            }
            let device = try #require(Token(cookie.value))
            try harness.owner().query(
                """
                INSERT INTO sign_in_failure (subject, failures, blocked_until)
                VALUES (\(sha256("name \(name)".utf8)), 40, now() + interval '1 hour')
                """)
            // The sign-in is blocked without a device cookie, and with a forged device cookie.
            for foreign in [nil, Token.random()] {
                guard case .blocked = try await attempt(SignInScene.password, 1, device: foreign) else {
                    Issue.record("evaluated on an unknown device")
                    return
                }
            }
            guard case .signedIn(_, let again) = try await attempt(SignInScene.password, 2, device: device) else {
                Issue.record("blocked on a known device")
                return
            }
            #expect(again.value == cookie.value)
            // Guesses with the cookie are delayed as well.
            var blocked = 0
            for _ in 0..<20 {
                if case .blocked = try await attempt("falsch falsch 1", 3, device: device) { blocked += 1 }
            }
            #expect(blocked > 5)
        }
    }

    @Test(.database) func `blocked attempts count for their network`() async throws {
        try await AppHarness.run { harness in
            let name = try await SignInScene.login(try await harness.signUp(), harness)
            let signIn = SignIn(
                database: harness.database, sessions: Sessions(database: harness.database), passwords: PasswordHasher())
            let network = PeerAddress(high: 0x2001_0db8_0000_0007, low: 1, port: 1).network
            for _ in 0..<40 {
                _ = try await signIn.attempt(login: name, password: "falsch falsch 1", from: network, client: "")
            }
            let other = try await signIn.attempt(
                login: "niemand@example.at", password: "falsch falsch 1", from: network, client: "")
            guard case .blocked = other else {
                Issue.record("the network is not delayed: \(other)")
                return
            }
        }
    }

    /// The password is changed after the sign-in has verified the old one and before it begins the session.
    @Test(.database, arguments: [PasswordCost(), PasswordCost(memory: 64, passes: 1, lanes: 1)])
    func `a password change during a sign-in prevents the session and stays stored`(cost: PasswordCost) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let name = try await SignInScene.login(anna, harness)
            let owner = try harness.owner()
            let entered = try #require(Password(entered: SignInScene.password))
            // With an older cost, the sign-in also stores a new hash.
            let old = try await PasswordHasher(cost: cost).hash(entered).encoded
            try owner.query("UPDATE person SET password_hash = \(old) WHERE login = \(name)")
            let sessions = try owner.query("SELECT count(*) FROM session").first(Int64.self)

            let changing = try harness.owner()
            try changing.query("BEGIN")
            try changing.query("UPDATE person SET password_hash = 'new' WHERE login = \(name)")
            let visitor = Visitor(browser: harness.browser())
            async let status = SignInScene.signIn(visitor.browser, name, SignInScene.password).status
            // The sign-in waits for the lock on the row.
            try await owner.waitForBlockedStatement()
            try changing.query("COMMIT")
            #expect(try await status == .unprocessableContent)
            #expect(try owner.query("SELECT count(*) FROM session").first(Int64.self) == sessions)
            let hash = try owner.query("SELECT password_hash FROM person WHERE login = \(name)").first(String.self)
            #expect(hash == "new")
        }
    }

    @Test(.database) func `a member removed during a sign-in is signed in to another household`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let karl = try await harness.signUp("Karl Fremd", household: "Anderswo")
            let name = try await SignInScene.login(ben, harness)
            try harness.addMember(ben, to: karl.household, as: .member)
            let removing = try harness.owner()
            try removing.query("BEGIN")
            try removing.query(
                "DELETE FROM membership WHERE household_id = \(anna.household) AND person_id = \(ben.person)")
            let visitor = Visitor(browser: harness.browser())
            async let location = SignInScene.signIn(visitor.browser, name, SignInScene.password).location
            let owner = try harness.owner()
            try await owner.waitForBlockedStatement()
            try removing.query("COMMIT")
            #expect(try await location == "/")
            #expect(try await visitor.browser.get("/settings/household").text.contains("Karl Fremd"))
        }
    }

    @Test(.database) func `the application's database role can neither read nor change password hashes`() async throws {
        try await AppHarness.run { harness in
            for statement: SQL in [
                "SELECT password_hash FROM person", "SELECT * FROM person", "UPDATE person SET password_hash = 'x'",
            ] {
                let error = await #expect(throws: PostgresError.self) { try await harness.database.query(statement) }
                #expect(error?.sqlState == .insufficientPrivilege)
            }
        }
    }

    @Test(.database) func `an open session cannot be used to guess the password`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let fields: KeyValuePairs = ["current": "geraten", "password": "fünf Tassen Kaffee 8"]
            #expect(try await anna.post("/settings/password", fields).status == .unprocessableContent)
            let owner = try harness.owner()
            #expect(try owner.query("SELECT count(*) FROM sign_in_failure WHERE failures = 1").first(Int64.self) == 2)
            // During a delay no password is evaluated, not even the right password.
            try owner.query("UPDATE sign_in_failure SET blocked_until = now() + interval '1 hour'")
            for current in ["geraten", SignInScene.password] {
                let answer = try await anna.post(
                    "/settings/password", ["current": current, "password": "fünf Tassen Kaffee 8"])
                #expect(answer.status == .tooManyRequests)
                #expect(answer.headers[.retryAfter] != nil)
            }
            // The form keeps the typed address.
            let answer = try await anna.post(
                "/settings/email", ["email": "neu@example.at", "current": SignInScene.password])
            #expect(answer.status == .tooManyRequests && answer.text.contains("value=\"neu@example.at\""))
        }
    }

    @Test(.database) func `trying one password on many accounts from one IPv6 network is slowed down`() async throws {
        try await AppHarness.run { harness in
            let passwords = PasswordHasher()
            let signIn = SignIn(
                database: harness.database, sessions: Sessions(database: harness.database), passwords: passwords)
            var blocked = 0
            for number in 0..<500 as Range<UInt64> {
                // Each attempt has another address of the same /64 network.
                let peer = PeerAddress(high: 0x2001_0db8_0000_0001, low: number, port: 1)
                if case .blocked = try await signIn.attempt(
                    login: "person\(number)@example.at", password: "Sommer2026 Wien", from: peer.network, client: "")
                {
                    blocked += 1
                }
            }
            #expect(blocked > 400)
            #expect(passwords.startedEvaluationCount < 80)
        }
    }

    @Test(.database) func `sign-ins beyond the memory limit are refused with 503 and not counted as failures`()
        async throws
    {
        try await AppHarness.run { harness in
            let form = try await harness.browser().get("/sign-in")
            #expect(form.status == .ok)
            var statuses: [Int: Int] = [:]
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<100 as Range<UInt64> {
                    let browser = harness.browser()
                    browser.peer = PeerAddress(high: 0x2001_0db8_0000_0000 + number, low: 1, port: 1)
                    let page = try await browser.get("/sign-in")
                    let visitor = Visitor(browser: browser)
                    group.addTask {
                        try await visitor.browser.post(
                            "/sign-in",
                            ["email": "\(number)@example.at", "password": SignInScene.password, "next": "/"],
                            on: page
                        ).status.code
                    }
                }
                for try await status in group { statuses[status, default: 0] += 1 }
            }
            #expect(Set(statuses.keys).isSubset(of: [422, 503]), "\(statuses)")
            #expect(statuses[422, default: 0] > 0)
            // Attempts that were refused for lack of memory are not counted.
            let counted = try harness.owner().query("SELECT count(*) FROM sign_in_failure WHERE failures > 0")
                .first(Int64.self)
            #expect(counted == Int64(statuses[422, default: 0] * 2))
        }
    }

    /// Safe to share: passed to one task only.
    private struct Visitor: @unchecked Sendable {
        let browser: Browser
    }
}
