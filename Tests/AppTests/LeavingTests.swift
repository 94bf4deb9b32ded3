import Crypto
import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Leaving a household.
@Suite(.timeLimit(.minutes(5))) struct LeavingTests: BankSuite {
    private static let path = "/settings/account/removal"

    @Test(.database) func `leaving needs the password, ends the session, and frees the e-mail address`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .viewer)
            let other = try await harness.join(anna, as: .member, name: "Clara Huber")
            let refusal = try await ben.post(Self.path, ["current": "falsch falsch 1"])
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("leave-current-error"))
            #expect(try await ben.post(Self.path, ["current": SignInScene.password]).location == "/sign-in")
            #expect(try await ben.get("/sign-in").text.contains("Sie haben den Haushalt verlassen."))
            #expect(try await ben.get("/receipts").location?.hasPrefix("/sign-in") == true)
            let owner = try harness.owner()
            let rows = try owner.query(
                """
                SELECT login LIKE 'removed %', (SELECT count(*) FROM membership m WHERE m.person_id = p.id)
                    + (SELECT count(*) FROM session s WHERE s.person_id = p.id)
                FROM person p WHERE p.id = \(ben.person)
                """)
            let (isFree, count) = try #require(try rows.first((Bool, Int64).self))
            #expect(isFree && count == 0)
            #expect(try await other.get("/receipts").status == .ok)
        }
    }

    @Test(.database, arguments: [false, true])
    func `the password, devices and links of a person without a household are deleted`(leaves: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let login = try await SignInScene.login(ben, harness)
            #expect(try await SignInScene.signIn(harness.browser(), login, SignInScene.password).location == "/")
            let link = try await PasswordResets(database: harness.database).create(login: login)
            let token = try #require(link)
            #expect(try await harness.browser().get("/reset/\(token.secret)").status == .ok)
            let ended =
                leaves
                ? try await ben.post(Self.path, ["current": SignInScene.password])
                : try await anna.post("/settings/members/\(ben.person)/removal")
            #expect(ended.status == .seeOther)
            let rows = try harness.owner().query(
                """
                SELECT p.password_hash, (SELECT count(*) FROM known_device d WHERE d.person_id = p.id)
                FROM person p WHERE p.id = \(ben.person)
                """)
            let (hash, devices) = try #require(try rows.first((String, Int64).self))
            #expect(hash == "!" && devices == 0)
            #expect(try await harness.browser().get("/reset/\(token.secret)").status == .notFound)
        }
    }

    @Test(.database, arguments: [false, true])
    func `data that only one person sees is deleted with the membership of that person`(leaves: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let owner = try harness.owner()
            let shared = try await ben.expense("5", "Kino")
            let personal = try await ben.expense("6", "Geheimkauf", [("personal", "1")])
            let file = try #require(
                try await upload(self.file("02.11.2026;02.11.2026;Geheimpayee;Lastschrift;Abo;-12,99;EUR"), ben)
                    .location)
            #expect(try await ben.post("\(file)/confirmation").location == "/bank-files")
            let other = try #require(
                try await upload(self.file("03.11.2026;;Nachbar;Karte;;-3,20;EUR"), anna).location)
            #expect(try await anna.post("\(other)/confirmation").location == "/bank-files")
            let ended =
                leaves
                ? try await ben.post(Self.path, ["current": SignInScene.password])
                : try await anna.post("/settings/members/\(ben.person)/removal")
            #expect(ended.status == .seeOther)

            let files = try owner.query("SELECT person_id FROM bank_import").decode(PersonID.self)
            #expect(files == [anna.person])
            #expect(try owner.query("SELECT count(*) FROM bank_booking").first(Int64.self) == 1)
            let logged = try owner.query(
                """
                SELECT (SELECT count(*) FROM change_log WHERE document_type = 'bank_file' AND body::text LIKE '%Abo%')
                    + (SELECT count(*) FROM document_revision
                        WHERE document_type = 'bank_file' AND body::text LIKE '%Abo%')
                """)
            #expect(try logged.first(Int64.self) == 0)
            let discarded = try owner.query("SELECT id FROM expense WHERE discarded_at IS NOT NULL")
            #expect(try discarded.decode(ExpenseID.self) == [personal])
            #expect(try await anna.get("/expenses/\(shared)").text.contains("Kino"))
            #expect(try await anna.get("/bank-files").status == .ok)
        }
    }

    @Test(.database) func `a person who leaves one of two households keeps the account`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let karl = try await harness.signUp("Karl Fremd", household: "Anderswo")
            let login = try await SignInScene.login(ben, harness)
            try harness.addMember(ben, to: karl.household, as: .member)
            #expect(try await ben.post(Self.path, ["current": SignInScene.password]).location == "/sign-in")
            #expect(try await SignInScene.signIn(ben, login, SignInScene.password).location == "/")
            #expect(try await ben.get("/settings/household").text.contains("Karl Fremd"))
        }
    }

    @Test(.database) func `a second click on leaving says that the person has left`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let page = try await ben.get("/settings/account")
            let membership = try #require(page.attribute("value", after: "name=\"membership\""))
            func leave(_ membership: String) async throws -> Answer {
                try await ben.post(
                    Self.path, ["membership": membership, "current": SignInScene.password], on: page)
            }
            let cookies = ben.cookies
            for _ in 0..<2 {
                ben.cookies = cookies
                #expect(try await leave(membership).location == "/sign-in")
                #expect(try await ben.get("/sign-in").text.contains("Sie haben den Haushalt verlassen."))
            }
            // Anna's membership still exists, so the form is refused because the session has ended.
            ben.cookies = cookies
            let other = try await leave("\(anna.household) \(anna.person)")
            #expect(other.status == .unauthorized)
        }
    }

    @Test(.database) func `the account is deleted if two households remove the person at the same time`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let karl = try await harness.signUp("Karl Fremd", household: "Anderswo")
            try harness.addMember(ben, to: karl.household, as: .member)
            let person = ben.person
            // As in a removal by Karl that is not yet complete.
            let removing = try harness.owner()
            try removing.query("BEGIN")
            try removing.query(
                "DELETE FROM membership WHERE household_id = \(karl.household) AND person_id = \(person)")
            try removing.query("SELECT 1 FROM person WHERE id = \(person) FOR UPDATE")
            let visitor = Visitor(browser: anna)
            async let status = visitor.browser.post("/settings/members/\(person)/removal").status
            let owner = try harness.owner()
            try await owner.waitForBlockedStatement()
            try removing.query("COMMIT")
            #expect(try await status == .seeOther)
            let rows = try owner.query("SELECT login LIKE 'removed %', password_hash FROM person WHERE id = \(person)")
            let (isFree, hash) = try #require(try rows.first((Bool, String).self))
            #expect(isFree && hash == "!")
        }
    }

    /// Safe to share: passed to one task only.
    private struct Visitor: @unchecked Sendable {
        let browser: Browser
    }

    @Test(.database) func `the last owner cannot leave`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let alone = try await anna.post(Self.path, ["current": SignInScene.password])
            #expect(alone.status == .unprocessableContent && alone.text.contains("Sie sind das einzige Mitglied"))
            #expect(alone.text.contains("löschen Sie dort den Haushalt"))
            let ben = try await harness.join(anna, as: .member)
            let refusal = try await anna.post(Self.path, ["current": SignInScene.password])
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("Es muss einen Inhaber geben"))
            #expect(refusal.text.contains("jemand anderen zum Inhaber"))
            #expect(try await anna.get("/settings/household").status == .ok)
            #expect(try await anna.post("/settings/members/\(ben.person)/ownership").status == .seeOther)
            #expect(try await anna.post(Self.path, ["current": SignInScene.password]).location == "/sign-in")
            let owners = try harness.owner().query("SELECT person_id FROM membership WHERE role = 'owner'")
            #expect(try owners.decode(PersonID.self) == [ben.person])
        }
    }
}
