import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// The history of a receipt. A change is undone by a new change, and a value that a merge did not keep can be stored.
@Suite(.timeLimit(.minutes(5))) struct HistoryTests {
    /// The addresses of the undo buttons, newest change first.
    private func undoAddresses(_ page: Answer) -> [String] {
        page.text.matches(of: #/\/receipts\/[0-9a-f-]+\/history\/[0-9]+\/undo/#).map { String($0.output) }
    }

    private func state(_ scene: ReceiptScene, _ receipt: ReceiptID) throws -> [String?] {
        let row = try scene.owner.query(
            """
            SELECT stage, total_minor::text, purchase_day::text, discarded_at IS NOT NULL FROM receipt WHERE id = \(receipt)
            """
        ).first((String, String?, String?, Bool).self)
        let (stage, total, day, isDiscarded) = try #require(row)
        return [stage, total, day, isDiscarded ? "discarded" : nil]
    }

    @Test(.database) func `shows who changed what, and undoes each change by a new change`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("MILCH", 150), ("BROT", 250)])
            let (annas, bens) = (try await harness.caller(anna), try await harness.caller(ben))
            let keys = try scene.keys(receipt)
            try await annas.patch(
                receipt,
                "{\"total_minor\":390,\"lines\":[{\"id\":\"\(keys[0])\",\"printed_name\":\"VOLLMILCH\",\"total_minor\":140}]}"
            )
            try await bens.patch(receipt, "{\"purchase_day\":\"2026-11-03\"}")
            try await bens.confirm(receipt)
            let page = try await anna.get("/receipts/\(receipt)/history")
            #expect(page.status == .ok)
            #expect(page.text.contains("Paul Huber") && page.text.contains("Anna Berger"))
            #expect(page.text.contains("„MILCH“, danach „VOLLMILCH“"))
            #expect(page.text.contains("Gelöschte Zeile „BROT“, 2,50"))
            #expect(page.text.contains("„02.11.2026“, danach „03.11.2026“"))
            #expect(page.text.contains(#/Summe: „4,00.€“, danach „3,90.€“/#))
            #expect(page.text.contains(#/VOLLMILCH, Betrag: „1,50.€“, danach „1,40.€“/#))
            let buttons = undoAddresses(page)
            #expect(buttons.count == 3)
            #expect(try scene.count("SELECT count(*) FROM spending_month WHERE amount_minor = 390") == 1)

            // Undo the oldest of the three changes. The receipt stays confirmed.
            #expect(try await anna.post(buttons[2]).status == .seeOther)
            #expect(try scene.lines(receipt) == ["MILCH", "BROT"] && scene.keys(receipt) == keys)
            #expect(try state(scene, receipt) == ["confirmed", "400", "2026-11-03", nil])
            #expect(try scene.count("SELECT count(*) FROM spending_month WHERE amount_minor = 400") == 1)
            // A repeated request changes nothing.
            let revision = try scene.revision(receipt)
            #expect(try await anna.post(buttons[2]).status == .seeOther)
            #expect(try scene.revision(receipt) == revision)

            // Undo the confirmation: the receipt waits for review again, and its prices are removed.
            #expect(try await anna.post(buttons[0]).status == .seeOther)
            #expect(try state(scene, receipt) == ["review", "400", "2026-11-03", nil])
            #expect(try scene.count("SELECT count(*) FROM spending_month WHERE amount_minor <> 0") == 0)
            // Undoing this undo confirms the receipt again.
            let secondPage = try await anna.get("/receipts/\(receipt)/history")
            #expect(secondPage.text.contains("Bestätigung rückgängig gemacht"))
            #expect(try await anna.post(undoAddresses(secondPage)[0]).status == .seeOther)
            #expect(try state(scene, receipt)[0] == "confirmed")
        }
    }

    @Test(.database) func `undoing keeps fields that were changed later, and the page says so`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("MILCH", 150)])
            let caller = try await harness.caller(anna)
            try await caller.patch(receipt, "{\"total_minor\":160,\"purchase_day\":\"2026-11-03\"}")
            let first = try #require(undoAddresses(try await anna.get("/receipts/\(receipt)/history")).first)
            try await caller.patch(receipt, "{\"total_minor\":170}")
            let answer = try await anna.post(first)
            #expect(answer.status == .conflict)
            #expect(answer.text.contains("Nur zum Teil rückgängig gemacht") && answer.text.contains("1,50"))
            #expect(try state(scene, receipt) == ["review", "170", "2026-11-02", nil])
            try await caller.patch(receipt, "{\"purchase_day\":\"2026-11-04\"}")
            let refusal = try await anna.post(first)
            #expect(refusal.status == .conflict && refusal.text.contains("Nichts rückgängig gemacht"))
            #expect(try state(scene, receipt) == ["review", "170", "2026-11-04", nil])
        }
    }

    @Test(.database) func `a discard can be undone; undoing the date that a confirmed receipt needs is refused`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("MILCH", 150)], head: .init(day: nil))
            let caller = try await harness.caller(anna)
            try await caller.patch(receipt, "{\"purchase_day\":\"2026-11-03\"}")
            let page = try await anna.get("/receipts/\(receipt)/history")
            #expect(page.text.contains("Datum: „03.11.2026“"))
            let dated = try #require(undoAddresses(page).first)
            try await caller.confirm(receipt)
            let refusal = try await anna.post(dated)
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("braucht ein Datum"))
            #expect(try await anna.post("/receipts/\(receipt)/discard").status == .seeOther)
            let discarded = try await anna.get("/receipts/\(receipt)/history")
            #expect(discarded.text.contains("Verworfen"))
            #expect(try await anna.post(undoAddresses(discarded)[0]).status == .seeOther)
            #expect(try state(scene, receipt) == ["confirmed", "150", "2026-11-03", nil])
        }
    }

    @Test(.database)
    func `viewers see the history but cannot change it; other members see no history of a hidden receipt`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let vera = try await harness.join(anna, as: .viewer)
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("MILCH", 150)], person: anna.person)
            try await harness.caller(anna).patch(receipt, "{\"total_minor\":160}")
            let page = try await vera.get("/receipts/\(receipt)/history")
            #expect(page.status == .ok && undoAddresses(page).isEmpty)
            let undo = try #require(undoAddresses(try await anna.get("/receipts/\(receipt)/history")).first)
            #expect(try await vera.post(undo).status == .forbidden)
            try await harness.hide(receipt, by: anna)
            #expect(try await vera.get("/receipts/\(receipt)/history").status == .notFound)
            #expect(try await anna.get("/receipts/\(receipt)/history").status == .ok)
            for path in ["history?before=x", "history/0/undo", "history/99999/undo"] {
                let answer =
                    path.hasSuffix("undo")
                    ? try await anna.post("/receipts/\(receipt)/\(path)")
                    : try await anna.get("/receipts/\(receipt)/\(path)")
                #expect(answer.status.code == (path.hasSuffix("undo") ? 404 : 400))
            }
        }
    }

    @Test(.database) func `a long history has several pages`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("MILCH", 150)])
            let caller = try await harness.caller(anna)
            for total in 151...174 { try await caller.patch(receipt, "{\"total_minor\":\(total)}") }
            let page = try await anna.get("/receipts/\(receipt)/history")
            let older = try #require(
                page.text.firstMatch(of: #/history\?before=[0-9]+/#).map { String($0.output) })
            let secondPage = try await anna.get("/receipts/\(receipt)/\(older)")
            func titleCount(_ answer: Answer) -> Int { answer.text.matches(of: #/class="title">Geändert</#).count }
            #expect(titleCount(page) == 20 && titleCount(secondPage) == 4 && secondPage.text.contains("Angelegt"))
            // All fields of the older changes were changed again by later ones.
            #expect(undoAddresses(page).count == 1 && undoAddresses(secondPage).isEmpty)
        }
    }

    // MARK: Merges

    /// A receipt whose total was changed by two replicas at the same time. The second replica also changed its store.
    static func mergedReceipt(
        _ harness: AppHarness, _ anna: Browser, _ ben: Browser
    ) async throws -> (SyncScene, DocumentKey) {
        let (sync, other) = (SyncScene(harness, anna), SyncScene(harness, ben, role: .member))
        let key = SyncScene.key(.receipt)
        try await sync.edit(key) { $0 = SyncScene.receipt([SyncScene.line("MILCH", 129)]) }
        let base = try #require(try await sync.winner(key))
        let body = try #require(try await sync.body(key))
        var (one, two) = (body, body)
        (one["total_minor"], two["total_minor"], two["store"]) = (139, 149, "Anderswo")
        try await sync.replicate(key, "\(base.generation + 1)-bbbb", after: [base], one)
        try await other.replicate(key, "\(base.generation + 1)-aaaa", after: [base], two)
        return (sync, key)
    }

    @Test(.database)
    func `a value that a merge did not keep is shown beside the stored value, and can be stored by a new change`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let (sync, key) = try await Self.mergedReceipt(harness, anna, ben)
            let path = "/receipts/\(key.id)/history"
            let page = try await anna.get(path)
            #expect(page.text.contains("Abweichende Werte") && page.text.contains("Summe: 1,39"))
            #expect(page.text.contains("„Testladen“, danach „Anderswo“ (zusammengeführt)"))
            #expect(page.text.contains(#/danach „1,49.€“ \(nicht gespeichert\)/#))
            let action = try #require(page.text.firstMatch(of: #/\/receipts\/[0-9a-f-]+\/lost-values\/[0-9a-f-]+/#))
            let storing = String(action.output)
            let shownRevision = try #require(page.attribute("value", after: "name=\"revision\""))
            // A request with another revision than the revision of the page is refused.
            #expect(
                try await anna.post(storing, ["revision": "1"]).status == (shownRevision == "1" ? .seeOther : .conflict)
            )
            #expect(try await anna.post(storing, ["revision": shownRevision]).location == path)
            #expect(try await sync.body(key)?["total_minor"] == 149)
            #expect(try await sync.leaves(key).count == 2)
            let pageAfter = try await anna.get(path)
            #expect(
                !pageAfter.text.contains("Abweichende Werte") && pageAfter.text.contains(#/„1,39.€“, danach „1,49.€“/#))
            // A repeated request changes nothing, because a value was already chosen.
            #expect(try await anna.post(storing, ["revision": shownRevision]).status == .seeOther)
            #expect(try await sync.body(key)?["total_minor"] == 149)
        }
    }

    @Test(.database) func `a value that a merge did not keep can be dismissed, and an invalid value is refused`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let (sync, key) = try await Self.mergedReceipt(harness, anna, ben)
            let scene = try harness.scene(anna)
            let path = "/receipts/\(key.id)/history"
            func action() async throws -> (String, String) {
                let page = try await anna.get(path)
                let match = try #require(page.text.firstMatch(of: #/\/receipts\/[0-9a-f-]+\/lost-values\/[0-9a-f-]+/#))
                return (String(match.output), try #require(page.attribute("value", after: "name=\"revision\"")))
            }
            try scene.owner.query("UPDATE lost_value SET lost = '\"viel\"'")
            let (broken, revision) = try await action()
            #expect(try await anna.post(broken, ["revision": revision]).status == .unprocessableContent)
            try scene.owner.query("UPDATE lost_value SET field = 'lines/00000000-0000-0000-0000-000000000000/name'")
            #expect(try await anna.post(broken, ["revision": revision]).status == .conflict)
            #expect(try await anna.post("\(broken)/removal").location == path)
            #expect(try await sync.body(key)?["total_minor"] == 139)
            #expect(!(try await anna.get(path).text.contains("Abweichende Werte")))
        }
    }

    @Test(.database) func `a deleted category that a client named cannot be stored, but the value can be dismissed`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let sync = SyncScene(harness, anna)
            let (category, key) = (SyncScene.key(.category), SyncScene.key(.receipt))
            try await sync.edit(category) { $0 = ["type": "category", "name": "Kaviar"] }
            try await sync.edit(key) { $0 = SyncScene.receipt([SyncScene.line("MILCH", 129)]) }
            try await sync.delete(category)
            try await sync.edit(key) {
                var line = $0["lines"]?.array?.first?.object ?? JSONObject()
                line["category"] = .string(category.description)
                $0["lines"] = .array([.object(line)])
            }
            let path = "/receipts/\(key.id)/history"
            let page = try await anna.get(path)
            #expect(page.text.contains("gelöschte Kategorie"))
            let match = try #require(page.text.firstMatch(of: #/\/receipts\/[0-9a-f-]+\/lost-values\/[0-9a-f-]+/#))
            let (action, shown) = (
                String(match.output), try #require(page.attribute("value", after: "name=\"revision\""))
            )
            #expect(try await anna.post(action, ["revision": shown]).status == .unprocessableContent)
            #expect(try await anna.get(path).text.contains("Abweichende Werte"))
            #expect(try await anna.post("\(action)/removal").location == path)
            #expect(!(try await anna.get(path).text.contains("Abweichende Werte")))
        }
    }
}
