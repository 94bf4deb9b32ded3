import Domain
import Postgres

/// The exchange rates of a household. Writing a rate also recomputes the sums of the expenses to which it applies.
struct ExchangeRates: Sendable {
    let database: Database

    enum Source: String, Sendable, CaseIterable {
        /// Set by a person or a program.
        case manual
        /// Imported from a file of the European Central Bank.
        case ecb
    }

    struct StoredRate: Sendable {
        let rate: EuroRate
        /// Nil for an unknown source.
        let source: Source?
    }

    struct Result: Sendable {
        /// The newest rate of each currency.
        let newest: [StoredRate]
        /// By currency, the number of expenses and confirmed receipts for which no rate is known, and the first and the
        /// last of their days. The sums exclude these expenses and receipts.
        let missing: [(currency: String, count: Int64, first: LocalDate, last: LocalDate)]
    }

    /// The valid rates, in millionths of the currency per euro.
    static let perEuroMillionths: ClosedRange<Int64> = 1...1_000_000_000_000_000

    /// Imported rates that are more than this many days older than the first expense are not stored.
    private static let daysBefore = 400

    func load(_ member: Member) async throws -> Result {
        let household = member.household
        let rows = try await database.read(household, batch: [Self.newest(household), Self.missingRates(member)])
        let newest = try rows[0].decode((String, LocalDate, Int64, String).self).compactMap { code, day, rate, source in
            CurrencyCode(code).map {
                StoredRate(
                    rate: EuroRate(currency: $0, day: day, perEuroMillionths: rate), source: Source(rawValue: source))
            }
        }
        let missing = try rows[1].decode((String, Int64, LocalDate, LocalDate).self)
        return Result(
            newest: newest,
            missing: missing.map { code, count, first, last in
                (currency: code, count: count, first: first, last: last)
            })
    }

    /// Selects the newest rate of each currency. Looks up each currency in the index instead of reading all rates.
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

    private static func missingRates(_ member: Member) -> SQL {
        """
        SELECT n.currency, count(*), min(n.day), max(n.day) FROM (
            SELECT e.currency, e.day FROM expense e JOIN household h ON h.id = \(member.household)
            WHERE e.household_id = \(member.household) AND e.day IS NOT NULL AND e.discarded_at IS NULL
                AND e.currency <> h.currency AND \(ExpenseVisibility.condition(member)) AND \(HomeAmount.of("e")) IS NULL
            UNION ALL
            SELECT r.currency, r.purchase_day FROM receipt r
            JOIN household h ON h.id = \(member.household) AND h.currency <> r.currency
            WHERE r.household_id = \(member.household) AND r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL
                AND r.purchase_day IS NOT NULL AND \(Visibility.condition(member)) AND \(HomeAmount.isMissing)) n
        GROUP BY 1 ORDER BY 1
        """
    }

