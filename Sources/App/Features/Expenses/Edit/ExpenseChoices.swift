import Domain
import Postgres

/// The options of an expense form: the household's currency, members and categories.
struct ExpenseChoices: Sendable {
    /// The household's currency.
    let home: CurrencyCode
    /// The members in the order in which they joined. No two names are equal.
    let members: [(id: PersonID, name: String)]
    let categories: Categories

    /// Returns the three statements that load the choices.
    static func queries(_ household: HouseholdID) -> [SQL] {
        [
            "SELECT currency FROM household WHERE id = \(household)",
            """
            SELECT p.id, \(PersonName.distinct(household)) FROM membership m JOIN person p ON p.id = m.person_id
            WHERE m.household_id = \(household) ORDER BY m.joined_at, p.id
            """,
            Categories.query(household),
        ]
    }

    static func load(_ household: HouseholdID, _ database: Database) async throws -> ExpenseChoices {
        try ExpenseChoices(await database.read(household, batch: queries(household))[...])
    }

    /// - Parameter rows: the results of `queries`.
    init(_ rows: ArraySlice<Rows>) throws {
        let rows = Array(rows)
        home = try CurrencyCode(rows[0].first(Currency.self) ?? .eur)
        members = try rows[1].decode((PersonID, String).self).map { (id: $0, name: $1) }
        categories = try Categories(rows[2])
    }

    /// The members as options of a form.
    func memberOptions(_ isSelected: (PersonID) -> Bool) -> [Choice] {
        members.map { Choice(value: $0.id.description, label: $0.name, isSelected: isSelected($0.id)) }
    }

    func name(_ person: PersonID?) -> String? { person.flatMap { id in members.first { $0.id == id }?.name } }
}
