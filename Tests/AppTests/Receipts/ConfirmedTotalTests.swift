import Domain
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Saving a confirmed receipt keeps the amount that was paid: its total, or the lines that replace a missing total.
@Suite(.timeLimit(.minutes(5))) struct ConfirmedTotalTests {
    @Test(.database, arguments: ["review", "confirmation"])
    func `the total of a confirmed receipt can be changed but not cleared`(verb: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)])
            let confirmed = try await anna.post(
                "/receipts/\(receipt)/confirmation", pairs: try scene.form(receipt, total: "1,50", amounts: ["1,50"]))
            #expect(confirmed.status == .seeOther)
            let cleared = try await anna.post(
                "/receipts/\(receipt)/\(verb)", pairs: try scene.form(receipt, total: "", amounts: ["1,50"]))
            #expect(cleared.status == .unprocessableContent && cleared.text.contains("Bitte ausfüllen."))
            let input = try #require(cleared.text.components(separatedBy: "name=\"total\"").dropFirst().first)
            #expect(input.prefix { $0 != ">" }.contains("aria-invalid=\"true\" autofocus"))
            let emptied = try await anna.post("/receipts/\(receipt)/\(verb)", pairs: try Self.emptyForm(scene, receipt))
            #expect(emptied.status == .unprocessableContent)
            #expect(try scene.count("SELECT total_minor FROM receipt") == 150)
            #expect(try scene.lines(receipt) == ["MILCH"])
            let changed = try await anna.post(
                "/receipts/\(receipt)/\(verb)", pairs: try scene.form(receipt, total: "1,60", amounts: ["1,50"]))
            #expect(changed.status == .seeOther)
            #expect(try scene.count("SELECT total_minor FROM receipt") == 160)
        }
    }

    @Test(.database) func `a confirmed receipt whose total was not read keeps its last line`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)], head: .init(total: .printed(nil)))
            for verb in ["confirmation", "review"] {
                let saved = try await anna.post(
                    "/receipts/\(receipt)/\(verb)", pairs: try scene.form(receipt, total: "", amounts: ["1,50"]))
                #expect(saved.status == .seeOther)
            }
            #expect(try scene.text("SELECT stage FROM receipt WHERE total_minor IS NULL") == "confirmed")
            let refusal = try await anna.post(
                "/receipts/\(receipt)/review", pairs: try Self.emptyForm(scene, receipt))
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("Bitte ausfüllen."))
            #expect(try scene.lines(receipt) == ["MILCH"])
            // A receipt with a total needs no lines.
            let replaced = try await anna.post(
                "/receipts/\(receipt)/review", pairs: try Self.emptyForm(scene, receipt, total: "1,50"))
            #expect(replaced.status == .seeOther)
            #expect(try scene.lines(receipt).isEmpty)
        }
    }

    @Test(.database) func `a program cannot clear the total of a confirmed receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)])
            let caller = try await harness.caller(anna)
            try await caller.confirm(receipt)
            let refusal = try await caller.send(
                .patch, "/api/v1/receipts/\(receipt)", type: "application/json", Array(#"{"total_minor": null}"#.utf8),
                fields: ["If-Match": "*"])
            #expect(refusal.status == .unprocessableContent && refusal.problem == "problem-invalid-fields")
            #expect(refusal.text.contains(#""total_minor""#))
            #expect(try scene.count("SELECT total_minor FROM receipt") == 150)
        }
    }

    /// The fields of a review form without lines.
    private static func emptyForm(
        _ scene: ReceiptScene, _ receipt: ReceiptID, total: String = ""
    ) throws -> [(String, String)] {
        [
            ("revision", "\(try scene.revision(receipt))"), ("store", "HOFER"), ("day", "2026-11-02"),
            ("total", total),
        ]
    }
}
