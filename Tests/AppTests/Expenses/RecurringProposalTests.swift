import Domain
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Proposals of recurring expenses from regular payments.
@Suite(.timeLimit(.minutes(5))) struct RecurringProposalTests {
    private func day(_ monthsAgo: Int, _ day: Int) -> String {
        WallClock.today().month.adding(-monthsAgo).firstDay.adding(days: day - 1).iso
    }

    @Test(.database) func `regular payments are proposed, and accepting a proposal creates no expense`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            for month in 0...3 {
                _ = try await anna.expense(month == 0 ? "850" : "800", "Miete", [("day", day(month, 1))])
                _ = try await anna.expense(
                    "\(10 * (month + 1) * (month + 1))", "Kino", [("day", day(month, 3 * month + 3))])
            }
            let page = try await anna.get("/recurring").text
            #expect(page.contains("Vorschläge") && page.contains("Miete") && !page.contains("Kino"))
            let key = try #require(
                try owner.query("SELECT payee_key FROM expense WHERE what = 'Miete' LIMIT 1").first(String.self))
            let additionAnswer = try await anna.post(
                "/recurring/proposals", ["key": key, "amount": "85000", "action": "add"])
            #expect(additionAnswer.location == "/recurring")
            let list = try await anna.get("/recurring").text
            #expect(!list.contains("Vorschläge") && list.contains("Zusammen etwa") && list.contains("monatlich"))
            #expect(try owner.query("SELECT count(*) FROM expense").first(Int64.self) == 8)
            let twice = try await anna.post(
                "/recurring/proposals", ["key": key, "amount": "85000", "action": "add"])
            #expect(twice.location == "/recurring")
            #expect(try owner.query("SELECT count(*) FROM recurring_expense").first(Int64.self) == 1)
        }
    }

    @Test(.database) func `a dismissed proposal is not shown again`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            for month in 0...2 { _ = try await anna.expense("30", "Fitness", [("day", day(month, 2))]) }
            #expect(try await anna.get("/recurring").text.contains("Fitness"))
            let key = try harness.owner().query("SELECT payee_key FROM expense LIMIT 1").first(String.self)
            _ = try await anna.post(
                "/recurring/proposals", ["key": try #require(key), "amount": "3000", "action": "dismiss"])
            _ = try await anna.get("/recurring")
            #expect(try await !anna.get("/recurring").text.contains("Fitness"))
        }
    }

    @Test(.database) func `a proposal that is added and dismissed at the same time is decided once`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let member = SyncScene(harness, anna).member
            let edits = RecurringEdits(database: harness.database)
            let values = StoredRecurring.Values(
                name: "Miete", category: nil, interval: .month, starts: WallClock.today(), amount: 80_000,
                tolerance: 0, isPersonal: false)
            async let first = edits.decide(values, payeeKey: "miete", isDismissed: false, by: member)
            async let second = edits.decide(values, payeeKey: "miete", isDismissed: true, by: member)
            let storedAnswers = try await [first, second].compactMap(\.self)
            #expect(storedAnswers.count == 1)
            #expect(
                try harness.owner().query("SELECT count(*) FROM recurring_expense").first(Int64.self) == 1)
        }
    }

    @Test(.database) func `refuses to add a proposal if the household has the largest number of recurring expenses`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            for month in 0...2 { _ = try await anna.expense("30", "Fitness", [("day", day(month, 2))]) }
            let owner = try harness.owner()
            let key = try #require(try owner.query("SELECT payee_key FROM expense LIMIT 1").first(String.self))
            try owner.query(
                """
                INSERT INTO recurring_expense (household_id, id, name, payee_key, repeats, month_day, amount_minor,
                    starts_on, person_id)
                SELECT \(anna.household), gen_random_uuid(), 'Abo ' || n, 'abo ' || n, 'month', 1, 100, '2026-01-01',
                    \(anna.person)
                FROM generate_series(1, \(StoredRecurring.maximumStored)) AS n
                """)
            let refusal = try await anna.post(
                "/recurring/proposals", ["key": key, "amount": "3000", "action": "add"])
            #expect(refusal.location == "/recurring")
            #expect(try await anna.get("/recurring").text.contains("zu viele wiederkehrende Ausgaben"))
        }
    }

    @Test(.database) func `an expense at the end of each month stays at the end of the month`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let month = WallClock.today().month
            for ago in 1...3 { _ = try await anna.expense("800", "Miete", [("day", month.adding(-ago).lastDay.iso)]) }
            let key = try #require(try owner.query("SELECT payee_key FROM expense LIMIT 1").first(String.self))
            _ = try await anna.post("/recurring/proposals", ["key": key, "amount": "80000", "action": "add"])
            let id = try #require(try owner.query("SELECT id FROM recurring_expense").first(RecurringExpenseID.self))
            func monthDay() throws -> Int32? {
                try owner.query("SELECT extract(day FROM starts_on)::integer FROM recurring_expense").first(Int32.self)
            }
            #expect(try monthDay() == 31)
            let page = try await anna.get("/recurring/\(id)").text
            #expect(page.contains("value=\"\(month.lastDay.iso)\""))
            func save(_ day: LocalDate, revision: Int) async throws -> String? {
                try await anna.post(
                    "/recurring/\(id)",
                    [
                        "name": "Miete", "amount": "810", "interval": "month", "day": day.iso,
                        "revision": "\(revision)",
                    ]
                ).location
            }
            #expect(try await save(month.lastDay, revision: 1) == "/recurring")
            #expect(try monthDay() == 31)
            #expect(try await save(month.firstDay.adding(days: 14), revision: 2) == "/recurring")
            #expect(try monthDay() == 15)
        }
    }

    @Test(.database) func `a proposal with a personal payment becomes a personal recurring expense`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            for month in 1...3 { _ = try await anna.expense("30", "Verein Linde", [("day", day(month, 2))]) }
            _ = try await anna.expense("30", "Verein Linde", [("day", day(0, 2)), ("personal", "1")])
            let proposals = try await harness.caller(anna).get("/api/v1/recurring-expenses/proposals").json["proposals"]
            #expect(proposals?.array?.first?["is_personal"]?.bool == true)
            let key = try #require(
                try harness.owner().query("SELECT payee_key FROM expense LIMIT 1").first(String.self))
            _ = try await anna.post("/recurring/proposals", ["key": key, "amount": "3000", "action": "add"])
            let storedFlags = try harness.owner().query("SELECT is_personal FROM recurring_expense").decode(Bool.self)
            #expect(storedFlags == [true])
            #expect(try await !paul.get("/recurring").text.contains("Zusammen etwa"))
        }
    }
}
