import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Expenses of bank files, and receipts and expenses for the same payments that are entered after the import.
@Suite(.timeLimit(.minutes(5))) struct BankPairTests: BankPairSuite {
    enum Confirmation: String, CaseIterable, Sendable { case form, api, proven }

    @Test(.database, arguments: Confirmation.allCases)
    func `a receipt that is confirmed after the import is proposed, and counts once after it is joined`(
        way: Confirmation
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let scene = try harness.scene(anna)
            let text = file("04.11.2026;;HOFER DANKT 1020 WIEN;Karte;;-12,50;EUR")
            try await importLines(text, anna)
            let receipt = try scene.receipt(
                [("MILCH", 1_250)], person: anna.person, head: .init(verdict: way == .proven ? .proven : .review))
            #expect(try await forms(anna, "/bank-files").isEmpty)
            switch way {
            case .form:
                let fields = try scene.form(receipt, total: "12,50", amounts: ["12,50"])
                _ = try await anna.post("/receipts/\(receipt)/confirmation", pairs: fields)
            case .api: try await harness.confirm(receipt, by: anna)
            case .proven: _ = try await anna.post("/receipts/confirmations")
            }
            #expect(try spent(owner) == 2_500)
            let page = try await anna.get("/receipts/\(receipt)").text
            #expect(page.contains("ist wahrscheinlich dieselbe Zahlung"))
            let listed = try await forms(anna, "/bank-files")
            #expect(listed.count == 1)
            let form = try #require(forms(page).first)
            #expect(try await anna.post(form.action, pairs: form.fields).location == "/receipts/\(receipt)")
            #expect(try spent(owner) == 1_250)
            let link = try owner.query("SELECT receipt_id, expense_id, is_made FROM bank_booking")
            let (linked, expense, isMade) = try #require(try link.first((ReceiptID?, ExpenseID?, Bool).self))
            #expect(linked == receipt && expense == nil && !isMade)
            let joined = try await anna.get("/receipts/\(receipt)").text
            #expect(joined.contains("zählt nur noch einmal") && forms(joined).isEmpty)
            // The line is still known.
            let second = try #require(try await upload(text, anna).location)
            #expect(try await anna.get(second).text.contains("vielleicht schon importiert"))
            let undo = try #require(undoPath(joined))
            #expect(try await anna.post(undo).location == "/receipts/\(receipt)")
            #expect(try spent(owner) == 2_500)
            let restored = try await anna.get("/receipts/\(receipt)").text
            #expect(restored.contains("Rückgängig gemacht") && forms(restored).count == 1)
            #expect(try count(owner, "receipt_id IS NULL AND discarded_at IS NULL") == 1)
            #expect(try owner.query("SELECT 1 FROM bank_booking WHERE is_made AND receipt_id IS NULL").count == 1)
            _ = try await anna.post(undo)
            #expect(try await anna.get("/receipts/\(receipt)").text.contains("Schon erledigt"))
        }
    }

    @Test(.database) func `an expense that is entered after the import is proposed until a person decides`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            try await importLines(
                file("05.11.2026;;PIZZERIA ROMA;Karte;;-75,00;EUR", "06.11.2026;;Kino;Karte;;-9,00;EUR"), anna)
            let typed = try await anna.expense("75", "Pizzeria Roma", [("day", "2026-11-04")])
            let form = try #require(try await forms(anna, "/expenses/\(typed)").first)
            let refusal = try await anna.post("\(form.action)/refusal", pairs: form.fields)
            #expect(refusal.location == "/expenses/\(typed)")
            let page = try await anna.get("/bank-files").text
            #expect(page.contains("Das sind zwei Zahlungen") && forms(page).isEmpty)
            // The same form is sent from another tab.
            _ = try await anna.post(form.action, pairs: form.fields)
            #expect(try await anna.get("/bank-files").text.contains("Nichts geändert"))
            #expect(try count(owner) == 3)
            _ = try await anna.post(try #require(undoPath(page)))
            #expect(try await forms(anna, "/bank-files").count == 1)
            // The page of the bank file's expense names the other expense. After the join, it redirects to the other
            // expense.
            let made = try #require(
                try owner.query("SELECT id FROM expense WHERE source = 'bank' AND amount_minor = 7500")
                    .first(ExpenseID.self))
            let notice = try await anna.get("/expenses/\(made)").text
            #expect(notice.contains("Ein anderer Eintrag") && notice.contains("/expenses/\(typed)\""))
            let other = try #require(forms(notice).first)
            #expect(try await anna.post(other.action, pairs: other.fields).location == "/expenses/\(made)")
            #expect(try await anna.get("/expenses/\(made)").location == "/expenses/\(typed)")
            let joined = try await anna.get("/expenses/\(typed)").text
            #expect(joined.contains("zählt nur noch einmal") && forms(joined).isEmpty)
            let undo = try #require(undoPath(joined))
            #expect(try count(owner) == 2)
            #expect(try spent(owner) == 8_400)
            func paidOn() throws -> String? {
                try owner.query("SELECT paid_on::text FROM expense WHERE id = \(typed)").first(String?.self) ?? nil
            }
            #expect(try paidOn() == "2026-11-05")
            // Restoring the deleted expense has the effect of the undo button.
            _ = try await anna.post("/expenses/\(made)/restoration")
            #expect(try count(owner) == 3)
            #expect(try paidOn() == nil)
            #expect(try owner.query("SELECT 1 FROM bank_booking WHERE is_made").count == 2)
            #expect(try await forms(anna, "/bank-files").count == 1)
            #expect(try await anna.post(undo).location == "/expenses/\(made)")
            #expect(try await anna.get("/expenses/\(made)").text.contains("Schon erledigt"))
            #expect(try count(owner) == 3)
        }
    }

    @Test(.database) func `each of two equal amounts on one day is joined with one entry`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            try await importLines(
                file("03.11.2026;;Bäckerei Huber;Karte;;-3,20;EUR", "03.11.2026;;Bäckerei Huber;Karte;;-3,20;EUR"),
                anna)
            for _ in 0..<3 { _ = try await anna.expense("3,20", "Bäckerei", [("day", "2026-11-03")]) }
            var listed = try await forms(anna, "/bank-files")
            #expect(listed.count == 2)
            #expect(Set(listed.map(\.action)).count == 2 && Set(listed.map(\.other)).count == 2)
            for remaining in [1, 0] {
                let answer = try await anna.post(listed[0].action, pairs: listed[0].fields)
                #expect(answer.location == "/bank-files")
                listed = try await forms(anna, "/bank-files")
                #expect(listed.count == remaining)
            }
            // The third expense has no line in the bank file.
            #expect(try count(owner) == 3)
            #expect(try spent(owner) == 960)
        }
    }

    @Test(.database) func `an amount in another currency is compared with the amount of the payment`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            try await importLines(
                """
                Booking Date,Partner Name,Amount (EUR),Original Amount,Original Currency
                2026-11-04,Hofer,-4.62,19.00,PLN
                2026-11-04,Blue Bottle,-5.10,6.00,USD
                """, anna)
            let receipt = try await harness.scene(anna).receiptInChangeLog(
                harness, [("PIEROGI", 1_900)], head: .init(day: "2026-11-03"))
            try await harness.change(receipt, #"{"currency": "PLN"}"#, by: anna)
            try await harness.confirm(receipt, by: anna)
            let typed = try await anna.expense("6", "Blue Bottle", [("day", "2026-11-03"), ("currency", "USD")])
            #expect(try spent(owner) == 972)
            for path in ["/receipts/\(receipt)", "/expenses/\(typed)"] {
                let form = try #require(try await forms(anna, path).first, "\(path)")
                _ = try await anna.post(form.action, pairs: form.fields)
            }
            // The receipt and the expense count with the amounts of the bank.
            #expect(try spent(owner) == 972)
            #expect(try await anna.get("/receipts/\(receipt)").text.contains("Zählt mit 4,62"))
            #expect(try count(owner, "stated_minor IS NOT NULL") == 2)
            for made in try owner.query("SELECT id FROM expense WHERE source = 'bank'").decode(ExpenseID.self) {
                _ = try await anna.post("/expenses/\(made)/restoration")
            }
            #expect(try spent(owner) == 972)
            #expect(try count(owner, "stated_minor IS NOT NULL") == 0)
        }
    }

    @Test(.database) func `undoing the import after a pair was joined keeps the other entry`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let text = file("05.11.2026;;PIZZERIA ROMA;Karte;;-75,00;EUR")
            let preview = try await importLines(text, anna)
            let typed = try await anna.expense("75", "Pizzeria Roma", [("day", "2026-11-05")])
            let form = try #require(try await forms(anna, "/expenses/\(typed)").first)
            _ = try await anna.post(form.action, pairs: form.fields)
            let undo = try #require(undoPath(try await anna.get("/expenses/\(typed)").text))
            _ = try await anna.post("\(preview)/removal")
            #expect(try owner.query("SELECT 1 FROM bank_booking").isEmpty)
            #expect(try count(owner) == 1)
            #expect(try spent(owner) == 7_500)
            _ = try await anna.post(undo)
            #expect(try await anna.get("/expenses/\(typed)").text.contains("Schon erledigt"))
            #expect(try count(owner) == 1)
            let second = try #require(try await upload(text, anna).location)
            #expect(try await anna.get(second).text.contains("name=\"match-0\" value=\"\(typed)\""))
        }
    }

    @Test(.database) func `a decision against a match during the import is remembered`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let roma = try await anna.expense("75", "Pizzeria Roma", [("day", "2026-11-05")])
            _ = try await anna.expense("9", "Popcorn", [("day", "2026-11-06")])
            let preview = try #require(
                try await upload(
                    file("05.11.2026;;PIZZERIA ROMA;Karte;;-75,00;EUR", "06.11.2026;;Filmcasino;Karte;;-9,00;EUR"),
                    anna
                ).location)
            // `make` is the proposed decision for the second line, because its payee differs.
            _ = try await anna.post(
                "\(preview)/confirmation", ["row-0": "make", "match-0": "\(roma)", "row-1": "make"])
            let page = try await anna.get("/bank-files").text
            #expect(forms(page).count == 1 && page.contains("Popcorn") && !page.contains("Pizzeria Roma"))
        }
    }

    @Test(.database) func `the pages of expenses count the pairs for members, and viewers see no form`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let vera = try await harness.join(anna, as: .viewer)
            let day = WallClock.today().adding(days: -3)
            try await importLines(file("\(day.formatted(.german));;Kino;Karte;;-9,00;EUR"), anna)
            #expect(try await !anna.get("/expenses").text.contains("/bank-files#pairs"))
            let typed = try await anna.expense("9", "Kino", [("day", day.iso)])
            for path in ["/expenses", "/expenses/list"] {
                #expect(try await anna.get(path).text.contains("/bank-files#pairs"), "\(path)")
                #expect(try await !vera.get(path).text.contains("/bank-files#pairs"), "\(path)")
            }
            #expect(try await forms(vera, "/expenses/\(typed)").isEmpty)
            let form = try #require(try await forms(anna, "/expenses/\(typed)").first)
            #expect(try await vera.post(form.action, pairs: form.fields).status == .forbidden)
        }
    }

    @Test(.database) func `a sync client that restores the expense of the bank file separates the pair`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let sync = SyncScene(harness, anna)
            try await importLines(file("05.11.2026;;PIZZERIA ROMA;Karte;;-75,00;EUR"), anna)
            // The client has entered the expense.
            let key = SyncScene.key(.expense)
            try await sync.edit(key) {
                $0 = [
                    "type": "expense", "what": "Pizzeria Roma", "amount_minor": 7500, "currency": "EUR",
                    "day": "2026-11-05",
                ]
            }
            let form = try #require(try await forms(anna, "/bank-files").first)
            _ = try await anna.post(form.action, pairs: form.fields)
            #expect(try spent(owner) == 7_500)
            let made = try #require(
                try owner.query("SELECT id FROM expense WHERE source = 'bank'").first(ExpenseID.self))
            let madeKey = DocumentKey(.expense, made.relabelled(Void.self))
            #expect(try await sync.body(madeKey)?["discarded"] == true)
            #expect(try await sync.body(key)?["paid_on"] == "2026-11-05")
            try await sync.edit(madeKey) { $0["discarded"] = false }
            #expect(try spent(owner) == 15_000)
            #expect(try owner.query("SELECT 1 FROM bank_booking WHERE is_made").count == 1)
            #expect(try await forms(anna, "/bank-files").count == 1)
        }
    }
}
