import Foundation
import HTTP
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct StyleguideTests {
    @Test(.database) func `the style guide is shown only in development`() async throws {
        try await AppHarness.run { harness in
            #expect(try await harness.browser().get("/styleguide").status == .notFound)
            var config = try AppHarness.config()
            config.isDevelopment = true
            let app = try App(config: config, database: harness.database, log: Log(level: .error))
            let page = try await Browser(app: app, language: "de").get("/styleguide")
            #expect(page.status == .ok)
            for part in ["colour-teal", "badge doubt", "One sentence says", "#recycle", "role=\"alert\""] {
                #expect(page.text.contains(part), "\(part)")
            }
        }
    }

    @Test func `the style guide shows every symbol of the icon file`() throws {
        let file = try String(contentsOfFile: TestSources.root + "/Public/icons/icons.svg", encoding: .utf8)
        let symbols = file.split(separator: "<symbol id=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(!symbols.isEmpty)
        #expect(Set(symbols.map(String.init)) == Set(StyleguidePage.icons))
    }
}
