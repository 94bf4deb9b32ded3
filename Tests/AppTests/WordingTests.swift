import Domain
import HTTP
import Postgres
import Templates
import TestSupport
import Testing

@testable import App

/// Wording that depends on the language, the country and numbers.
@Suite(.timeLimit(.minutes(5))) struct WordingTests {
    @Test(.database, arguments: ["de", "en"]) func `the filter of receipts has category names in the reader's language`(
        language: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp(language: language)
            _ = try harness.scene(anna).receipt([("MILCH", 179)])
            let page = try await anna.get("/receipts").text
            #expect(page.contains("Milchprodukte &amp; Eier<") == (language == "de"))
            #expect(page.contains("Dairy &amp; eggs<") == (language == "en"))
        }
    }

    @Test(
        .database,
        arguments: [
            ("de", "AT", "Jänner 2026"), ("de-AT,de;q=0.9", "DE", "Januar 2026"), ("de", "CH", "Januar 2026"),
            ("en-GB,de-AT;q=0.5", "AT", "January 2026"),
        ])
    func `only a household in Austria sees the Austrian name of January`(
        acceptLanguage: String, country: String, month: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp(language: acceptLanguage)
            let saveAnswer = try await anna.post(
                "/settings/region", ["currency": "EUR", "country": country, "zone": ""])
            #expect(saveAnswer.status == .seeOther)
            let scene = try harness.scene(anna)
            _ = try scene.receipt([("MILCH", 179)], stage: "confirmed", head: .init(day: "2026-01-15"))
            #expect(try await anna.get("/receipts").text.contains(">\(month)<"))
        }
    }

    @Test(.database) func `the answer to a form warns that switching the language loses the input`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let warning = "Ihre Eingaben auf dieser Seite gehen dabei verloren."
            #expect(try await !anna.get("/settings/account").text.contains(warning))
            let refusal = try await anna.post("/settings/account", ["name": "", "language": "de"])
            #expect(refusal.status == .unprocessableContent && refusal.text.contains(warning))
        }
    }

    @Test(arguments: [
        (1, "einer Sekunde", "in a second"), (2, "2 Sekunden", "2 seconds"), (59, "59 Sekunden", "59 seconds"),
        (60, "einer Minute", "in a minute"), (61, "2 Minuten", "2 minutes"), (3_600, "60 Minuten", "60 minutes"),
    ])
    func `a waiting time is rounded up and written in words`(
        seconds: Int, german: String, english: String
    ) throws {
        let config = try AppHarness.config()
        let texts = try TemplateLibrary(
            folder: config.views, texts: config.views + "/texts", languages: Language.allCases.map(\.rawValue),
            reload: false
        ).texts
        #expect(SignInController.waitingTime(seconds, texts[Language.german]).contains(german))
        #expect(SignInController.waitingTime(seconds, texts[Language.english]).contains(english))
    }
}
