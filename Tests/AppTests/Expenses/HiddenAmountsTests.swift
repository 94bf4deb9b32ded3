import HTTP
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct HiddenAmountsTests {
    @Test(.database) func `every amount of a receipt can be hidden, in the list and on its page`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([("Milch", "7,31", "2026-03-07")])
            let list = try await anna.get("/receipts").text
            let href = try #require(list.firstMatch(of: #/\/receipts\/[0-9a-f-]{36}/#)).output
            for page in [list, try await anna.get(String(href)).text] {
                let amounts = page.matches(of: #/<([^<>]*)>[^<>]*7,31/#)
                #expect(amounts.count > 1)
                for amount in amounts { #expect(amount.output.1.contains("data-money"), "\(amount.output.0)") }
            }
            #expect(try await !anna.get("/receipts").text.contains("amounts-hidden"))
            _ = try await anna.post("/expenses/amounts", ["hide": "1"])
            #expect(try await anna.get("/receipts").text.contains("class=\"amounts-hidden\""))
        }
    }
}
