import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The pages of the expense list.
@Suite(.timeLimit(.minutes(5))) struct ExpenseListTests {
    /// Adds expenses of 1 euro that are named "Kino" and a number.
    private func add(
        _ numbers: ClosedRange<Int>, on day: String, _ browser: Browser, _ harness: AppHarness
    ) async throws {
        let day = try #require(LocalDate(parsing: day))
        let expenses = numbers.map { number in
            NewExpense(
                id: .new(),
                values: ExpenseValues(
                    kind: .expense, what: "Kino \(number)", amount: Amount(minorUnits: 100), stated: nil, day: day,
                    payee: "", category: nil, paidBy: browser.person, labels: [], note: "", isPersonal: false))
        }
        try await harness.database.write(browser.household, by: browser.person) { changes in
            try await ExpenseEdits.insert(expenses, source: "manual", changes)
            try await changes.query(batch: ExpenseSums.statements(days: [day], changes.household))
        }
    }

    @Test(.database) func `the list says that the rate of a receipt in another currency is missing`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("RIVELLA", 350)], stage: "confirmed", person: anna.person)
            try scene.owner.query("UPDATE receipt SET currency = 'CHF' WHERE id = \(receipt)")
            let page = try await anna.get("/expenses/list?month=2026-11").text
            #expect(page.contains("kein Wechselkurs"))
        }
    }

    @Test(.database) func `the list offers no labels of receipts that are hidden from the member`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            for (label, days) in [("Sommer", 0), ("Geburtstag", 9)] {
                let receipt = try scene.receipt([("VASE", 900)], stage: "confirmed", person: anna.person)
                try scene.owner.query(
                    """
                    UPDATE receipt SET hidden_until = \(WallClock.today().adding(days: days)) WHERE id = \(receipt)
                    """)
                try scene.owner.query(
                    """
                    INSERT INTO expense (household_id, id, receipt_id, labels)
                    VALUES (\(anna.household), \(ExpenseID.new()), \(receipt), \([label]))
                    """)
            }
            let (own, other) = (
                try await anna.get("/expenses/list").text, try await paul.get("/expenses/list").text
            )
            #expect(own.contains("Geburtstag") && own.contains("Sommer"))
            #expect(!other.contains("Geburtstag") && other.contains("Sommer"))
        }
    }

    @Test(.database, arguments: ["", "from=2026-02-01&to=2026-03-31"])
    func `a month with more expenses than a page is shown completely; the next page has earlier months`(
        filter: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let count = Int(ExpenseListQueries.pageSize) + 5
            try await add(1...count, on: "2026-03-05", anna, harness)
            _ = try await anna.expense("7", "Zoo", [("day", "2026-02-05")])
            _ = try await anna.expense("8", "Park", [("day", "2026-01-05")])
            let page = try await anna.get("/expenses/list?\(filter)").text
            #expect(page.contains("Kino 1<") && page.contains("Kino \(count)<") && page.contains("205,00"))
            #expect(!page.contains("Zoo<"))
            let next = ["before=2026-03", filter].filter { !$0.isEmpty }.joined(separator: "&")
            let escaped = next.replacing("&", with: "&amp;")
            #expect(page.contains("/expenses/list?\(escaped)"))
            let older = try await anna.get("/expenses/list?\(next)").text
            #expect(older.contains("Zoo<") && !older.contains("Kino 1<"))
            #expect(older.contains("Park<") == filter.isEmpty)
        }
    }

    @Test(.database, arguments: [false, true], ["label", "remove"])
    func `if a selected expense was removed, the page shows a message`(isAlone: Bool, action: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let removedExpense = try await anna.expense("5", "Kino")
            let other = try await anna.expense("6", "Zoo")
            _ = try await anna.post("/expenses/\(removedExpense)/removal")
            try harness.owner().query(
                "UPDATE expense SET discarded_at = now() - interval '40 days' WHERE id = \(removedExpense)")
            #expect(try await ExpenseBulkEdits.deleteDiscarded(anna.household, atMost: 10, harness.database) == 1)
            let expenses = isAlone ? [removedExpense] : [removedExpense, other]
            let answer = try await anna.post(
                "/expenses/changes",
                pairs: expenses.map { ("expense", "\($0)") } + [("labels", "Wien"), ("action", action)])
            #expect(answer.location == "/expenses/list")
            let page = try await anna.get("/expenses/list").text
            #expect(page.contains("Einige der gewählten Ausgaben") && page.contains("Zoo<") && !page.contains("Wien"))
        }
    }

    @Test(.database) func `each field for changing several expenses has a choice that changes nothing`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await anna.expense("5", "Kino")
            let page = try await anna.get("/expenses/list").text
            for field in ["category", "paid-by"] {
                #expect(page.contains("name=\"\(field)\"><option value=\"\">unverändert</option>"), "\(field)")
            }
        }
    }

    @Test(.database) func `the filter form keeps a range of dates until a month is chosen`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await anna.expense("5", "Kino", [("day", "2026-02-05")])
            _ = try await anna.expense("6", "Zoo", [("day", "2026-02-25")])
            let range = try await anna.get("/expenses/list?from=2026-01-25&to=2026-02-24").text
            #expect(range.contains("Kino<") && !range.contains("Zoo<"))
            #expect(range.contains("name=\"from\" value=\"2026-01-25\""))
            #expect(range.contains("name=\"to\" value=\"2026-02-24\""))
            #expect(range.contains("Nur vom 25.01.2026 bis zum 24.02.2026"))
            let month = try await anna.get("/expenses/list?from=2026-01-25&to=2026-02-24&month=2026-02").text
            #expect(month.contains("Zoo<") && !month.contains("name=\"from\""))
            let typed = try await anna.get("/expenses/list?month=2.2026").text
            #expect(typed.contains("Zoo<") && typed.contains("name=\"month\" value=\"2026-02\""))
        }
    }

    @Test(.database) func `the filter form keeps a former member as the payer, but no stranger`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let stranger = try await harness.signUp("Eva Fremd", household: "Anderswo")
            _ = try await paul.expense("5", "Kino")
            _ = try await anna.expense("6", "Zoo")
            _ = try await anna.post("/settings/members/\(paul.person)/removal")
            func selectedPayer(_ person: PersonID) async throws -> String? {
                let page = try await anna.get("/expenses/list?member=\(person)").text
                #expect(!page.contains("Zoo<") || person == anna.person)
                return page.firstMatch(of: #/<option value="([0-9a-f-]{36})" selected>/#).map { String($0.output.1) }
            }
            #expect(try await selectedPayer(paul.person) == paul.person.description)
            #expect(try await selectedPayer(anna.person) == anna.person.description)
            #expect(try await selectedPayer(stranger.person) == nil)
        }
    }

    @Test(.database) func `all expenses of a month can be selected and deleted`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            try await add(1...Int(ExpenseListQueries.monthSize), on: "2026-03-05", anna, harness)
            let ids = try owner.query("SELECT id FROM expense").decode(ExpenseID.self)
            let answer = try await anna.post(
                "/expenses/changes", pairs: ids.map { ("expense", "\($0)") } + [("action", "remove")])
            #expect(answer.status == .seeOther)
            #expect(try owner.query("SELECT 1 FROM expense WHERE discarded_at IS NULL").isEmpty)
            #expect(try owner.query("SELECT 1 FROM expense_day").isEmpty)
        }
    }

    @Test(.database) func `an expense is found by its amount in any currency`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await anna.expense("1234,50", "Miete", [("day", "2026-03-01")])
            _ = try await anna.expense("1234,50", "Chalet", [("day", "2026-03-02"), ("currency", "CHF")])
            _ = try await anna.expense("1200", "Ramen", [("day", "2026-03-03"), ("currency", "JPY")])
            _ = try await anna.expense("1200", "Sofa", [("day", "2026-03-04")])
            _ = try await anna.expense("9,90", "Buch", [("day", "2026-03-05"), ("kind", "refund")])
            _ = try await anna.expense(
                "10", "Hotel", [("day", "2026-03-06"), ("currency", "USD"), ("stated", "9,20")])
            try await anna.importTable([("Milch", "12,34", "2026-03-07", "BILLA")])
            let all = ["Miete", "Chalet", "Ramen", "Sofa", "Buch", "Hotel", "BILLA"]
            let searches: [(String, Set<String>)] = [
                ("1234,50", ["Miete", "Chalet"]), ("1'234.50", ["Miete", "Chalet"]), ("Fr. 1'234.50", ["Chalet"]),
                ("CHF 1234,50", ["Chalet"]), ("1.234,50 €", ["Miete"]), ("1200", ["Ramen", "Sofa"]),
                ("1.200", ["Ramen", "Sofa"]), ("JPY 1200", ["Ramen"]), ("1.200,–", ["Ramen", "Sofa"]),
                ("−9,90", ["Buch"]),
                ("9,20", ["Hotel"]), ("12,34", ["BILLA"]), ("12,34 €", ["BILLA"]),
            ]
            for (search, expected) in searches {
                let page = try await anna.get("/expenses/list?search=\(PercentCoding.encode(search))").text
                #expect(Set(all.filter { page.contains("class=\"title\">\($0)<") }) == expected, "\(search)")
            }
        }
    }

    @Test(.database) func `changing several expenses can be undone, except for values that were changed again later`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let categories = try owner.query(
                "SELECT id FROM category WHERE parent_id IS NULL ORDER BY position, id LIMIT 3"
            ).decode(CategoryID.self)
            try await add(1...4, on: "2026-03-05", anna, harness)
            let ids = try owner.query("SELECT id FROM expense ORDER BY what").decode(ExpenseID.self)
            func change(_ count: Int, _ fields: [(String, String)]) async throws -> String {
                _ = try await anna.post(
                    "/expenses/changes", pairs: ids.prefix(count).map { ("expense", "\($0)") } + fields)
                let page = try await anna.get("/expenses/list").text
                let undo = try #require(
                    page.firstMatch(of: #/action="(\/expenses\/[0-9a-f-]{36}\/changes\/removal\?revision=\d+)"/#))
                return String(undo.output.1)
            }
            func storedValues<Value: PostgresValue>(_ column: String, _: Value.Type) throws -> [Value] {
                try owner.query(SQL(uncheckedText: "SELECT \(column) FROM expense ORDER BY what")).decode(Value.self)
            }
            _ = try await change(1, [("action", "category"), ("category", "\(categories[0])")])
            let categorised = try await change(3, [("action", "category"), ("category", "\(categories[1])")])
            let labelled = try await change(4, [("action", "label"), ("labels", "Urlaub, Italien")])
            _ = try await change(1, [("action", "label"), ("labels", "Sommer")])
            // The category of the second expense is changed once more.
            try owner.query("UPDATE expense SET category_id = \(categories[2]) WHERE id = \(ids[1])")
            #expect(try await anna.post(categorised).location == "/expenses/list")
            #expect(try storedValues("category_id", CategoryID?.self) == [categories[0], categories[2], nil, nil])
            #expect(try storedValues("category_source", String.self).suffix(2) == ["", ""])
            for _ in 0..<2 { _ = try await anna.post(labelled) }
            #expect(try storedValues("array_to_string(labels, ' ')", String.self) == ["Sommer", "", "", ""])
            #expect(try await anna.get("/expenses/list").text.contains("Schon erledigt."))
            let sums = try owner.query(
                "SELECT sum(amount_minor)::bigint FROM expense_day GROUP BY category_id ORDER BY 1")
            #expect(try sums.decode(Int64.self) == [100, 100, 200])
            let paul = try await harness.join(anna, as: .member)
            _ = try await paul.post(labelled)
            #expect(try await paul.get("/expenses/list").text.contains("Schon erledigt."))
        }
    }

    @Test(.database)
    func `undoing the deletion of several expenses does not restore an expense that was deleted earlier`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            try await add(1...4, on: "2026-03-05", anna, harness)
            let ids = try owner.query("SELECT id FROM expense ORDER BY what").decode(ExpenseID.self)
            _ = try await anna.post("/expenses/\(ids[0])/removal")
            // The first expense was deleted in another tab.
            _ = try await anna.post(
                "/expenses/changes", pairs: ids.prefix(3).map { ("expense", "\($0)") } + [("action", "remove")])
            let page = try await anna.get("/expenses/list")
            #expect(page.text.contains("Gelöschte Ausgaben: 2"))
            let undo = try #require(
                page.text.firstMatch(of: #/action="(\/expenses\/[0-9a-f-]{36}\/restoration\?together=1)"/#))
            _ = try await anna.post(String(undo.output.1), on: page)
            #expect(try await anna.get("/expenses/list").text.contains("Wiederhergestellte Ausgaben: 2"))
            let remainingExpenses = try owner.query(
                "SELECT what FROM expense WHERE discarded_at IS NULL ORDER BY what"
            ).decode(String.self)
            #expect(remainingExpenses == ["Kino 2", "Kino 3", "Kino 4"])
            let sum = try owner.query("SELECT sum(amount_minor)::bigint FROM expense_day").first(Int64.self)
            #expect(sum == 300)
            #expect(try await anna.post(String(undo.output.1)).status == .seeOther)
        }
    }
}
