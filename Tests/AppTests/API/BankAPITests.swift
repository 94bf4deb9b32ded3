import Domain
import HTTP
import JSON
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct BankAPITests {
    @Test(.database) func `a booking is linked only to the expense that the answer proposed to the client`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let expense = try await anna.expense("75", "Pizzeria Roma", [("day", "2026-11-05")])
            let table = "Buchungstag;Empfänger;Betrag\n05.11.2026;PIZZERIA ROMA;-75,00\n"
            let answer = try await caller.send(
                .post, "/api/v1/bank-files?name=bank.csv", type: "text/csv", Array(table.utf8))
            let path = try #require(answer.location)
            let tag = try #require(answer.headers[.etag])
            #expect(try answer.json["bookings"]?.array?.first?["expense_id"]?.string == "\(expense)")
            func confirm(_ match: ExpenseID) async throws -> Answer {
                let body = #"{"decisions": [{"row": 0, "decision": "join", "match": "\#(match)"}]}"#
                return try await caller.change(.post, "\(path)/confirmation", body, tag)
            }
            #expect(try await confirm(ExpenseID.new()).status == .conflict)
            let done = try await confirm(expense)
            #expect(try done.json["joined"]?.integer == 1, "\(done.text)")
        }
    }

    @Test(.database)
    func `the decision to join requires a match; a booking without a decision is left for the next import`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let expense = try await anna.expense("75", "Pizzeria Roma", [("day", "2026-11-05")])
            let table = "Buchungstag;Empfänger;Betrag\n05.11.2026;PIZZERIA ROMA;-75,00\n06.11.2026;Kino;-9,00\n"
            func upload() async throws -> Answer {
                try await caller.send(.post, "/api/v1/bank-files?name=a.csv", type: "text/csv", Array(table.utf8))
            }
            func confirm(_ sent: Answer, _ body: String) async throws -> Answer {
                let (path, tag) = (try #require(sent.location), try #require(sent.headers[.etag]))
                return try await caller.change(.post, "\(path)/confirmation", body, tag)
            }
            let firstAnswer = try await upload()
            let refusal = try await confirm(firstAnswer, #"{"decisions": [{"row": 0, "decision": "join"}]}"#)
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("decisions/0/match"))
            let done = try await confirm(firstAnswer, "{}").json
            #expect(done["made"]?.integer == 1 && done["joined"]?.integer == 0)
            let secondAnswer = try await upload()
            let bookings = try #require(try secondAnswer.json["bookings"]?.array)
            #expect(bookings.map { $0["is_known"]?.bool } == [false, true])
            #expect(bookings.first?["expense_id"]?.string == "\(expense)")
        }
    }
}
