import Domain
import Postgres
import Templates

/// The limits that the operator of the server has set for a household. No other code enforces these limits.
struct WinePlan: Sendable {
    /// The maximum number of scans per day; nil for no limit.
    var scansADay: Int64?
    /// The maximum number of scans per day with one API key; nil if only the household's limit applies.
    var keyScansADay: Int64?
    /// Whether the household may scan with the live camera.
    var hasLive = true
    /// The maximum number of wines in the household's catalogue; nil for no limit.
    var maximumWines: Int64?

    static func load(_ household: HouseholdID, _ database: Database) async throws -> WinePlan {
        let rows = try await database.read(
            household,
            """
            SELECT scans_a_day::bigint, key_scans_a_day::bigint, has_live, most_wines::bigint FROM wine_plan
            WHERE household_id = \(household)
            """)
        guard let (scans, keyScans, hasLive, wines) = try rows.first((Int64?, Int64?, Bool, Int64?).self) else {
            return WinePlan()
        }
        return WinePlan(scansADay: scans, keyScansADay: keyScans, hasLive: hasLive, maximumWines: wines)
    }

    /// - Throws: `WineQuotaError.wines` if `count` more wines would exceed the limit.
    static func requireRoom(for count: Int, _ changes: HouseholdTransaction) async throws {
        let household = changes.household
        let rows = try await changes.query(
            """
            SELECT p.most_wines::bigint, (SELECT count(*) FROM wine w WHERE w.household_id = p.household_id
                AND w.discarded_at IS NULL)
            FROM wine_plan p WHERE p.household_id = \(household) AND p.most_wines IS NOT NULL
            """)
        guard let (maximum, stored) = try rows.first((Int64, Int64).self) else { return }
        guard stored + Int64(count) <= maximum else { throw WineQuotaError.wines }
    }

    /// The counters to which a scan was added.
    struct CountedScan: Sendable {
        fileprivate(set) var names: [String] = []
        let day: LocalDate
    }

    /// Counts a scan against today's limits of the household and of the key. A frame of a live camera counts only
    /// against the limit of the key. A refused scan is not counted.
    ///
    /// - Throws: `WineQuotaError`.
    @discardableResult
    static func countScan(
        isLive: Bool, key: KeyID?, _ household: HouseholdID, _ database: Database
    ) async throws -> CountedScan {
        let plan = try await load(household, database)
        var scan = CountedScan(day: WallClock.today())
        if isLive, !plan.hasLive { throw WineQuotaError.noLive }
        if let key, let limit = plan.keyScansADay {
            let name = "key:\(key)"
            guard try await count(name, limit, scan.day, household, database) else {
                throw WineQuotaError.keyScansToday
            }
            scan.names.append(name)
        }
        if isLive { return scan }
        guard try await count("scans", plan.scansADay, scan.day, household, database) else {
            try await subtractFromCounters(scan, household, database)
            throw WineQuotaError.scansToday
        }
        scan.names.append("scans")
        return scan
    }

    /// Subtracts a scan from its counters, because a limit or a busy reader refused it.
    static func subtractFromCounters(_ scan: CountedScan, _ household: HouseholdID, _ database: Database) async throws {
        guard !scan.names.isEmpty else { return }
        _ = try await database.store(
            household,
            """
            UPDATE wine_counter SET count = count - 1
            WHERE household_id = \(household) AND day = \(scan.day) AND name = ANY(\(scan.names)) AND count > 0
            """)
    }

    /// Adds one to a counter of a day. Returns false, without counting, if the counter has reached the limit.
    private static func count(
        _ name: String, _ limit: Int64?, _ day: LocalDate, _ household: HouseholdID, _ database: Database
    ) async throws -> Bool {
        let rows = try await database.store(
            household,
            """
            INSERT INTO wine_counter AS c (household_id, day, name, count)
            SELECT \(household), \(day), \(name), 1 WHERE coalesce(\(limit)::bigint, 1) > 0
            ON CONFLICT (household_id, day, name) DO UPDATE SET count = c.count + 1
                WHERE c.count < coalesce(\(limit)::bigint, c.count + 1)
            RETURNING count
            """)
        return !rows.isEmpty
    }
}
