import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Recurring expenses: entry and changes, due and missing payments, and the forecast.
@Suite(.timeLimit(.minutes(5))) struct RecurringTests {
    private func day(_ monthsAgo: Int, _ day: Int) -> String {
        WallClock.today().month.adding(-monthsAgo).firstDay.adding(days: day - 1).iso
    }

    @Test(.database) func `the form keeps a tolerance that a program has set`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            _ = try await harness.caller(anna).post(
                "/api/v1/recurring-expenses", #"{"name": "Strom", "amount_minor": 5000, "tolerance_percent": 15}"#)
            let id = try #require(try owner.query("SELECT id FROM recurring_expense").first(RecurringExpenseID.self))
            #expect(try await anna.get("/recurring/\(id)").text.contains("<option value=\"15\" selected>"))
            func save(_ tolerance: String, revision: Int) async throws -> Status {
                try await anna.post(
                    "/recurring/\(id)",
                    [
                        "name": "Strom", "amount": "50", "interval": "month", "day": WallClock.today().iso,
                        "tolerance": tolerance, "revision": "\(revision)",
                    ]
                ).status
            }
            #expect(try await save("15", revision: 1) == .seeOther)
            #expect(try await save("51", revision: 2) == .badRequest)
            let storedTolerance = try owner.query("SELECT tolerance::bigint FROM recurring_expense").first(Int64.self)
            #expect(storedTolerance == 15)
        }
    }

    @Test(.database) func `a recurring expense keeps its payments when it is renamed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            for month in 0...2 { _ = try await anna.expense("30", "Verein Linde 4711", [("day", day(month, 2))]) }
            let key = try #require(try owner.query("SELECT payee_key FROM expense LIMIT 1").first(String.self))
            _ = try await anna.post("/recurring/proposals", ["key": key, "amount": "3000", "action": "add"])
            let row = try owner.query("SELECT id, starts_on::text FROM recurring_expense")
            let (id, starts) = try #require(try row.first((RecurringExpenseID, String).self))
            func rename(_ name: String, revision: Int) async throws -> String? {
                let answer = try await anna.post(
                    "/recurring/\(id)",
                    ["name": name, "amount": "30", "interval": "month", "day": starts, "revision": "\(revision)"])
                #expect(answer.location == "/recurring")
                return try owner.query("SELECT payee_key FROM recurring_expense").first(String.self)
            }
            #expect(try await rename("Turnen", revision: 1) == key)
            #expect(try await anna.get("/recurring").text.contains("Turnen"))
            // If a payee with payments has the new name, the payments of this payee count for the recurring expense.
            _ = try await anna.expense("30", "Chor Abc", [("day", day(1, 2))])
            #expect(try await rename("Chor Abc", revision: 2) == "chor abc")
        }
    }

    @Test(.database) func `changing the note of a payment does not remove it from its recurring expense`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let id = try await anna.expense("30", "Turnen")
            try owner.query("UPDATE expense SET payee_key = 'verein linde'")
            func change(_ what: String, revision: Int) async throws -> String? {
                let changeAnswer = try await anna.post(
                    "/expenses/\(id)",
                    ["amount": "30", "what": what, "note": "Herbst", "revision": "\(revision)"])
                #expect(changeAnswer.status == .seeOther)
                return try owner.query("SELECT payee_key FROM expense").first(String.self)
            }
            #expect(try await change("Turnen", revision: 1) == "verein linde")
            #expect(try await change("Singen", revision: 2) == "singen")
        }
    }

    @Test(.database)
    func `a missing payment and a changed amount are reported, and a button enters the due payment once`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            _ = try await anna.expense("800", "Miete", [("day", day(2, 1))])
            let entryAnswer = try await anna.post(
                "/recurring", ["name": "Miete", "amount": "800", "interval": "month", "day": day(2, 1)])
            #expect(entryAnswer.location == "/recurring")
            #expect(try await anna.get("/recurring").text.contains("fehlt"))
            let id = try #require(try owner.query("SELECT id FROM recurring_expense").first(RecurringExpenseID.self))
            _ = try await anna.post("/recurring/\(id)/expense", ["due": day(1, 1)])
            _ = try await anna.post("/recurring/\(id)/expense", ["due": day(1, 1)])
            #expect(try owner.query("SELECT count(*) FROM expense WHERE source = 'recurring'").first(Int64.self) == 1)
            _ = try await anna.expense("840", "Miete", [("day", day(0, 1))])
            let page = try await anna.get("/recurring").text
            #expect(page.contains("40,00") && page.contains("mehr") && !page.contains("fehlt"))
            _ = try await anna.post("/recurring/\(id)/amount")
            #expect(try owner.query("SELECT amount_minor FROM recurring_expense").first(Int64.self) == 84_000)
            #expect(try await !anna.get("/recurring").text.contains("Das ist anders"))
            let stale = try await anna.post(
                "/recurring/\(id)", ["name": "Miete", "amount": "1", "day": day(0, 1), "revision": "1"])
            #expect(stale.status == .conflict)
            for _ in 0..<2 {
                #expect(try await anna.post("/recurring/\(id)/removal", ["revision": "2"]).location == "/recurring")
            }
        }
    }

    @Test(.database) func `a due payment that is saved twice at the same time is stored once`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            _ = try await anna.post(
                "/recurring", ["name": "Miete", "amount": "800", "interval": "month", "day": day(1, 1)])
            let id = try #require(try owner.query("SELECT id FROM recurring_expense").first(RecurringExpenseID.self))
            let member = SyncScene(harness, anna).member
            let edits = RecurringEdits(database: harness.database)
            let due = day(1, 1)
            async let first = edits.pay(id, due: due, by: member)
            async let second = edits.pay(id, due: due, by: member)
            let savedAnswers = try await [first, second].compactMap(\.self)
            #expect(savedAnswers.count == 1)
            #expect(try owner.query("SELECT count(*) FROM expense").first(Int64.self) == 1)
        }
    }

    /// Sends a form from another browser with the same session.
    private static func post(
        _ target: String, _ harness: AppHarness, _ cookies: [String: String]
    ) async throws -> String? {
        let browser = harness.browser()
        browser.cookies = cookies
        return try await browser.post(target).location
    }

    @Test(.database) func `two simultaneous requests to adjust an amount are both answered`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await anna.post(
                "/recurring", ["name": "Miete", "amount": "800", "interval": "month", "day": day(1, 1)])
            _ = try await anna.expense("840", "Miete", [("day", day(1, 1))])
            let owner = try harness.owner()
            let id = try #require(try owner.query("SELECT id FROM recurring_expense").first(RecurringExpenseID.self))
            let cookies = anna.cookies
            async let first = Self.post("/recurring/\(id)/amount", harness, cookies)
            async let second = Self.post("/recurring/\(id)/amount", harness, cookies)
            let places = [try await first, try await second]
            #expect(places == ["/recurring", "/recurring"])
            #expect(try owner.query("SELECT amount_minor FROM recurring_expense").first(Int64.self) == 84_000)
        }
    }

    @Test(.database) func `the forecast counts each expected payment once`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let today = WallClock.today()
            for month in 1...4 { _ = try await anna.expense("10", "Kino", [("day", day(month, 1))]) }
            let last = today.month.next.firstDay.adding(days: -1)
            _ = try await anna.post(
                "/recurring", ["name": "Versicherung", "amount": "500", "interval": "year", "day": last.iso])
            let page = try await anna.get("/expenses").text
            #expect(page.contains("davon wiederkehrend: 500,00"))
            _ = try await anna.expense("500", "Versicherung", [("day", today.iso)])
            #expect(try await !anna.get("/expenses").text.contains("davon wiederkehrend"))
        }
    }

    @Test(.database) func `a new interval applies from the next expected day that the form shows`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let next = WallClock.today().month.next.firstDay
            _ = try await anna.expense("90", "Verein", [("day", day(0, 1))])
            _ = try await anna.post(
                "/recurring", ["name": "Verein", "amount": "90", "interval": "month", "day": day(1, 1)])
            let id = try #require(try owner.query("SELECT id FROM recurring_expense").first(RecurringExpenseID.self))
            #expect(try await anna.get("/recurring/\(id)").text.contains("value=\"\(next.iso)\""))
            _ = try await anna.post(
                "/recurring/\(id)",
                ["name": "Verein", "amount": "90", "interval": "quarter", "day": next.iso, "revision": "1"])
            #expect(try await anna.get("/recurring/\(id)").text.contains("value=\"\(next.iso)\""))
        }
    }

    @Test(.database) func `payments long before the first expected day do not count`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await anna.expense("30", "Fitness", [("day", day(6, 2))])
            let starts = WallClock.today().adding(days: 20).iso
            _ = try await anna.post(
                "/recurring", ["name": "Fitness", "amount": "30", "interval": "month", "day": starts])
            #expect(try await !anna.get("/recurring").text.contains("fehlt"))
        }
    }

    @Test(.database) func `on the last day of a short month, the forecast expects no more spending`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await anna.expense("10", "Kino", [("day", "2026-01-31")])
            let queries = DashboardQueries(database: harness.database)
            let member = SyncScene(harness, anna).member
            for (text, expected) in [("2026-02-27", 1_000), ("2026-02-28", 0)] as [(String, Int64)] {
                let today = try #require(LocalDate(parsing: text))
                let days = ExpensePeriod.month.days(today: today)
                let result = try await queries.load(.month, days, member, today: today)
                #expect(result.remainders[Month(year: 2026, number: 1)] == expected)
            }
        }
    }

    @Test(.database) func `a personal recurring expense is visible to its owner only`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            _ = try await anna.post(
                "/recurring",
                ["name": "Geschenkkonto", "amount": "20", "day": WallClock.today().iso, "personal": "1"])
            #expect(try await anna.get("/recurring").text.contains("Geschenkkonto"))
            #expect(try await !paul.get("/recurring").text.contains("Geschenkkonto"))
            let id = try #require(
                try harness.owner().query("SELECT id FROM recurring_expense").first(RecurringExpenseID.self))
            #expect(try await paul.get("/recurring/\(id)").status == .notFound)
            #expect(try await paul.post("/recurring/\(id)/removal", ["revision": "1"]).status == .notFound)
        }
    }
}
