import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// A form is stored completely and exactly once.
@Suite(.timeLimit(.minutes(5))) struct SavingTests {
    /// The fields of a review form.
    private func form(
        _ scene: ReceiptScene, _ receipt: ReceiptID, store: String = "HOFER", day: String = "2026-11-02",
        total: String = "", _ lines: [(key: String, name: String, total: String)]
    ) throws -> [(String, String)] {
        var fields = [("revision", String(try scene.revision(receipt))), ("store", store), ("day", day)]
        fields.append(("total", total))
        for line in lines {
            fields += [
                ("line", line.key), ("name-\(line.key)", line.name), ("quantity-\(line.key)", "1"),
                ("unit-\(line.key)", "piece"), ("kind-\(line.key)", "item"), ("total-\(line.key)", line.total),
            ]
        }
        return fields
    }

    private func send(
        _ fields: [(String, String)], to target: String, _ browser: Browser, on page: Answer
    ) async throws -> Answer {
        let pairs = [("csrf", try #require(page.token))] + fields
        let body = pairs.map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
        return try await browser.send(.post, target, type: "application/x-www-form-urlencoded", Array(body.utf8))
    }

    @Test(.database) func `a form sent twice adds its new lines once`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [])
            let page = try await anna.get("/receipts/\(receipt)/review")
            let fields = try form(
                scene, receipt, total: "4,00", [("new1", "MILCH", "1,50"), ("new2", "BROT", "2,50")])
            for _ in 0..<2 {
                let answer = try await send(fields, to: "/receipts/\(receipt)/confirmation", anna, on: page)
                #expect(answer.status == .seeOther)
            }
            #expect(try scene.lines(receipt) == ["MILCH", "BROT"])
            // The same new lines, sent by the form of another page, are added again.
            let secondPage = try await anna.get("/receipts/\(receipt)/review")
            var more = fields
            more[0].1 = String(try scene.revision(receipt))
            let keys = try scene.keys(receipt)
            more += [("line", "\(keys[0])"), ("name-\(keys[0])", "MILCH"), ("total-\(keys[0])", "1,50")]
            _ = try await send(more, to: "/receipts/\(receipt)/review", anna, on: secondPage)
            #expect(try scene.lines(receipt).sorted() == ["BROT", "MILCH", "MILCH"])
        }
    }

    @Test(.database) func `a discount stays when its item is deleted`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("BANANEN", 50), ("AKTION", -15), ("BROT", 200)])
            let keys = try scene.keys(receipt)
            try await harness.setKinds([.item, .discount, .item], of: receipt, by: anna)
            let fields = try form(
                scene, receipt, total: "2,35", [("\(keys[1])", "AKTION", "-0,15"), ("\(keys[2])", "BROT", "2,00")])
            let page = try await anna.get("/receipts/\(receipt)/review")
            let answer = try await send(fields, to: "/receipts/\(receipt)/review", anna, on: page)
            #expect(answer.status == .seeOther)
            #expect(try scene.lines(receipt) == ["AKTION", "BROT"])
        }
    }

    @Test(.database) func `the difference between total and lines counts as spending without a category`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)])
            let page = try await anna.get("/receipts/\(receipt)/review")
            let keys = try scene.keys(receipt)
            let today = WallClock.today()
            let fields = try form(
                scene, receipt, day: today.iso, total: "99,99", [("\(keys[0])", "MILCH", "1,50")])
            _ = try await send(fields, to: "/receipts/\(receipt)/confirmation", anna, on: page)
            #expect(try scene.count("SELECT sum(amount_minor)::bigint FROM spending_month") == 9999)
            #expect(try await anna.get("/").text.contains("99,99"))
        }
    }

    @Test(.database) func `confirming all proven receipts skips receipts with a future date`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let days = [0, 1].map { WallClock.today().adding(days: $0) }
            for day in days { _ = try scene.receipt([("MILCH", 150)], head: .init(verdict: .proven, day: day.iso)) }
            _ = try await anna.post("/receipts/confirmations")
            #expect(
                try scene.owner.query("SELECT purchase_day FROM receipt WHERE stage = 'confirmed'")
                    .decode(LocalDate.self) == [days[0]])
        }
    }

    @Test(.database) func `a form that was shown before a new reading adds none of the old lines`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)])
            let keys = try scene.keys(receipt)
            let page = try await anna.get("/receipts/\(receipt)/review")
            // Saving puts the lines into the change log.
            _ = try await send(
                try form(scene, receipt, total: "1,50", [("\(keys[0])", "MILCH", "1,50")]),
                to: "/receipts/\(receipt)/review", anna, on: page)
            let old = try form(scene, receipt, total: "1,50", [("\(keys[0])", "VOLLMILCH", "1,55")])
            _ = try await anna.post("/receipts/\(receipt)/rereading")
            try await JoinedCorrectionsTests.read(harness, as: ReadingScene.shopping)
            #expect(try scene.lines(receipt) == ["VASE", "SEMMEL"])
            let late = try await send(old, to: "/receipts/\(receipt)/review", anna, on: page)
            #expect(late.status == .conflict)
            #expect(late.text.contains("VASE"))
            #expect(try scene.lines(receipt) == ["VASE", "SEMMEL"])
        }
    }

    @Test(.database) func `confirming needs a day and restores a discarded receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)], head: .init(day: nil))
            let keys = try scene.keys(receipt)
            let page = try await anna.get("/receipts/\(receipt)/review")
            try await harness.discard(receipt, by: anna)
            // The server does not choose a day; it shows the form again.
            for (day, status) in [("", Status.unprocessableContent), ("2026-11-02", .seeOther)] {
                let fields = try form(scene, receipt, day: day, total: "1,50", [("\(keys[0])", "MILCH", "1,50")])
                let answer = try await send(fields, to: "/receipts/\(receipt)/confirmation", anna, on: page)
                #expect(answer.status == status)
            }
            #expect(
                try scene.count(
                    """
                    SELECT count(*) FROM receipt WHERE stage = 'confirmed' AND discarded_at IS NULL
                        AND booked_month IS NOT NULL
                    """) == 1)
        }
    }

    @Test(.database)
    func `confirming a receipt without lines stores the total that another form cleared in the meantime`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [], head: .init(total: .printed(450)))
            let page = try await anna.get("/receipts/\(receipt)/review")
            let older = try form(scene, receipt, total: "4,50", [])
            let cleared = try form(scene, receipt, total: "", [])
            let saved = try await send(cleared, to: "/receipts/\(receipt)/review", anna, on: page)
            #expect(saved.status == .seeOther)
            #expect(try scene.count("SELECT count(*) FROM receipt WHERE total_minor IS NULL") == 1)
            let confirmed = try await send(older, to: "/receipts/\(receipt)/confirmation", anna, on: page)
            #expect(confirmed.status == .seeOther)
            #expect(try scene.count("SELECT total_minor FROM receipt WHERE stage = 'confirmed'") == 450)
        }
    }

    @Test(.database) func `an older form does not confirm a discarded receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)])
            let keys = try scene.keys(receipt)
            let page = try await anna.get("/receipts/\(receipt)/review")
            let stale = try form(scene, receipt, day: "2026-11-02", total: "1,50", [("\(keys[0])", "MILCH", "1,50")])
            _ = try await anna.post("/receipts/\(receipt)/discard", ["revision": "\(try scene.revision(receipt))"])
            let refusal = try await send(stale, to: "/receipts/\(receipt)/confirmation", anna, on: page)
            #expect(refusal.status == .conflict)
            #expect(try scene.text("SELECT stage FROM receipt WHERE discarded_at IS NOT NULL") == "review")
            // The page of a discarded receipt offers to restore it, and not to discard it.
            let shownPage = try await anna.get("/receipts/\(receipt)").text
            #expect(shownPage.contains("/restoration\"") && !shownPage.contains("/discard\""))
            // A form that shows that the receipt is discarded can confirm it.
            let fresh = try form(scene, receipt, day: "2026-11-02", total: "1,50", [("\(keys[0])", "MILCH", "1,50")])
            let confirmed = try await send(fresh, to: "/receipts/\(receipt)/confirmation", anna, on: page)
            #expect(confirmed.status == .seeOther)
            // Correcting a confirmed receipt redirects to this receipt, not to the next receipt.
            let other = try scene.receipt([("BROT", 250)])
            let secondForm = try form(
                scene, receipt, day: "2026-11-03", total: "1,50", [("\(keys[0])", "MILCH", "1,50")])
            let corrected = try await send(secondForm, to: "/receipts/\(receipt)/confirmation", anna, on: page)
            #expect(corrected.location == "/receipts/\(receipt)" && other != receipt)
        }
    }

    @Test(.database) func `a line with another VAT class gets the rate of that class`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150), ("SEIFE", 100), ("TEE", 100)])
            let keys = try scene.keys(receipt)
            for (key, name, rate) in [(keys[0], "A", 1_000), (keys[1], "B", 2_000), (keys[2], "A", 1_000)] {
                try scene.owner.query(
                    "UPDATE receipt_line SET vat_class = \(name), vat_rate = \(Int32(rate)) WHERE id = \(key)")
            }
            let page = try await anna.get("/receipts/\(receipt)/review")
            let lines = [
                ("\(keys[0])", "MILCH", "1,50"), ("\(keys[1])", "SEIFE", "1,00"), ("\(keys[2])", "TEE", "1,00"),
            ]
            var fields = try form(scene, receipt, day: "2026-11-02", total: "3,50", lines)
            fields += [("vat_class-\(keys[0])", "B"), ("vat_class-\(keys[1])", "B"), ("vat_class-\(keys[2])", "Z")]
            _ = try await send(fields, to: "/receipts/\(receipt)/review", anna, on: page)
            let rates = try scene.owner.query(
                "SELECT coalesce(vat_rate, 0)::bigint FROM receipt_line ORDER BY position"
            ).decode(Int64.self)
            #expect(rates == [2_000, 2_000, 0])
        }
    }

    @Test(.database) func `confirming all proven receipts skips receipts without a date`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let provenReceipt = try scene.receipt([("MILCH", 150)], head: .init(verdict: .proven))
            let open = try scene.receipt([("BROT", 250)], head: .init(verdict: .proven, day: nil))
            for path in ["/receipts", "/"] {
                #expect(try await anna.get(path).text.contains("Nachgerechnete bestätigen (1)"), "\(path)")
            }
            // A filtered list has no button that confirms all receipts.
            #expect(try await !anna.get("/receipts?search=milch").text.contains("/receipts/confirmations"))
            _ = try await anna.post("/receipts/confirmations")
            #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(provenReceipt)") == "confirmed")
            #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(open)") == "review")
        }
    }

    @Test(.database) func `confirming all proven receipts can be undone for all of them at once`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            // So many that they are confirmed in several transactions.
            let proven = try (0..<12).map { _ in
                try scene.receipt([("MILCH", 150)], head: .init(verdict: .proven))
            }
            let byHand = try scene.receipt([("BROT", 250)])
            try await harness.confirm(byHand, by: anna)
            _ = try await anna.post("/receipts/confirmations")
            #expect(try scene.count("SELECT count(*) FROM receipt WHERE stage = 'confirmed'") == 13)
            let page = try await anna.get("/receipts").text
            let undo = try #require(
                page.firstMatch(of: #/action="(\/receipts\/confirmations\/removal\?changes=\d+-\d+)"/#))
            let path = String(undo.output.1)
            // A receipt that was changed after the confirmation stays confirmed.
            try await harness.change(proven[0], #"{"total_minor": 160}"#, by: anna)
            #expect(try await anna.post(path).location == "/receipts")
            #expect(try await anna.get("/receipts").text.contains("Rückgängig gemacht."))
            let confirmed = try scene.owner.query("SELECT id FROM receipt WHERE stage = 'confirmed'")
                .decode(ReceiptID.self)
            #expect(Set(confirmed) == [proven[0], byHand])
            #expect(try scene.count("SELECT sum(amount_minor)::bigint FROM spending_month") == 410)
            #expect(try await anna.get("/receipts").text.contains("Nachgerechnete bestätigen (11)"))
            // A repeated undo and invalid ranges of changes have no effect.
            for other in [path, "/receipts/confirmations/removal", "/receipts/confirmations/removal?changes=9-1"] {
                #expect(try await anna.post(other).location == "/receipts")
            }
            #expect(try scene.count("SELECT count(*) FROM receipt WHERE stage = 'confirmed'") == 2)
        }
    }

    @Test(.database, arguments: [("quantity", "4012345678901"), ("hidden_until", "31.02.2027")])
    func `invalid values are reported at their fields, and the input is kept`(
        field: String, value: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)])
            let keys = try scene.keys(receipt)
            let page = try await anna.get("/receipts/\(receipt)/review")
            var fields = try form(scene, receipt, total: "1,50", [("\(keys[0])", "FRISCHMILCH", "1,50")])
            let name = field == "quantity" ? "quantity-\(keys[0])" : field
            fields.removeAll { $0.0 == name }
            fields.append((name, value))
            let answer = try await send(fields, to: "/receipts/\(receipt)/review", anna, on: page)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("FRISCHMILCH") && answer.text.contains(value))
            #expect(answer.text.contains(field == "quantity" ? "Diese Zahl ist zu groß" : "Bitte geben Sie ein Datum"))
        }
    }
}
