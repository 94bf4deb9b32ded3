import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Discounts in an imported table need no minus sign, as on the review page.
@Suite(.timeLimit(.minutes(5))) struct ImportDiscountsTests {
    private func upload(_ text: String, _ browser: Browser) async throws -> String {
        let answer = try await browser.importFile(text)
        return try #require(answer.location)
    }

    private func storedLines(_ harness: AppHarness) throws -> [String] {
        try harness.owner().query(
            "SELECT concat_ws(' ', printed_name, kind, total_minor) FROM receipt_line ORDER BY printed_name"
        ).decode(String.self)
    }

    @Test(.database, arguments: [("de", "als Abzug gerechnet"), ("en", "counted as a deduction")])
    func `a discount without a minus sign is subtracted, and the preview says so`(
        language: String, note: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp(language: language)
            let file = try await upload(
                """
                Name;Price;Category;Shop;Datum
                Bier;4,00;;SPAR;2026-10-20
                Rabatt;0,50;;SPAR;2026-10-20
                10 % Discount;0,40;;SPAR;2026-10-20
                Aktion;0,30;rabatt;SPAR;2026-10-20
                Rabatt;-0,20;;HOFER;2026-10-20
                Rabattmarken;1,00;;SPAR;2026-10-20
                Rabatt zurück;0,60;;SPAR;2026-10-20
                Zurück;+0,70;Rabatt;SPAR;2026-10-20

                """, anna)
            let page = try await anna.get(file).text
            #expect(page.matches(of: try Regex("<span class=\"badge\">\(note)</span>")).count == 3)
            let amount = language == "de" ? "-0,40 €" : "-€0.40"
            #expect(page.replacing("−", with: "-").replacing("\u{A0}", with: " ").contains(">\(amount)<"))
            _ = try await anna.post("\(file)/confirmation")
            #expect(
                try storedLines(harness)
                    == [
                        "10 % Discount coupon -40", "Aktion coupon -30", "Bier item 400", "Rabatt coupon -50",
                        "Rabatt coupon -20", "Rabatt zurück item 60", "Rabattmarken item 100", "Zurück item 70",
                    ].sorted())
        }
    }

    @Test(.database) func `a deduction needs no minus sign; a cancelled discount is imported as it was exported`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let file = try await upload(
                """
                Name;Price;Category;Shop;Datum;Art
                Bier;4,00;;SPAR;2026-10-20;Artikel
                Aktion;0,50;;SPAR;2026-10-20;Rabatt
                Bon;1,00;;SPAR;2026-10-20;Gutschein
                Leergut;0,25;;SPAR;2026-10-20;Pfandrückgabe
                Storno;+0,10;;SPAR;2026-10-20;Rabatt
                Pfand;0,25;;SPAR;2026-10-20;Pfand

                """, anna)
            _ = try await anna.post("\(file)/confirmation")
            let lines = try storedLines(harness)
            #expect(
                lines == [
                    "Aktion discount -50", "Bier item 400", "Bon coupon -100", "Leergut deposit_return -25",
                    "Pfand deposit 25", "Storno discount 10",
                ])
            let export = try await anna.get("/export.csv?quantities=1").text
            #expect(export.contains("Storno;+0,10;"))
            let paul = try await harness.signUp("Paul Huber", household: "Anderswo")
            _ = try await paul.post("\(try await upload(export, paul))/confirmation")
            #expect(
                try harness.owner().query(
                    "SELECT total_minor FROM receipt_line WHERE household_id = \(paul.household) ORDER BY printed_name"
                ).decode(Int64.self) == [-50, 400, -100, -25, 25, 10])
        }
    }
}
