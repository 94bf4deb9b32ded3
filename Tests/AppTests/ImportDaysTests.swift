import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// An import accepts dates from 2000 to today.
@Suite(.timeLimit(.minutes(5))) struct ImportDaysTests {
    @Test(
        .database,
        arguments: [
            ("de", "liegt in der Zukunft", "liegt vor dem Jahr 2000"),
            ("en", "is in the future", "is before the year 2000"),
        ])
    func `refuses lines dated tomorrow or before 2000 with the reason, and accepts a line dated today`(
        language: String, future: String, early: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp(language: language)
            let owner = try harness.owner()
            _ = try await anna.post("/settings/language", ["language": language, "return": "/"])
            let today = WallClock.today()
            let days = [today.adding(days: -1).iso, today.iso, today.adding(days: 1).iso, "1999-12-31"]
            let table = days.enumerated().map { "Milch \($0.offset);1,49;;Spar;\($0.element)\n" }.joined()
            let answer = try await anna.importFile("Name;Price;Category;Shop;Datum\n" + table)
            let href = try #require(answer.location)
            let preview = try await anna.get(href).text
            #expect(preview.contains(future) && preview.contains(early))
            #expect(preview.split(separator: "class=\"unread\"", omittingEmptySubsequences: false).count == 3)
            _ = try await anna.post("\(href)/confirmation")
            let names = try owner.query("SELECT printed_name FROM receipt_line ORDER BY 1").decode(String.self)
            #expect(names == ["Milch 0", "Milch 1"])
        }
    }
}
