import Domain
import HTTP
import TestSupport
import Testing

@testable import App

/// The order of categories with the same spending.
@Suite(.timeLimit(.minutes(5))) struct EqualSumsTests {
    @Test(.database) func `categories with the same spending are in the order of the tree`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let day = WallClock.today().iso
            let names = ["Zelt", "Angeln", "Musik", "Dampf", "Kunst", "Reise"]
            let lines = names.map { "Ware \($0);2,00;\($0);SPAR;\(day)\n" }.joined()
            let preview = try await anna.upload(
                "/import", field: "file", fileName: "a.csv", type: "text/csv",
                Array(("Name;Price;Category;Shop;Datum\n" + lines).utf8))
            _ = try await anna.post("\(try #require(preview.location))/confirmation")
            for path in ["/", "/expenses"] {
                let page = try await anna.get(path).text
                let listed = page.matches(of: #/>\s*(Zelt|Angeln|Musik|Dampf|Kunst|Reise)\s*</#).map {
                    String($0.output.1)
                }
                #expect(listed.prefix(names.count) == names.sorted()[...], "\(path)")
            }
        }
    }
}
