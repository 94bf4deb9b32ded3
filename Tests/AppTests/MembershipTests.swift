import Crypto
import Domain
import EventLoop
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Members and owners of a household.
@Suite(.timeLimit(.minutes(5))) struct MembershipTests {
    private func owners(_ harness: AppHarness) throws -> Set<PersonID> {
        Set(try harness.owner().query("SELECT person_id FROM membership WHERE role = 'owner'").decode(PersonID.self))
    }

    @Test(.database) func `the page asks before a member is removed, and explains the consequences`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let page = try await anna.get("/settings/household").text
            let question = try #require(
                page.components(separatedBy: "<details class=\"ask\">").dropFirst().first?
                    .components(separatedBy: "</details>").first)
            #expect(question.contains("Das lässt sich nicht rückgängig machen."))
            #expect(question.contains("action=\"/settings/members/\(ben.person)/removal\""))
        }
    }

    @Test(.database) func `an owner can give a member ownership and revoke it; the last owner cannot be demoted`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let path = "/settings/members/\(ben.person)/ownership"
            #expect(try await anna.get("/settings/household").text.contains("Zum Inhaber machen"))
            #expect(!(try await anna.get("/settings/household").text.contains("Zum Mitglied machen")))
            let lastAnswer = try await anna.post("/settings/members/\(anna.person)/ownership/removal")
            #expect(
                lastAnswer.status == .unprocessableContent && lastAnswer.text.contains("Es muss einen Inhaber geben"))
            #expect(try await ben.post(path).status == .forbidden)
            #expect(try await anna.post(path).location == "/settings/household")
            #expect(try owners(harness) == [anna.person, ben.person])
            // Ben is now an owner, too, without signing in again.
            #expect(try await ben.get("/settings/household").text.contains("Zum Mitglied machen"))
            #expect(try await ben.post("/settings/members/\(anna.person)/ownership/removal").status == .seeOther)
            #expect(try owners(harness) == [ben.person])
            #expect(try await anna.post("\(path)/removal").status == .forbidden)
        }
    }

    @Test(.database) func `revoking the ownership of a viewer does not make the viewer a member`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let vera = try await harness.join(anna, as: .viewer)
            _ = try await anna.post("/settings/members/\(vera.person)/ownership/removal")
            let role = try harness.owner().query("SELECT role FROM membership WHERE person_id = \(vera.person)")
            #expect(try role.first(String.self) == "viewer")
        }
    }

    @Test(.database) func `an owner makes a viewer a member, on the page or through the API`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let (vera, paul) = (
                try await harness.join(anna, as: .viewer), try await harness.join(anna, as: .viewer, name: "Paul Neu")
            )
            func role(_ browser: Browser) throws -> String? {
                try owner.query(
                    "SELECT role FROM membership WHERE person_id = \(browser.person)"
                ).first(String.self)
            }
            let path = "/settings/members/\(vera.person)/membership"
            #expect(try await anna.get("/settings/household").text.contains(path))
            #expect(try await vera.post(path).status == .forbidden)
            for _ in 0..<2 { #expect(try await anna.post(path).location == "/settings/household") }
            #expect(try role(vera) == "member")
            #expect(try await vera.get("/receipts/new").status == .ok)
            #expect(!(try await anna.get("/settings/household").text.contains(path)))
            let changed = try await harness.caller(anna).send(
                .patch, "/api/v1/members/\(paul.person)", type: "application/json",
                Array(#"{"role": "member"}"#.utf8), fields: [:])
            #expect(changed.status == .noContent)
            #expect(try role(paul) == "member")
            #expect(try await anna.post("/settings/members/\(anna.person)/membership").status == .seeOther)
            #expect(try role(anna) == "owner")
        }
    }

    @Test(.database) func `forms in other tabs are refused after the person opens another household`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let karl = try await harness.signUp("Karl Fremd", household: "Anderswo")
            let ben = try await harness.join(anna, as: .member)
            try harness.addMember(ben, to: karl.household, as: .member)
            func add(_ name: String, on page: Answer) async throws -> Answer {
                try await ben.post("/settings/categories", ["name": name, "category": ""], on: page)
            }
            func open(_ household: HouseholdID) async throws -> Answer {
                try await ben.post("/settings/households", ["household": household.description])
            }
            let earlier = try await ben.get("/settings/stores-and-categories")
            #expect(try await open(karl.household).location == "/")
            let refused = try await add("Falscher Haushalt", on: earlier)
            #expect(refused.status == .forbidden && refused.text.contains("gehört zu einem anderen Haushalt"))
            let page = try await ben.get("/settings/stores-and-categories")
            #expect(!page.text.contains("Falscher Haushalt"))
            // Forms stay valid if the person opens the same household again.
            #expect(try await open(karl.household).location == "/")
            #expect(try await add("Richtiger Haushalt", on: page).status == .seeOther)
            #expect(try await karl.get("/settings/stores-and-categories").text.contains("Richtiger Haushalt"))
            // The refused form can be sent again in its own household, so that its input is not lost.
            #expect(try await open(anna.household).location == "/")
            #expect(try await add("Eigener Haushalt", on: earlier).status == .seeOther)
            #expect(try await anna.get("/settings/stores-and-categories").text.contains("Eigener Haushalt"))
        }
    }

    @Test(.database) func `a write in progress is refused after its author is removed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            #expect(try await anna.post("/settings/members/\(ben.person)/removal").status == .seeOther)
            // As if a slow upload had begun while Ben was a member.
            let refusal = await #expect(throws: Refusal.self) {
                try await harness.database.write(anna.household, by: ben.person) { changes in
                    changes.changed(.category, CategoryID.new())
                }
            }
            #expect(refusal?.status == .forbidden)
            #expect(
                try harness.owner().query("SELECT count(*) FROM change_log WHERE person_id = \(ben.person)")
                    .first(Int64.self) == 0)
        }
    }

    /// Safe to share: passed to one task only.
    private struct Visitor: @unchecked Sendable {
        let browser: Browser
    }

    @Test(.database) func `changes by owners are refused if they lose this role during the request`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let household = anna.household
            let invitations = Invitations(database: harness.database)
            let invitation = try await invitations.invite(into: household, by: anna.person, role: .member).id
            let owner = try harness.owner()
            let forms: [(path: String, fields: [(String, String)])] = [
                ("/settings/household", [("household", "Anderer Name")]), ("/settings/personal-details", []),
                ("/settings/region", [("currency", "CHF"), ("country", "CH"), ("zone", "")]),
                ("/settings/invitations/\(invitation)/revocation", []),
            ]
            for (path, fields) in forms {
                try owner.query("UPDATE membership SET role = 'owner' WHERE household_id = \(household)")
                let demoting = try harness.owner()
                try demoting.query("BEGIN")
                try demoting.query("SELECT 1 FROM household WHERE id = \(household) FOR UPDATE")
                try demoting.query("UPDATE membership SET role = 'member' WHERE household_id = \(household)")
                let visitor = Visitor(browser: anna)
                async let status = visitor.browser.post(path, pairs: fields).status
                try await owner.waitForBlockedStatement()
                try demoting.query("COMMIT")
                #expect(try await status == .forbidden, "\(path)")
            }
            let former = Member.owner(anna.person, household)
            let revoking = await #expect(throws: Refusal.self) {
                _ = try await invitations.revoke(invitation, by: former)
            }
            let confirming = await #expect(throws: Refusal.self) {
                try await WebhookEdits(database: harness.database).confirm(.new(), by: former)
            }
            #expect(revoking?.status == .forbidden && confirming?.status == .forbidden)
            let rows = try owner.query(
                """
                SELECT name, currency, (SELECT count(*) FROM invitation WHERE household_id = h.id AND used_at IS NULL)
                FROM household h WHERE id = \(household)
                """)
            let (name, currency, count) = try #require(try rows.first((String, String, Int64).self))
            #expect(name == "Haus" && currency == "EUR" && count == 1)
        }
    }

    private static func removeOrDemote(
        _ person: PersonID, by member: Member, removes: Bool, _ database: Database
    ) async {
        let memberships = Memberships(database: database)
        if removes {
            try? await memberships.remove(person, by: member)
        } else {
            try? await memberships.setRole(.member, of: person, by: member)
        }
    }

    @Test(.database, arguments: ["/ownership/removal", "/removal"])
    func `if two owners demote or remove each other at the same time, one owner remains`(action: String) async throws {
        try await AppHarness.run { harness in
            for _ in 0..<5 {
                let anna = try await harness.signUp()
                let ben = try await harness.join(anna, as: .owner)
                // Both requests pass the check of the role before one of them writes.
                let household = anna.household
                let (annaID, benID) = (anna.person, ben.person)
                let database = harness.database
                async let first: Void = Self.removeOrDemote(
                    benID, by: .owner(annaID, household), removes: action == "/removal", database)
                async let second: Void = Self.removeOrDemote(
                    annaID, by: .owner(benID, household), removes: action == "/removal", database)
                _ = await (first, second)
                let remainingOwners = try harness.owner().query(
                    "SELECT count(*) FROM membership WHERE household_id = \(anna.household) AND role = 'owner'")
                #expect(try remainingOwners.first(Int64.self) == 1)
            }
        }
    }
}

extension Member {
    fileprivate static func owner(_ person: PersonID, _ household: HouseholdID) -> Member {
        Member(
            household: household, person: person, name: "", role: .owner, language: .german, country: .austria,
            zone: nil,
            session: .new(), csrfSecret: [])
    }
}
