import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// A reason for review is shown until a correction makes it obsolete.
@Suite(.timeLimit(.minutes(5))) struct OpenReasonsTests {
    /// A correction of a receipt with MILCH 1,50, BROT 3,20 and a printed total of 4,70, and the reasons that remain
    /// after it.
    struct Correction: Sendable, CustomTestStringConvertible {
        let name: String
        var reasons = ["count", "unexplained"]
        var store = "HOFER"
        var total = "4,70"
        var milk = ("MILCH", "1", "1,50")
        var more: (String, String)?
        var confirms = false
        let remaining: [String]

        var testDescription: String { name }
    }

    @Test(
        .database,
        arguments: [
            Correction(name: "another store", store: "SPAR", remaining: ["count", "unexplained"]),
            Correction(name: "another name", milk: ("VOLLMILCH", "1", "1,50"), remaining: ["count", "unexplained"]),
            Correction(name: "a second piece", milk: ("MILCH", "2", "1,50"), remaining: ["unexplained"]),
            Correction(
                name: "a line that adds a difference", more: ("KÄSE", "1,00"),
                remaining: ["difference|5,70 €|4,70 €", "unexplained"]),
            Correction(name: "the missing line", total: "5,70", more: ("KÄSE", "1,00"), remaining: []),
            Correction(
                name: "a line split in two", milk: ("MILCH", "1", "0,50"), more: ("KÄSE", "1,00"),
                remaining: []),
            Correction(name: "confirming", store: "SPAR", confirms: true, remaining: []),
            Correction(
                name: "confirming with a difference", total: "9,00", confirms: true,
                remaining: ["difference|4,70 €|9,00 €"]),
            Correction(
                name: "a training receipt, with another store",
                reasons: ["training", "fiscal", "gap", "line", "pages", "vat"],
                store: "SPAR", remaining: ["training", "fiscal", "gap", "line", "pages", "vat"]),
            Correction(
                name: "a cancelled receipt, with another total", reasons: ["cancelled", "fiscal", "gap", "vat"],
                total: "5,70", more: ("KÄSE", "1,00"), remaining: ["cancelled"]),
            Correction(
                name: "a repaired value", reasons: ["repair", "unit-price", "unproven"], store: "SPAR",
                remaining: ["repair", "unit-price", "unproven"]),
            Correction(
                name: "an uncertain day", reasons: ["day"], milk: ("VOLLMILCH", "1", "1,50"), remaining: ["day"]),
            Correction(
                name: "a damaged file", reasons: ["damaged"], store: "SPAR", remaining: []),
            Correction(
                name: "a line that changes the number of articles", reasons: [], milk: ("MILCH", "1", "0,50"),
                more: ("KÄSE", "1,00"), remaining: ["count"]),
        ])
    func `a correction removes only the reasons that no longer apply`(_ correction: Correction) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let articles: Int64 = correction.reasons.isEmpty ? 2 : 3
            let receipt = try scene.receipt(
                [("MILCH", 150), ("BROT", 320)], head: .init(reasons: correction.reasons, articles: articles))
            let keys = try scene.keys(receipt).map(\.description)
            let page = try await anna.get("/receipts/\(receipt)/review")
            var fields: [(String, String)] = [
                ("csrf", page.token ?? ""), ("revision", "1"), ("store", correction.store), ("day", "2026-11-02"),
                ("total", correction.total),
            ]
            func add(_ key: String, _ name: String, _ quantity: String, _ total: String) {
                fields += [
                    ("line", key), ("name-\(key)", name), ("quantity-\(key)", quantity), ("unit-\(key)", "piece"),
                    ("kind-\(key)", "item"), ("total-\(key)", total),
                ]
            }
            add(keys[0], correction.milk.0, correction.milk.1, correction.milk.2)
            add(keys[1], "BROT", "1", "3,20")
            if let (name, total) = correction.more { add("new1", name, "1", total) }
            let body = fields.map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }
            let answer = try await anna.send(
                .post, "/receipts/\(receipt)/\(correction.confirms ? "confirmation" : "review")",
                type: "application/x-www-form-urlencoded", Array(body.joined(separator: "&").utf8))
            #expect(answer.status == .seeOther)
            let remainingReasons = try scene.owner.query("SELECT reasons FROM receipt").decode([String].self)
            #expect(remainingReasons == [correction.remaining])
            #expect(try scene.text("SELECT verdict FROM receipt") == "review")
        }
    }

    @Test(.database) func `the page still shows open reasons after another change`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt(
                [("MILCH", 150), ("BROT", 320)], head: .init(reasons: ["count", "unexplained"], articles: 3))
            let keys = try scene.keys(receipt)
            for store in ["HOFER Gumpendorf", "SPAR"] {
                let page = try await anna.get("/receipts/\(receipt)/review")
                let answer = try await anna.post(
                    "/receipts/\(receipt)/review",
                    [
                        "revision": "\(try scene.revision(receipt))", "store": store, "day": "2026-11-02",
                        "total": "4,70", "line": "\(keys[0])", "name-\(keys[0])": "MILCH", "total-\(keys[0])": "1,50",
                        "line": "\(keys[1])", "name-\(keys[1])": "BROT", "total-\(keys[1])": "3,20",
                    ], on: page)
                let savedPage = try await anna.get(try #require(answer.location)).text
                #expect(savedPage.contains("Auf dem Beleg steht eine andere Anzahl Artikel."))
                #expect(savedPage.contains("Eine Zeile auf dem Beleg passt zu keinem Artikel."))
                #expect(try await anna.get("/receipts").text.contains("Auf dem Beleg steht eine andere Anzahl"))
            }
        }
    }

    @Test(.database) func `each part of a separated receipt has its own reasons`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt(
                [("MILCH", 150), ("BROT", 320)],
                head: .init(reasons: ["count", "unexplained", "training"], articles: 3))
            let key = try scene.keys(receipt)[0]
            let answer = try await anna.post(
                "/receipts/\(receipt)/splits", ["revision": "1", "line": "\(key)"],
                on: try await anna.get("/receipts/\(receipt)/splits/new"))
            #expect(answer.status == .seeOther)
            #expect(
                try scene.text("SELECT array_to_string(reasons, ' ') FROM receipt WHERE id = \(receipt)")
                    == "unexplained training")
            #expect(
                try scene.text("SELECT array_to_string(reasons, ' ') FROM receipt WHERE id <> \(receipt)")
                    == "training")
        }
    }
}
