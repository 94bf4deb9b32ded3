import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Leaving a household.
@Suite(.timeLimit(.minutes(5))) struct LeavingTests {
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

    @Test(.database) func `the last owner cannot leave`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let alone = try await anna.post(Self.path, ["current": SignInScene.password])
            #expect(alone.status == .unprocessableContent && alone.text.contains("Sie sind das einzige Mitglied"))
            let ben = try await harness.join(anna, as: .member)
            let refusal = try await anna.post(Self.path, ["current": SignInScene.password])
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("Ein Inhaber muss bleiben"))
            #expect(refusal.text.contains("jemand anderen zum Inhaber"))
            #expect(try await anna.get("/settings/household").status == .ok)
            #expect(try await anna.post("/settings/members/\(ben.person)/ownership").status == .seeOther)
            #expect(try await anna.post(Self.path, ["current": SignInScene.password]).location == "/sign-in")
            let owners = try harness.owner().query("SELECT person_id FROM membership WHERE role = 'owner'")
            #expect(try owners.decode(PersonID.self) == [ben.person])
        }
    }
}
