import Domain
import Postgres

/// Amounts of expenses in the household's currency.
enum HomeAmount {
    /// The number of days for which a rate applies if there is no newer rate. Covers weekends and holidays.
    static let rateDays: Int32 = 7

    /// An SQL expression: the amount of an expense, in minor units of the currency of household `h`; NULL if no rate is
    /// known. The amount that a person has stated takes precedence over the exchange rate.
    ///
    /// - Parameter row: the alias of the expense.
    static func of(_ row: SQL) -> SQL {
        """
        (CASE WHEN \(row).currency = h.currency THEN \(row).amount_minor
            WHEN \(row).stated_currency = h.currency THEN \(row).stated_minor
            ELSE (SELECT round(\(row).amount_minor::numeric * home.rate * 100 / (own.rate * power(10::numeric, own.digits)))::bigint
                FROM \(rate("\(row).currency", on: "\(row).day")) own,
                    \(rate("h.currency", on: "\(row).day")) home) END)
        """
    }

    /// Returns the amount of an expense that is not stored yet, in minor units of the household's currency; nil if no
    /// rate is known.
    ///
    /// - Throws: `AmountTooLarge`.
    static func amount(of values: ExpenseValues, _ household: HouseholdID, _ database: Database) async throws -> Int64?
    {
        let (amount, stated) = (values.amount, values.stated)
        let rows = try await AmountTooLarge.check {
            try await database.read(
                household,
                """
                SELECT \(of("e")) FROM household h, (SELECT \(amount.minorUnits)::bigint AS amount_minor,
                    \(amount.currency.code)::text AS currency, \(stated?.minorUnits)::bigint AS stated_minor,
                    \(stated?.currency.code)::text AS stated_currency, \(values.day)::date AS day) e
                WHERE h.id = \(household)
                """)
        }
        return try rows.first(Int64?.self) ?? nil
    }

    /// Returns the amounts of expenses that are not stored yet and have no stated amount, in minor units of the
    /// household's currency and with their signs; nil if no rate is known.
    static func amounts(
        of amounts: [Amount], on days: [LocalDate], _ changes: HouseholdTransaction
    ) async throws -> [Int64?] {
        guard !amounts.isEmpty else { return [] }
        return try await changes.query(
            """
            SELECT \(of("e")) FROM household h, (SELECT t.amount_minor, t.currency, NULL::bigint AS stated_minor,
                    NULL::text AS stated_currency, t.day, t.n
                FROM unnest(\(amounts.map(\.minorUnits))::bigint[], \(amounts.map(\.currency.code))::text[],
                    \(days)::date[]) WITH ORDINALITY AS t (amount_minor, currency, day, n)) e
            WHERE h.id = \(changes.household) ORDER BY e.n
            """
        ).decode(Int64?.self)
    }

    /// A table expression with at most one row: `rate`, in millionths of the currency per euro, and `digits`, the
    /// number of decimals of the currency. No row if no rate is known.
    static func rate(_ currency: SQL, on day: SQL) -> SQL {
        """
        LATERAL (SELECT 1000000::numeric AS rate, 2::smallint AS digits WHERE \(currency) = 'EUR'
            UNION ALL (SELECT x.per_euro_millionths::numeric, x.digits FROM exchange_rate x
            WHERE x.household_id = h.id AND x.currency = \(currency) AND x.day <= \(day)
                AND x.day >= \(day) - \(rateDays) ORDER BY x.day DESC LIMIT 1))
        """
    }
}
