import Domain
import Postgres

/// The exchange rates of a household. Writing a rate recomputes the sums of the expenses to which it applies.
struct ExchangeRates: Sendable {
    let database: Database

    enum Source: String, Sendable {
        case manual, ecb
    }

    struct Stored: Sendable {
        let rate: EuroRate
        let source: Source?
    }

    struct Result: Sendable {
        /// The latest rate of each currency.
        let newest: [Stored]
        /// Expenses in a currency without a rate, which no sum contains, by currency.
        let missing: [(currency: String, count: Int64, first: LocalDate, last: LocalDate)]
    }

    /// Imported rates are left out when they are more than this many days older than the first expense.
    private static let daysBefore = 400

    func load(_ member: Member) async throws -> Result {
        let household = member.household
        let rows = try await database.read(household, batch: [Self.newest(household), Self.missing(member)])
        let newest = try rows[0].decode((String, LocalDate, Int64, String).self).compactMap { code, day, rate, source in
            CurrencyCode(code).map {
                Stored(
                    rate: EuroRate(currency: $0, day: day, perEuroMillionths: rate), source: Source(rawValue: source))
            }
        }
        let missing = try rows[1].decode((String, Int64, LocalDate, LocalDate).self)
        return Result(
            newest: newest, missing: missing.map { (currency: $0.0, count: $0.1, first: $0.2, last: $0.3) })
    }

    /// Steps through the key from currency to currency, instead of reading years of rates.
    static func newest(_ household: HouseholdID) -> SQL {
        """
        WITH RECURSIVE c (code) AS (
            (SELECT x.currency FROM exchange_rate x WHERE x.household_id = \(household) ORDER BY x.currency LIMIT 1)
            UNION ALL
            SELECT (SELECT x.currency FROM exchange_rate x WHERE x.household_id = \(household) AND x.currency > c.code
                ORDER BY x.currency LIMIT 1) FROM c WHERE c.code IS NOT NULL)
        SELECT n.currency, n.day, n.per_euro_millionths, n.source FROM c
        CROSS JOIN LATERAL (SELECT x.currency, x.day, x.per_euro_millionths, x.source FROM exchange_rate x
            WHERE x.household_id = \(household) AND x.currency = c.code ORDER BY x.day DESC LIMIT 1) n
        """
    }

    private static func missing(_ member: Member) -> SQL {
        """
        SELECT e.currency, count(*), min(e.day), max(e.day) FROM expense e JOIN household h ON h.id = \(member.household)
        WHERE e.household_id = \(member.household) AND e.day IS NOT NULL AND e.discarded_at IS NULL
            AND e.currency <> h.currency AND \(ExpenseVisibility.condition(member)) AND \(HomeAmount.of("e")) IS NULL
        GROUP BY 1 ORDER BY 1
        """
    }

    /// Stores rates. An imported rate does not replace one that was typed in.
    ///
    /// - Returns: the number of rates that are new or changed.
    @discardableResult
    func store(_ rates: [EuroRate], _ source: Source, by member: Member) async throws -> Int {
        let household = member.household
        return try await database.write(household, by: member.person) { changes in
            let first =
                try await changes.query(
                    """
                    SELECT min(e.day) FROM expense e
                    WHERE e.household_id = \(household) AND e.day IS NOT NULL AND e.discarded_at IS NULL
                    """
                ).first(LocalDate?.self) ?? nil
            let start = min(first ?? WallClock.today(), WallClock.today()).adding(days: -Self.daysBefore)
            let kept = Self.unique(source == .ecb ? rates.filter { $0.day >= start } : rates)
            var written: [LocalDate] = []
            for batch in kept.batches(of: 5_000) {
                written += try await changes.query(
                    """
                    INSERT INTO exchange_rate AS x (household_id, currency, day, per_euro_millionths, digits, source)
                    SELECT \(household), t.currency, t.day, t.rate, t.digits, \(source.rawValue)
                    FROM unnest(\(batch.map(\.currency.code))::text[], \(batch.map(\.day))::date[],
                        \(batch.map(\.perEuroMillionths))::bigint[], \(batch.map { Int64($0.currency.digits) })::bigint[])
                        AS t (currency, day, rate, digits)
                    ON CONFLICT (household_id, currency, day) DO UPDATE
                    SET per_euro_millionths = excluded.per_euro_millionths, source = excluded.source
                    WHERE (x.source = 'ecb' OR excluded.source = 'manual')
                        AND (x.per_euro_millionths, x.source) IS DISTINCT FROM (excluded.per_euro_millionths, excluded.source)
                    RETURNING x.day
                    """
                ).decode(LocalDate.self)
            }
            try await Self.recompute(written, changes)
            return written.count
        }
    }

    /// Removes one rate.
    ///
    /// - Returns: false when there is none.
    func remove(_ currency: CurrencyCode, _ day: LocalDate, by member: Member) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            let gone = try await changes.query(
                """
                DELETE FROM exchange_rate WHERE household_id = \(member.household) AND currency = \(currency.code)
                    AND day = \(day) RETURNING day
                """
            ).decode(LocalDate.self)
            try await Self.recompute(gone, changes)
            return !gone.isEmpty
        }
    }

    /// Recomputes the sums of the expenses in other currencies to which rates of these days apply.
    private static func recompute(_ days: [LocalDate], _ changes: HouseholdTransaction) async throws {
        guard let first = days.min(), let last = days.max() else { return }
        let household = changes.household
        let touched = try await changes.query(
            """
            SELECT DISTINCT e.day FROM expense e JOIN household h ON h.id = \(household)
            WHERE e.household_id = \(household) AND e.day IS NOT NULL AND e.discarded_at IS NULL
                AND e.day >= \(first) AND e.day <= \(last.adding(days: Int(HomeAmount.rateDays))) AND e.currency <> h.currency
            """
        ).decode(LocalDate.self)
        try await changes.query(batch: ExpenseSums.statements(days: Set(touched), household))
    }

    private static func unique(_ rates: [EuroRate]) -> [EuroRate] {
        struct Key: Hashable {
            let currency: CurrencyCode
            let day: LocalDate
        }
        let last = Dictionary(rates.map { (Key(currency: $0.currency, day: $0.day), $0) }) { _, later in later }
        return Array(last.values)
    }
}
