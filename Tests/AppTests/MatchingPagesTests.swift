import Domain
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The pages of new names after the first page, and undoing a decision about several names.
@Suite(.timeLimit(.minutes(5))) struct MatchingPagesTests {
    @Test(.database)
    func `matching a name returns to its page of names, or to the first page if its page has no more names`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            // Words that do not resemble any other name.
            let names = (0..<14).map { number in
                "\(String(repeating: "Q", count: number % 5 + 1))X\(String(number * 7_919, radix: 36).uppercased())7"
            }
            let receipt = try scene.receipt(names.map { ($0, 199) }, pages: 0)
            try await harness.confirm(receipt, by: anna)
            let path = "/matching?after=12"
            let cards = try await anna.get(path).text.matches(
                of: #/id="name-([^"]*)" method="post" action="([^"]*)"/#)
            #expect(cards.map { String($0.output.2) } == [path, path])
            let second = cards.map { String($0.output.1) }
            // A refused card is shown on this page, too.
            let refusal = try await anna.post(path, ["alias": second[1], "product": "new", "name": " "])
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("id=\"name-\(second[1])\""))
            for line in second {
                let matchAnswer = try await anna.post(path, ["alias": line, "product": "new", "name": "Neu \(line)"])
                #expect(matchAnswer.location == path)
            }
            // The names of the first page still wait.
            #expect(try await anna.get(path).text.components(separatedBy: "id=\"name-").count == 13)
        }
    }

    @Test(.database) func `ignoring several spellings is undone for all of them`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt(
                [("BBU SAUCE 250ML", 249), ("BBQ SAUCE 250ML", 249), ("TRAGTASCHE", 39)], pages: 0)
            try await harness.confirm(receipt, by: anna)
            let lines = try scene.keys(receipt)
            _ = try await anna.post("/matching", ["alias": "\(lines[2])", "product": "ignore"])
            _ = try await anna.post(
                "/matching", ["alias": "\(lines[0])", "alias": "\(lines[1])", "product": "ignore"])
            let page = try await anna.get("/matching")
            #expect(page.text.contains("Als „Kein Produkt“ gespeichert: 2"))
            let undo = try #require(page.attribute("action", after: "Als „Kein Produkt“ gespeichert: 2"))
            for message in ["Wieder unter „Neue Namen“: 2", "Schon erledigt."] {
                #expect(try await anna.post(undo).location == "/matching")
                #expect(try await anna.get("/matching").text.contains(message))
            }
            // The name that was ignored before stays ignored.
            #expect(try scene.count("SELECT count(*) FROM ignored_name") == 1)
        }
    }
}
