import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The notices of the review page. The page shows at most one notice at a time.
@Suite(.timeLimit(.minutes(5))) struct ReviewNoticeTests {
    /// The figures of a line. `computed` is its quantity times its unit price in cents, if the amount does not match.
    struct Misfit: Sendable {
        let quantity: Int64
        let unit: StoredUnit
        let price: Int64
        let total: Int64
        let computed: Int64?
    }

    @Test(arguments: [
        Misfit(quantity: 2000, unit: .piece, price: 129_000, total: 258, computed: nil),
        Misfit(quantity: 2000, unit: .piece, price: 129_000, total: 285, computed: 258),
        Misfit(quantity: 2000, unit: .piece, price: 129_000, total: 259, computed: 258),
        // Three for 2,00 €: one costs 66.667 cents.
        Misfit(quantity: 3000, unit: .piece, price: 66_667, total: 200, computed: nil),
        // A returned item has a negative amount.
        Misfit(quantity: 6000, unit: .piece, price: 25_000, total: -150, computed: nil),
        Misfit(quantity: 6000, unit: .piece, price: 25_000, total: -100, computed: 150),
        // 0.842 kg at 1.99 are 1.6756. Rounded and truncated amounts are right, 1.70 is wrong.
        Misfit(quantity: 842, unit: .kilogram, price: 199_000, total: 168, computed: nil),
        Misfit(quantity: 842, unit: .kilogram, price: 199_000, total: 167, computed: nil),
        Misfit(quantity: 842, unit: .kilogram, price: 199_000, total: 170, computed: 168),
        // A gram of saffron costs 5.00, so the rounding of the weight to grams can change the amount by 2.50.
        Misfit(quantity: 2, unit: .kilogram, price: 500_000_000, total: 1_200, computed: nil),
        Misfit(quantity: 100_000_000, unit: .piece, price: 100_000_000_000, total: 1, computed: 10_000_000_000_000),
    ])
    func `finds a line whose quantity times unit price is not its amount`(_ example: Misfit) {
        var line = ReviewDraft.Line(key: "a", quantity: example.quantity, unit: example.unit, total: example.total)
        line.unitPrice = example.price
        #expect(line.misfit == example.computed)
        line.unitPrice = nil
        #expect(line.misfit == nil)
    }

    @Test(
        .database,
        arguments: [
            ("de", "2 × 1,29 = 2,58, nicht 2,85", "Trotzdem bestätigen"),
            ("en", "2 × 1.29 = 2.58, not 2.85", "Confirm anyway"),
        ])
    func `a line that does not add up shows the computed amount, and the label of the button is Confirm anyway`(
        language: String, hint: String, button: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp(language: language)
            _ = try await anna.post("/settings/language", ["language": language, "return": "/"])
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 258)])
            let key = try scene.keys(receipt)[0]
            let correct = try await anna.get("/receipts/\(receipt)/review")
            #expect(!correct.text.contains("\(button)</span>"))
            // All three figures change, so none of them is adjusted to the others.
            let line = #""quantity_thousandths": 2000, "unit_price_thousandths": 129000, "total_minor": 285"#
            try await harness.change(
                receipt, #"{"total_minor": 285, "lines": [{"id": "\#(key)", \#(line)}]}"#, by: anna)
            let page = try await anna.get("/receipts/\(receipt)/review")
            #expect(page.text.contains(hint))
            #expect(page.text.contains("\(button)</span></button>"))
            // The receipt can still be confirmed.
            let answer = try await anna.post(
                "/receipts/\(receipt)/confirmation",
                [
                    "revision": "\(try scene.revision(receipt))", "store": "HOFER", "day": "2026-11-02",
                    "total": "2.85", "line": "\(key)", "name-\(key)": "MILCH", "quantity-\(key)": "2",
                    "unit-\(key)": "piece", "unit_price-\(key)": "1.29", "total-\(key)": "2.85", "kind-\(key)": "item",
                ], on: page)
            #expect(answer.status == .seeOther)
            #expect(try scene.text("SELECT stage FROM receipt") == "confirmed")
        }
    }

    @Test(
        .database,
        arguments: [
            ("9,99", "MILCH", "Es fehlen 8,49 €", "Trotzdem bestätigen", "nicht übereinstimmen"),
            ("1,00", "MILCH", "Zu viel: 0,50 €", "Trotzdem bestätigen", "nicht übereinstimmen"),
            ("1,50", "MILCH", "Zeilen und Summe stimmen überein", "Bestätigen", "Bestätigt."),
            ("5,00", "", "Noch keine Zeilen", "Ohne Zeilen bestätigen", "Ohne Zeilen"),
            ("", "MILCH", "Die Summe fehlt noch", "Trotzdem bestätigen", "Bestätigt."),
        ])
    func `the button and the message after confirming say whether a receipt is complete`(
        total: String, name: String, balance: String, button: String, after: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let cents = total.isEmpty ? nil : try Money(parsing: total).minorUnits
            let receipt = try scene.receipt(
                name.isEmpty ? [] : [(name, Int64(150))], head: .init(total: .printed(cents)))
            let page = try await anna.get("/receipts/\(receipt)/review")
            #expect(page.text.contains(balance))
            #expect(page.text.contains("\(button)</span></button>"))
            let key = try scene.keys(receipt).first.map { "\($0)" } ?? "new1"
            let answer = try await anna.post(
                "/receipts/\(receipt)/confirmation",
                [
                    "revision": "\(try scene.revision(receipt))", "store": "HOFER", "day": "2026-11-02",
                    "total": total, "line": key, "name-\(key)": name, "total-\(key)": name.isEmpty ? "" : "1,50",
                ], on: page)
            let location = try #require(answer.location)
            #expect(try await anna.get(location).text.contains(after))
        }
    }

    @Test(.database, arguments: [("1,50", "Bestätigt. Hier ist der nächste"), ("9,99", "Es zählt die Summe")])
    func `the message after confirming says that the page shows the next receipt`(total: String, after: String)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let next = try scene.receipt([("SEMMEL", 45)])
            let receipt = try scene.receipt([("MILCH", 150)])
            let key = try scene.keys(receipt)[0]
            let answer = try await anna.post(
                "/receipts/\(receipt)/confirmation",
                [
                    "revision": "\(try scene.revision(receipt))", "store": "HOFER", "day": "2026-11-02",
                    "total": total, "line": "\(key)", "name-\(key)": "MILCH", "total-\(key)": "1,50",
                ], on: try await anna.get("/receipts/\(receipt)/review"))
            #expect(answer.location == "/receipts/\(next)/review")
            let page = try await anna.get("/receipts/\(next)/review").text
            #expect(page.contains(after) && page.contains("Hier ist der nächste Beleg"))
            #expect(page.contains("href=\"/receipts/\(receipt)\">Zum bestätigten Beleg</a>"))
        }
    }

    @Test(.database, arguments: [1, 2, 3, 4])
    func `shows up to two reasons; of three or more, only the first is shown, and a list of the others can be expanded`(
        count: Int
    )
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let reasons = Array(["gap", "vat", "count", "unit-price"].prefix(count))
            let receipt = try scene.receipt([("MILCH", 150)], head: .init(reasons: reasons))
            let page = try await anna.get("/receipts/\(receipt)/review").text
            #expect(
                page.matches(of: #/<summary>Weitere Hinweise: (\d)/#).map(\.output.1)
                    == (count > 2 ? ["\(count - 1)"] : []))
            let rest = page.split(separator: "Bitte kurz prüfen")
            try #require(rest.count == 2)
            let notice = rest[1].split(separator: "</details>")[0].split(separator: "<form")[0]
            #expect(notice.matches(of: /<li>/).count >= count)
        }
    }

    @Test(.database, arguments: Verdict.allCases)
    func `a form with invalid fields shows only the notice about them`(verdict: Verdict) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt(
                [("MILCH", 150)], head: .init(verdict: verdict, reasons: ["damaged"], doubts: ["total"]))
            let key = try scene.keys(receipt)[0]
            let page = try await anna.get("/receipts/\(receipt)/review")
            #expect(page.text.split(separator: "class=\"notice ", omittingEmptySubsequences: false).count == 2)
            let answer = try await anna.post(
                "/receipts/\(receipt)/confirmation",
                [
                    "revision": "\(try scene.revision(receipt))", "store": "HOFER", "day": "2026-11-02",
                    "total": "viel", "line": "\(key)", "name-\(key)": "MILCH", "total-\(key)": "1,50",
                ], on: page)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.split(separator: "class=\"notice ", omittingEmptySubsequences: false).count == 2)
            #expect(!answer.text.contains("gelb markierten") && !answer.text.contains("stimmen überein</span>"))
            #expect(answer.text.contains("Es fehlen noch Beträge"))
        }
    }

    @Test(.database) func `the page of a damaged file does not mention a picture`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([], pages: 0, head: .init(verdict: .unreadable, reasons: ["damaged"]))
            let page = try await anna.get("/receipts/\(receipt)/review")
            #expect(page.text.contains("Die Datei ist beschädigt."))
            #expect(!page.text.contains("Das Bild ist gespeichert"))
        }
    }

    @Test(
        .database,
        arguments: [
            ("time", "halb vier", "Bitte geben Sie eine Uhrzeit"),
            ("day", "2099-01-01", "Das Datum muss zwischen 2000 und heute liegen"),
            ("total", "99999999", "Diese Zahl ist zu groß"), ("total", "1.234", "ist mehrdeutig"),
            ("total-new1", "", "Bitte ausfüllen"), ("quantity-new1", "4012345678901", "Diese Zahl ist zu groß"),
            ("unit_price-new1", "zwei", "Bitte geben Sie eine Zahl"),
        ])
    func `the message for an invalid field names the expected input`(
        field: String, value: String, sentence: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([])
            var fields = [
                "revision": "1", "store": "HOFER", "day": "2026-11-02", "total": "1,50", "line": "new1",
                "name-new1": "MILCH", "total-new1": "1,50",
            ]
            fields[field] = value
            let page = try await anna.get("/receipts/\(receipt)/review")
            let body = (["csrf": page.token ?? ""].merging(fields) { $1 })
                .map { "\(PercentCoding.encode($0.key))=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
            let answer = try await anna.send(
                .post, "/receipts/\(receipt)/review", type: "application/x-www-form-urlencoded", Array(body.utf8))
            #expect(answer.status == .unprocessableContent)
            let name =
                field == "total-new1" ? "why-total-new1" : "why-\(field)"
            #expect(answer.text.contains("id=\"\(name)\""))
            #expect(answer.text.contains(sentence))
        }
    }

    @Test(.database) func `a repeated receipt is marked as a duplicate, even if it was read without doubt`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let first = try scene.receipt([("MILCH", 150)], stage: "confirmed")
            let second = try scene.receipt([("MILCH", 150)], head: .init(verdict: .proven, duplicateOf: first))
            let page = try await anna.get("/receipts/\(second)/review")
            #expect(
                page.text.contains("Diesen Beleg gibt es vermutlich schon")
                    && page.text.contains("/receipts/\(first)\""))
            #expect(!page.text.contains("badge good") && !page.text.contains("Alles nachgerechnet"))
            #expect(page.text.contains("Trotzdem bestätigen</span></button>"))
            let list = try await anna.get("/receipts")
            #expect(!list.text.contains("badge good") && !list.text.contains("/receipts/confirmations"))
            #expect(try await !anna.get("/").text.contains("/receipts/confirmations"))
            #expect(try await anna.get("/receipts?state=duplicate").text.contains("/receipts/\(second)\""))
            #expect(try await !anna.get("/receipts?state=proven").text.contains("/receipts/\(second)\""))
            _ = try await anna.post("/receipts/confirmations")
            #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(second)") == "review")
            // After the first receipt is discarded, the second is not a duplicate.
            let revision = try scene.revision(first)
            #expect(try await anna.post("/receipts/\(first)/discard", ["revision": "\(revision)"]).status == .seeOther)
            #expect(try await anna.get("/receipts").text.contains("badge good"))
        }
    }

    @Test(.database) func `a receipt without lines needs a total to be confirmed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let review = try #require(try await anna.post("/receipts/drafts").location)
            let confirmation = review.replacing("/review", with: "/confirmation")
            let head = [("revision", "1"), ("store", "HOFER"), ("day", "2026-03-04")]
            let refusal = try await anna.post(confirmation, pairs: head + [("total", "")])
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("Bitte ausfüllen."))
            let answer = try await anna.post(confirmation, pairs: head + [("total", "4,50")])
            #expect(answer.status == .seeOther)
        }
    }

    @Test(.database) func `the name of a receipt without a store says how it was entered`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            _ = try await anna.post("/receipts/drafts")
            let photo = try scene.receipt([], head: .init(store: "{}"))
            let pdf = try scene.receipt([], head: .init(store: "{}"))
            try scene.owner.query(
                "UPDATE receipt_file SET media_type = 'application/pdf' WHERE receipt_id = \(pdf)")
            let list = try await anna.get("/receipts").text
            for (name, count) in [("Foto vom", 1), ("PDF vom", 1), ("Von Hand, ", 1)] {
                #expect(list.split(separator: name, omittingEmptySubsequences: false).count == count + 1, "\(name)")
            }
            #expect(try await anna.get("/receipts/\(photo)/review").text.contains("<h1>Beleg prüfen</h1>"))
            let draft = try #require(try scene.text("SELECT id::text FROM receipt WHERE source = 'manual'"))
            let page = try await anna.get("/receipts/\(draft)/review").text
            #expect(page.contains("<h1>Beleg eintragen</h1>") && !page.contains("class=\"notice "))
        }
    }
}
