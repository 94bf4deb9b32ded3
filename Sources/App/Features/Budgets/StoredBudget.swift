import Domain
import Postgres

/// A stored budget with its limits.
struct StoredBudget: Sendable {
    struct Limit: Sendable {
        /// The first day of the first period to which the limit applies.
        let from: LocalDate
        /// In minor units of the household's currency.
        let amount: Int64
    }

    let id: BudgetID
    let name: String
    /// Nil for all categories.
    let category: CategoryID?
    /// Nil for the whole household.
    let person: PersonID?
    /// The name of the person, who can be a former member.
    let personName: String?
    let period: BudgetPeriod
    /// Whether an unspent or overspent amount is carried over to the next period.
    let rollsOver: Bool
    /// The first day of the first period.
    let startsOn: LocalDate
    let revision: Int64
    /// Oldest first.
    let limits: [Limit]

    /// The maximum number of budgets of a household.
    static let maximumBudgets: Int32 = 200
    /// The maximum number of earlier periods from which amounts are carried over.
    static let maximumCarried = 12

    static func query(_ household: HouseholdID, _ condition: SQL = "true") -> SQL {
        """
        SELECT b.id, b.name, b.category_id, b.person_id, (SELECT p.name FROM person p WHERE p.id = b.person_id),
            b.period, b.start_day, b.rolls_over, b.starts_on, b.revision,
            ARRAY(SELECT l.valid_from FROM budget_limit l WHERE l.household_id = b.household_id AND l.budget_id = b.id
                ORDER BY l.valid_from),
            ARRAY(SELECT l.limit_minor FROM budget_limit l WHERE l.household_id = b.household_id AND l.budget_id = b.id
                ORDER BY l.valid_from)
        FROM budget b WHERE b.household_id = \(household) AND \(condition) ORDER BY b.name, b.id LIMIT \(maximumBudgets)
        """
    }

    /// Returns the limit of the period that begins on `first`, in minor units.
    func limit(from first: LocalDate) -> Int64 {
        (limits.last { $0.from <= first } ?? limits.first)?.amount ?? 0
    }

    /// Returns the current period. If the budget rolls over, the earlier periods follow, newest first.
    func periods(today: LocalDate) -> [Range<LocalDate>] {
        var periods = [period.days(containing: max(today, startsOn))]
        guard rollsOver else { return periods }
        while periods.count <= Self.maximumCarried, let last = periods.last, last.lowerBound > startsOn {
            periods.append(period.days(before: last))
        }
        return periods
    }

    /// - Parameter spent: the spending in each of `periods(today:)`, in minor units, by the first day of the period.
    func state(spent: [LocalDate: Int64], today: LocalDate) -> BudgetState {
        let periods = periods(today: today)
        var carried: Int64 = 0
        for days in periods.dropFirst().reversed() {
            carried = BudgetState.carried(
                carried, limit: limit(from: days.lowerBound), spent: spent[days.lowerBound] ?? 0)
        }
        let current = periods[0]
        return BudgetState(
            limit: limit(from: current.lowerBound), carried: carried, spent: spent[current.lowerBound] ?? 0,
            days: current,
            today: today)
    }
}

extension StoredBudget: RowDecodable {
    init(from row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        name = try row.next()
        category = try row.next()
        person = try row.next()
        personName = try row.next()
        let period: String = try row.next()
        let startDay: Int32 = try row.next()
        self.period =
            switch period {
            case "week": .week
            case "year": .year
            default: .month(startDay: Int(startDay))
            }
        rollsOver = try row.next()
        startsOn = try row.next()
        revision = try row.next()
        let days: [LocalDate] = try row.next()
        let amounts: [Int64] = try row.next()
        limits = zip(days, amounts).map { Limit(from: $0, amount: $1) }
    }
}
