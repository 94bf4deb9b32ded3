import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Bank files and proposed pairs reveal no personal expenses and no hidden receipts of other members.
@Suite(.timeLimit(.minutes(5))) struct BankPairPrivacyTests: BankPairSuite {
    @Test(.database) func `personal expenses and hidden receipts of other members are not proposed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let owner = try harness.owner()
            try await importLines(file("05.11.2026;;HOFER DANKT;Karte;;-75,00;EUR"), anna)
            let personal = try await ben.expense("75", "Hofer", [("day", "2026-11-05"), ("personal", "1")])
            let gift = try harness.scene(anna).receipt([("VASE", 7_500)], person: ben.person)
            try await harness.confirm(gift, by: ben)
            try await harness.hide(gift, by: ben)
            let made = try #require(
                try owner.query("SELECT id FROM expense WHERE source = 'bank'").first(ExpenseID.self))
            // Ben's own entries are not proposed to him either. Anna would see that a join has deleted the expense of
            // her line.
            for browser in [anna, ben] {
                for path in ["/bank-files", "/expenses/\(made)"] {
                    #expect(try await forms(browser, path).isEmpty, "\(path)")
                }
                for (field, id) in [("other", "\(personal)"), ("receipt", "\(gift)")] {
                    let answer = try await browser.post("/expenses/\(made)/bank-pairs", pairs: [(field, id)])
                    #expect(answer.location == "/bank-files")
                }
            }
            #expect(try await forms(ben, "/expenses/\(personal)").isEmpty)
            #expect(try owner.query("SELECT 1 FROM bank_pair").isEmpty)
            #expect(try count(owner) == 2)
            // After its publication, the receipt is proposed to both members.
            try owner.query("UPDATE receipt SET hidden_until = current_date - 1")
            for browser in [anna, ben] {
                #expect(try await forms(browser, "/bank-files").map(\.other) == ["\(gift)"])
            }
        }
    }

    @Test(.database) func `the expenses of a personal file are proposed to its owner only`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let owner = try harness.owner()
            try await importLines(file("05.11.2026;;PIZZERIA ROMA;Karte;;-75,00;EUR"), anna, personal: true)
            let typed = try await ben.expense("75", "Pizzeria Roma", [("day", "2026-11-05")])
            #expect(try await forms(ben, "/expenses/\(typed)").isEmpty)
            let form = try #require(try await forms(anna, "/expenses/\(typed)").first)
            #expect(try await ben.post(form.action, pairs: form.fields).status == .notFound)
            _ = try await anna.post(form.action, pairs: form.fields)
            let undo = try #require(undoPath(try await anna.get("/expenses/\(typed)").text))
            #expect(try await ben.post(undo).status == .notFound)
            #expect(try count(owner) == 1)
            #expect(try spent(owner) == 7_500)
            #expect(try await anna.post(undo).location == "/expenses/\(typed)")
            #expect(try count(owner) == 2)
        }
    }

    @Test(.database) func `the payee of an expense is not recognised by the text of another member's line`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            try await importLines(file("02.11.2026;;Juwelier;Karte;;-200,00;EUR"), anna)
            try harness.owner().query("UPDATE expense SET what = 'Geschenk', payee = ''")
            let typed = try await ben.expense("200", "Juwelier", [("day", "2026-11-02")])
            for (browser, word) in [(anna, "wahrscheinlich"), (ben, "vielleicht")] {
                let page = try await browser.get("/expenses/\(typed)").text
                #expect(page.contains("und ist \(word) dieselbe Zahlung"), "\(word)")
            }
        }
    }

    @Test(.database) func `a file does not reveal that another member has personal expenses for the same lines`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let owner = try harness.owner()
            let text = file("02.11.2026;;Juwelier;Karte;;-200,00;EUR", "03.11.2026;;Kino;Karte;;-9,00;EUR")
            let shared = file("03.11.2026;;Kino;Karte;;-9,00;EUR")
            try await importLines(shared, anna)
            try await importLines(text, anna, personal: true)
            #expect(try count(owner, "is_personal") == 1)
            // Ben sees the shared expense, so its line is known. The other line is new to Ben, as if no member had
            // imported it.
            let preview = try #require(try await upload(text, ben).location)
            let page = try await ben.get(preview).text
            #expect(page.contains("Umsätze zum Importieren: 1"))
            #expect(page.contains("Schon importiert und deshalb ausgelassen: 1"))
            _ = try await ben.post("\(preview)/confirmation")
            #expect(try count(owner) == 3)
            // The lines of Ben's own import are known to him and to Anna.
            for browser in [anna, ben] {
                let second = try #require(try await upload(text, browser).location)
                let page = try await browser.get(second).text
                #expect(page.contains("Schon importiert und deshalb ausgelassen: 2"))
            }
            #expect(try await forms(ben, "/bank-files").isEmpty)
            // Anna sees both expenses, and is asked whether they are the same payment.
            let form = try #require(try await forms(anna, "/bank-files").first)
            _ = try await anna.post(form.action, pairs: form.fields)
            #expect(try count(owner) == 2)
            #expect(try spent(owner) == 20_900)
            #expect(try count(owner, "is_personal AND discarded_at IS NULL") == 0)
            // Undoing one import does not undo the other. The expense stays while one file contains its line.
            _ = try await ben.post("\(preview)/removal")
            #expect(try count(owner) == 2)
            #expect(try spent(owner) == 20_900)
        }
    }

    @Test(.database)
    func `a line of a hidden receipt is new for other members, and the pair is proposed after publication`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let owner = try harness.owner()
            let gift = try harness.scene(anna).receipt([("VASE", 4_900)], person: anna.person)
            try await harness.confirm(gift, by: anna)
            try await harness.hide(gift, by: anna)
            let text = file("03.11.2026;;HOFER DANKT;Karte;;-49,00;EUR")
            let first = try #require(try await upload(text, anna).location)
            _ = try await anna.post("\(first)/confirmation", pairs: links(try await anna.get(first).text))
            #expect(try count(owner, "receipt_id IS NULL") == 0)
            try await importLines(text, ben)
            #expect(try count(owner, "receipt_id IS NULL") == 1)
            for browser in [anna, ben] { #expect(try await forms(browser, "/bank-files").isEmpty) }
            try owner.query("UPDATE receipt SET hidden_until = current_date - 1")
            let form = try #require(try await forms(ben, "/receipts/\(gift)").first)
            _ = try await ben.post(form.action, pairs: form.fields)
            #expect(try count(owner, "receipt_id IS NULL AND discarded_at IS NULL") == 0)
            let linked = try owner.query("SELECT count(*) FROM bank_booking WHERE receipt_id = \(gift)")
            #expect(try linked.first(Int64.self) == 2)
        }
    }

    @Test(.database) func `each of two joined expenses gets its own line back`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let owner = try harness.owner()
            let text = file("04.11.2026;;HOFER DANKT;Karte;;-75,00;EUR")
            try await importLines(text, anna, personal: true)
            try await importLines(text, ben)
            let receipt = try harness.scene(anna).receipt([("MILCH", 7_500)], person: anna.person)
            try await harness.confirm(receipt, by: anna)
            // Anna's expense is joined with Ben's. Then Ben's is joined with the receipt.
            let listed = try await forms(anna, "/bank-files")
            #expect(listed.count == 1)
            let personal = try #require(listed.first)
            _ = try await anna.post(personal.action, pairs: personal.fields)
            let shared = try #require(try await forms(anna, "/receipts/\(receipt)").first)
            _ = try await anna.post(shared.action, pairs: shared.fields)
            #expect(try spent(owner) == 7_500)
            func lines(_ condition: SQL) throws -> Int {
                try owner.query("SELECT 1 FROM bank_booking WHERE \(condition)").count
            }
            #expect(try lines("receipt_id = \(receipt)") == 2)
            let made = try owner.query("SELECT id FROM expense WHERE source = 'bank' ORDER BY is_personal DESC")
                .decode(ExpenseID.self)
            try #require(made.count == 2)
            _ = try await anna.post("/expenses/\(made[0])/restoration")
            #expect(try lines("expense_id = \(made[0]) AND is_made") == 1)
            #expect(try lines("receipt_id = \(receipt)") == 1)
            _ = try await anna.post("/expenses/\(made[1])/restoration")
            #expect(try lines("expense_id = \(made[1]) AND is_made") == 1)
            #expect(try lines("receipt_id IS NOT NULL") == 0)
        }
    }
}
