import Domain
import Postgres
import TestSupport
import Testing

@testable import App

extension RandomExpenses {
    /// Compares the figures that the pages read with a naive computation. Failures show the name of the step.
    func check(_ step: String) async throws {
        for reader in people.prefix(2) {
            let expectedSums = try naiveSums(reader).filter { $0.value != 0 }
            let rows = try await harness.database.read(
                household,
                """
                SELECT d.day, d.flow, d.category_id, d.paid_by, d.payee_key,
                    sum(d.amount_minor)::bigint FROM expense_day d
                WHERE d.household_id = \(household) AND \(ExpenseSums.isSeen(by: member(reader))) GROUP BY 1, 2, 3, 4, 5
                """
            ).decode((LocalDate, MoneyFlow, CategoryID, PersonID, String, Int64).self)
            var stored: [Part: Int64] = [:]
            for row in rows where row.5 != 0 {
                let part = Part(
                    day: row.0, flow: row.1, category: row.2 == Self.noCategory ? nil : row.2,
                    payer: row.3 == Self.noPerson ? nil : row.3, payee: row.4)
                stored[part] = row.5
            }
            #expect(stored == expectedSums, "\(step)")
            let different = try owner.query(
                """
                SELECT count(*) FROM (SELECT date_trunc('month', day)::date AS month, seen_by, flow, category_id, paid_by,
                        sum(amount_minor)::bigint AS amount FROM expense_day WHERE household_id = \(household)
                    GROUP BY 1, 2, 3, 4, 5) d
                FULL JOIN (SELECT * FROM expense_month WHERE household_id = \(household)) m
                    USING (month, seen_by, flow, category_id, paid_by)
                WHERE d.amount IS DISTINCT FROM m.amount_minor
                """
            ).first(Int64.self)
            #expect(different == 0, "\(step): months")
            // Only the pages of the member who hid a receipt count it. The roll-up does not contain it.
            let visibleSums = expectedSums.merging(try hiddenSums(reader), uniquingKeysWith: +)
            try await checkDashboard(visibleSums, reader, step)
            try await checkBudgets(visibleSums, reader, step)
        }
        try await checkBalances(step)
        let spending = try owner.query(
            "SELECT day, category_id, amount_minor FROM spending_day WHERE household_id = \(household) AND amount_minor <> 0"
        ).decode((LocalDate, CategoryID, Int64).self)
        let storedSums = Dictionary(spending.map { ("\($0.0.iso) \($0.1)", $0.2) }) { first, _ in first }
        #expect(try storedSums == naiveSpending(), "\(step): spending")
    }