    /// Stores rates. An imported rate does not replace a rate that a person or a program has set.
    ///
    /// - Parameter file: identifies the import, to undo it.
    /// - Returns: the number of new or changed rates.
    /// - Throws: `AmountTooLarge` if an amount that a rate converts does not fit in the sums.
    @discardableResult
    func store(
        _ rates: [EuroRate], _ source: Source, of file: OperationID? = nil, by member: Member
    ) async throws -> Int {
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            let first =
                try await changes.query(
                    """
                    SELECT least(
                        (SELECT min(e.day) FROM expense e
                            WHERE e.household_id = \(household) AND e.day IS NOT NULL AND e.discarded_at IS NULL),
                        (SELECT min(r.purchase_day) FROM receipt r
                            WHERE r.household_id = \(household) AND r.discarded_at IS NULL))
                    """
                ).first(LocalDate?.self) ?? nil
            let start = min(first ?? WallClock.today(), WallClock.today()).adding(days: -Self.daysBefore)
            return try await Self.write(
                source == .ecb ? rates.filter { $0.day >= start } : rates, source, of: file, changes)
        }
    }

    /// A stored rate that a client has read. If a rate is removed and added again, its revisions start again, but it
    /// has a new identifier.
    struct Version: Sendable, Equatable {
        let id: ExchangeRateID
        let revision: Int64
    }

    /// Sets one rate.
    ///
    /// - Parameter shown: the rate that the client has read; nil if it has found none.
    /// - Throws: `Conflict` if the stored rate has another version; `AmountTooLarge`.
    func set(_ rate: EuroRate, over shown: Version?, by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            let stored = try await changes.query(
                """
                SELECT id, revision FROM exchange_rate WHERE household_id = \(changes.household)
                    AND currency = \(rate.currency.code) AND day = \(rate.day)
                """
            ).first((ExchangeRateID, Int64).self)
            guard stored.map({ Version(id: $0.0, revision: $0.1) }) == shown else { throw Conflict() }
            try await Self.write([rate], .manual, changes)
        }
    }

    @discardableResult
    private static func write(
        _ rates: [EuroRate], _ source: Source, of file: OperationID? = nil, _ changes: HouseholdTransaction
    ) async throws -> Int {
        var days: [LocalDate] = []
        var ids: [ExchangeRateID] = []
        for batch in unique(rates).batches(of: 5_000) {
            let writtenRates = try await changes.query(
                """
                INSERT INTO exchange_rate AS x
                    (household_id, id, currency, day, per_euro_millionths, digits, source, import_id)
                SELECT \(changes.household), t.id, t.currency, t.day, t.rate, t.digits, \(source.rawValue), \(file)::uuid
                FROM unnest(\(batch.map { _ in ExchangeRateID.new() })::uuid[], \(batch.map(\.currency.code))::text[],
                    \(batch.map(\.day))::date[], \(batch.map(\.perEuroMillionths))::bigint[],
                    \(batch.map { Int64($0.currency.digits) })::bigint[]) AS t (id, currency, day, rate, digits)
                ON CONFLICT (household_id, currency, day) DO UPDATE
                SET per_euro_millionths = excluded.per_euro_millionths, source = excluded.source,
                    import_id = excluded.import_id, revision = x.revision + 1,
                    replaced_millionths = CASE WHEN excluded.import_id IS NOT NULL THEN x.per_euro_millionths END
                WHERE (x.source = 'ecb' OR excluded.source = 'manual')
                    AND (x.per_euro_millionths, x.source) IS DISTINCT FROM (excluded.per_euro_millionths, excluded.source)
                RETURNING x.id, x.day
                """
            ).decode((ExchangeRateID, LocalDate).self)
            ids += writtenRates.map(\.0)
            days += writtenRates.map(\.1)
        }
        if source == .ecb { ids = try await PublishedRates.documents(among: ids, changes) }
        changes.changed(.exchangeRate, ids)
        try await recompute(days, changes)
        return days.count
    }

    /// Removes one rate.
    ///
    /// - Parameter shown: the rate that the client has read; nil for any.
    /// - Returns: the removed rate; nil when there is none.
    /// - Throws: `Conflict`.
    func remove(
        _ currency: CurrencyCode, _ day: LocalDate, shown: Version? = nil, by member: Member
    ) async throws -> StoredRate? {
        try await database.write(member.household, by: member.person) { changes in
            let deleted = try await changes.query(
                """
                DELETE FROM exchange_rate WHERE household_id = \(changes.household) AND currency = \(currency.code)
                    AND day = \(day) RETURNING id, revision, per_euro_millionths, source
                """
            ).first((ExchangeRateID, Int64, Int64, String).self)
            guard let (id, revision, rate, source) = deleted else { return nil }
            let stored = Version(id: id, revision: revision)
            guard stored == shown ?? stored else { throw Conflict() }
            changes.deleted(.exchangeRate, id, lastRevision: revision)
            try await Self.recompute([day], changes)
            return StoredRate(
                rate: EuroRate(currency: currency, day: day, perEuroMillionths: rate), source: Source(rawValue: source))
        }
    }

    /// Undoes the removal of a rate.
    ///
    /// - Returns: false if there is a rate of the same currency and day.
    func restore(_ rate: EuroRate, _ source: Source, by member: Member) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            let stored = try await changes.query(
                """
                SELECT 1 FROM exchange_rate WHERE household_id = \(changes.household)
                    AND currency = \(rate.currency.code) AND day = \(rate.day)
                """)
            guard stored.isEmpty else { return false }
            try await Self.write([rate], source, changes)
            return true
        }
    }

    /// Recomputes the sums of the expenses and receipts in other currencies to which rates of these days apply.
    /// Publishes the rates that now convert them.
    ///
    /// - Throws: `AmountTooLarge`.
    static func recompute(_ days: [LocalDate], _ changes: HouseholdTransaction) async throws {
        guard let first = days.min(), let last = days.max() else { return }
        let household = changes.household
        let next = last.adding(days: Int(HomeAmount.rateDays) + 1)
        let rows = try await changes.query(batch: [
            """
            SELECT DISTINCT e.day FROM expense e JOIN household h ON h.id = \(household)
            WHERE e.household_id = \(household) AND e.day IS NOT NULL AND e.discarded_at IS NULL
                AND e.day >= \(first) AND e.day < \(next) AND e.currency <> h.currency
            """,
            """
            SELECT DISTINCT r.booked_month FROM receipt r JOIN household h ON h.id = \(household)
            WHERE r.household_id = \(household) AND r.booked_month IS NOT NULL AND r.discarded_at IS NULL
                AND r.purchase_day >= \(first) AND r.purchase_day < \(next) AND r.currency <> h.currency
            """,
        ])
        let months = try rows[1].decode(LocalDate.self)
        // The sums of a month include those of its days.
        let days = try rows[0].decode(LocalDate.self).filter { !months.contains($0.month.firstDay) }
        let sums = RollUps.spending(months, household) + ExpenseSums.statements(days: Set(days), household)
        if !sums.isEmpty { try await AmountTooLarge.check { _ = try await changes.query(batch: sums) } }
        try await PublishedRates.publish(changes)
    }

    /// Keeps the last rate of each currency and day.
    private static func unique(_ rates: [EuroRate]) -> [EuroRate] {
        struct Key: Hashable {
            let currency: CurrencyCode
            let day: LocalDate
        }
        let last = Dictionary(rates.map { (Key(currency: $0.currency, day: $0.day), $0) }) { _, later in later }
        return Array(last.values)
    }
}
