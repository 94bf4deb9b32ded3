import Domain
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// A backup contains all expenses and plans of a household, and a restoration restores all of them.
@Suite(.timeLimit(.minutes(5))) struct ArchivedMoneyTests {
    private static let tables: Set = [
        "expense", "expense_share", "expense_line", "exchange_rate", "expense_day", "expense_month", "settlement",
        "balance_month", "category_share",
        "budget", "budget_limit", "bank_import", "bank_booking", "bank_pair", "bank_columns", "expense_rule",
        "expense_rule_run", "expense_rule_change", "recurring_expense", "savings_goal", "savings_deposit",
    ]

    @Test(.database) func `every table about money has rows that are restored unchanged`() async throws {
        try await ArchivedScene.run { scene in
            try await scene.addMoney()
            let archive = try await scene.backUp(.installation)
            let parts = Set(try ArchivedScene.documents(archive).lines.map(\.part))
            #expect(Self.tables.subtracting(parts).sorted() == [], "tables without a row")
            // Restores the archive into a scratch database, archives that database, and compares both archives.
            try await ArchiveVerification(
                restoration: try scene.restoration(archive), scratch: try scene.scratch()
            ).run()
        }
    }

    @Test(.database) func `a household restored next to the original has the same sums`() async throws {
        try await ArchivedScene.run { scene in
            try await scene.addMoney()
            let archive = try await scene.backUp(.household(scene.household))
            let copy = HouseholdID.new()
            _ = try await scene.restoration(archive).restoreHousehold(scene.pool, .byLogin, as: copy)
            let owner = try scene.harness.owner()
            for table in Self.tables.sorted() {
                let counts = try owner.query(
                    SQL(uncheckedText: "SELECT household_id, count(*) FROM \(table) GROUP BY 1")
                ).decode((HouseholdID, Int64).self)
                #expect(counts.count == 2 && Set(counts.map(\.1)).count == 1, "\(table)")
            }
            func figures(_ household: HouseholdID) throws -> [String] {
                let sums = try owner.query(
                    """
                    SELECT 'day ' || day || ' ' || flow || ' ' || payee_key || ' ' || amount_minor FROM expense_day
                    WHERE household_id = \(household)
                    UNION ALL SELECT 'month ' || month || ' ' || flow || ' ' || amount_minor FROM expense_month
                    WHERE household_id = \(household)
                    UNION ALL SELECT 'balance ' || month || ' ' || person_id || ' ' || currency || ' ' || amount_minor
                    FROM balance_month WHERE household_id = \(household)
                    UNION ALL SELECT 'booking ' || b.day || ' ' || b.amount_minor || ' ' || coalesce(e.what, '') FROM bank_booking b
                    LEFT JOIN expense e ON e.household_id = b.household_id AND e.id = b.expense_id
                    WHERE b.household_id = \(household)
                    """
                ).decode(String.self)
                return sums.sorted()
            }
            let figuresBefore = try figures(scene.household)
            #expect(figuresBefore.count > 8)
            #expect(try figures(copy) == figuresBefore)
            let dangling = try owner.query(
                """
                SELECT count(*) FROM expense_rule_change c WHERE c.household_id = \(copy)
                    AND NOT EXISTS (SELECT 1 FROM expense e WHERE e.household_id = \(copy) AND e.id = c.expense_id)
                """
            ).first(Int64.self)
            #expect(dangling == 0)
        }
    }

    /// Each column of the tables about money and wines that refers to a person.
    private static let references = [
        ("expense", "person_id"), ("expense", "paid_by"), ("expense_share", "person_id"), ("expense_line", "person_id"),
        ("settlement", "from_person"), ("settlement", "to_person"), ("balance_month", "person_id"),
        ("budget", "person_id"), ("bank_import", "person_id"), ("recurring_expense", "person_id"),
        ("savings_deposit", "person_id"), ("category_share", "person_id"), ("wine_mark", "person_id"),
    ]

    @Test(.database) func `a backup of a household contains every former member to whom a row refers`() async throws {
        try await ArchivedScene.run { scene in
            try await scene.addMoney()
            let wine = try #require(try await scene.anna.post("/wines", ["name": "Riesling"]).location)
            #expect(try await scene.anna.post("\(wine)/mark", ["saved": "1"]).location == wine)
            let owner = try scene.harness.owner()
            for (table, column) in Self.references {
                let person = PersonID.new()
                let name = "\(table) \(column)"
                try owner.query(
                    """
                    INSERT INTO person (id, login, name, password_hash)
                    VALUES (\(person), 'removed ' || \(person), \(name), '!')
                    """)
                let setting = SQL(uncheckedText: "UPDATE \(table) SET \(column) = ")
                let row = SQL(uncheckedText: "SELECT min(ctid) FROM \(table)")
                try owner.query(setting + "\(person) WHERE ctid = (\(row))")
            }
            let archive = try await scene.backUp(.household(scene.household))
            let people = try await scene.restoration(archive).restoreHousehold(scene.pool, .byLogin, as: .new())
            let former = Set(people.filter { $0.kind == .former }.map(\.name))
            #expect(former == Set(Self.references.map { "\($0.0) \($0.1)" }))
        }
    }
}
