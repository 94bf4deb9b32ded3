import Domain
import Postgres

/// A stored savings goal.
struct StoredGoal: Sendable {
    let id: SavingsGoalID
    let values: Values
    /// The day from which the planned amount grows.
    let starts: LocalDate
    /// Deposits minus withdrawals, in minor units of the household's currency.
    let saved: Int64
    let revision: Int64

    struct Values: Equatable, Sendable {
        let name: String
        /// In minor units of the household's currency.
        let target: Int64
        let until: LocalDate
    }

    struct Deposit: Sendable {
        let id: SavingsDepositID
        let day: LocalDate
        /// In minor units of the household's currency; negative for a withdrawal.
        let amount: Int64
        let person: PersonID?
        /// The name of the person, who can be a former member.
        let personName: String?
    }

    /// The maximum number of goals of a household.
    static let maximumGoals: Int32 = 100
    /// The maximum number of deposits that are shown.
    static let maximumDeposits: Int32 = 100
    /// The maximum number of days between today and the end of a goal.
    static let maximumDays = 36_600

    static func query(_ household: HouseholdID, _ condition: SQL = "true") -> SQL {
        """
        SELECT g.id, g.name, g.target_minor, g.until, g.starts_on, g.revision,
            coalesce((SELECT sum(d.amount_minor) FROM savings_deposit d
                WHERE d.household_id = g.household_id AND d.goal_id = g.id), 0)::bigint
        FROM savings_goal g WHERE g.household_id = \(household) AND \(condition)
        ORDER BY g.until, g.name LIMIT \(maximumGoals)
        """
    }

    /// Selects the deposits, newest first.
    static func deposits(of id: SavingsGoalID, _ household: HouseholdID) -> SQL {
        """
        SELECT d.id, d.day, d.amount_minor, d.person_id, (SELECT p.name FROM person p WHERE p.id = d.person_id)
        FROM savings_deposit d
        WHERE d.household_id = \(household) AND d.goal_id = \(id)
        ORDER BY d.day DESC, d.id DESC LIMIT \(maximumDeposits)
        """
    }

    func state(today: LocalDate) -> SavingsState {
        SavingsState(target: values.target, saved: saved, from: starts, until: values.until, today: today)
    }
}

extension StoredGoal: RowDecodable {
    init(from row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        values = Values(name: try row.next(), target: try row.next(), until: try row.next())
        starts = try row.next()
        revision = try row.next()
        saved = try row.next()
    }
}

extension StoredGoal.Deposit: RowDecodable {
    init(from row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        day = try row.next()
        amount = try row.next()
        person = try row.next()
        personName = try row.next()
    }
}