    private func checkDashboard(_ parts: [Part: Int64], _ reader: PersonID, _ step: String) async throws {
        for period in ExpensePeriod.allCases {
            let days = period.days(today: Self.today)
            let result = try await DashboardQueries(database: harness.database).load(
                period, days, member(reader), today: Self.today)
            /// The sums other than 0, grouped by `key`.
            func sums<Key: Hashable>(
                _ range: Range<LocalDate>, _ flow: MoneyFlow = .spending, by key: (Part) -> Key
            ) -> [Key: Int64] {
                let matchingParts = parts.filter { range.contains($0.key.day) && $0.key.flow == flow }
                return Dictionary(matchingParts.map { (key($0.key), $0.value) }, uniquingKeysWith: +).filter {
                    $0.value != 0
                }
            }
            func sum(_ flow: MoneyFlow) -> Int64 { sums(days, flow) { _ in 0 }.values.first ?? 0 }
            func shownSums(_ amount: (DashboardQueries.Sum) -> Int64) -> [CategoryID: Int64] {
                result.spending.mapValues(amount).filter { $0.value != 0 }
            }
            func category(_ part: Part) -> CategoryID { part.category ?? Self.noCategory }
            let comment: Comment = "\(step): \(period)"
            #expect(shownSums(\.now) == sums(days, by: category), comment)
            #expect(shownSums(\.before) == sums(period.before(days), by: category), comment)
            #expect(shownSums(\.yearBefore) == sums(period.yearBefore(days), by: category), comment)
            #expect(result.income == sum(.income) && result.cash == sum(.withdrawal), comment)
            let members = result.members.filter { $0.amount != 0 }.map { ($0.person, $0.amount) }
            #expect(Dictionary(members, uniquingKeysWith: +) == sums(days) { $0.payer ?? Self.noPerson }, comment)
            let payees = sums(days) { $0.payee }.filter { !$0.key.isEmpty }
                .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Int(DashboardQueries.payeeCount))
            #expect(result.payees.map(\.key) == payees.map(\.key), comment)
            #expect(result.payees.map(\.amount) == payees.map(\.value), comment)
            let months = Self.today.month.adding(1 - DashboardQueries.trendMonths).firstDay..<Self.today.adding(days: 1)
            #expect(result.trend.filter { $0.value != 0 } == sums(months) { $0.day.month }, comment)
            let late = parts.filter { part in
                min(part.key.day.day, Self.today.month.dayCount) > Self.today.day && months.contains(part.key.day)
            }
            let remainders = Dictionary(
                late.filter { $0.key.flow == .spending }.map { ($0.key.day.month, $0.value) }, uniquingKeysWith: +)
            #expect(result.remainders.filter { $0.value != 0 } == remainders.filter { $0.value != 0 }, comment)
            #expect(try Int(result.withoutRate) == countWithoutRate(days, reader), comment)
        }
    }

    private static let noCategory = CategoryID(high: 0, low: 0)
    private static let noPerson = PersonID(high: 0, low: 0)

    private func checkBudgets(_ parts: [Part: Int64], _ reader: PersonID, _ step: String) async throws {
        let result = try await BudgetQueries(database: harness.database).load(member(reader), today: Self.today)
        #expect(result.budgets.count == 4)
        for (budget, state) in result.budgets {
            let below = budget.category.map { Set(result.choices.categories.below($0)) }
            func spentAmount(_ days: Range<LocalDate>) -> Int64 {
                parts.filter { part in
                    days.contains(part.key.day) && part.key.flow == .spending
                        && (budget.person == nil || part.key.payer == budget.person)
                        && (below.map { below in part.key.category.map(below.contains) ?? false } ?? true)
                }.values.reduce(0, +)
            }
            let periods = budget.periods(today: Self.today)
            #expect(state.spent == spentAmount(periods[0]), "\(step): \(budget.name)")
            let carried = periods.dropFirst().reduce(0) { $0 + budget.limit(from: $1.lowerBound) - spentAmount($1) }
            #expect(state.limit == budget.limit(from: periods[0].lowerBound) + carried, "\(step): \(budget.name)")
        }
    }

    private func checkBalances(_ step: String) async throws {
        var expected: [CurrencyCode: [PersonID: Int64]] = [:]
        let split = try owner.query(
            """
            SELECT e.id, e.kind, coalesce(e.paid_by, r.person_id), coalesce(e.amount_minor, r.total_minor,
                (SELECT sum(l.total_minor)::bigint FROM receipt_line l WHERE l.receipt_id = r.id)),
                coalesce(e.currency, r.currency)
            FROM expense e LEFT JOIN receipt r ON r.household_id = e.household_id AND r.id = e.receipt_id
            WHERE e.household_id = \(household) AND e.split <> '' AND e.discarded_at IS NULL AND NOT e.is_personal
                AND e.kind <> 'withdrawal' AND (e.receipt_id IS NULL OR r.booked_month IS NOT NULL)
            """
        ).decode((ExpenseID, ExpenseKind, PersonID?, Int64?, String).self)
        for (id, kind, payer, amount, code) in split {
            guard let payer, let amount, let currency = CurrencyCode(code) else { continue }
            let shares = try owner.query(
                "SELECT person_id, weight FROM expense_share WHERE expense_id = \(id) ORDER BY person_id"
            ).decode((PersonID, Int64).self)
            let size = kind == .expense ? amount : -amount
            expected[currency, default: [:]][payer, default: 0] += size
            for (share, part) in zip(shares, Division.parts(of: size, weights: shares.map(\.1))) {
                expected[currency, default: [:]][share.0, default: 0] -= part
            }
        }
        for (from, to, amount) in try owner.query(
            "SELECT from_person, to_person, amount_minor FROM settlement WHERE household_id = \(household)"
        ).decode((PersonID, PersonID, Int64).self) {
            expected[.eur, default: [:]][from, default: 0] += amount
            expected[.eur, default: [:]][to, default: 0] -= amount
        }
        let result = try await BalanceQueries(database: harness.database).load(member)
        let expectedBalances = expected.mapValues { $0.filter { $0.value != 0 } }.filter { !$0.value.isEmpty }
        #expect(result.balances == expectedBalances, "\(step)")
        #expect(result.balances.values.allSatisfy { $0.values.reduce(0, +) == 0 }, "\(step)")
    }
}
