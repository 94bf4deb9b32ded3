import Domain
import Postgres

/// The household's currency. Prices without a currency are in this currency.
enum HouseholdCurrency {
    static func of(_ household: HouseholdID, _ database: Database) async throws -> CurrencyCode {
        let code = try await database.read(household, "SELECT currency FROM household WHERE id = \(household)")
            .first(String.self)
        return code.flatMap { CurrencyCode($0) } ?? .eur
    }
}
