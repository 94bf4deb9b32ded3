import Domain
import EventLoop
import Glibc
import Postgres

/// `allesteurer wines import|plan`: lets the operator of the server fill the wine catalogue that all households share,
/// and set the limits of a household.
enum WinesCommand {
    static let synopsis =
        "wines import FILE [SCALE [CURRENCY]] | plan HOUSEHOLD SCANS-A-DAY LIVE MOST-WINES [KEY-SCANS-A-DAY]"

    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        let rest = Array(arguments.dropFirst())
        switch (arguments.first, rest.count) {
        case ("import", 1...3): return try await importTable(program, rest)
        case ("plan", 4...5): return try await plan(program, rest)
        default: throw UsageError(description: "takes import or plan, each with its arguments")
        }
    }

    /// Returns the connection settings of the tables' owner, because the application's role may only read these tables.
    private static func owner(_ program: Program) throws -> PostgresSettings {
        guard let url = try program.config().ownerDatabaseURL else {
            throw ConfigError(
                description: "ALLESTEURER_OWNER_DATABASE_URL is missing: only the owner may write the tables of wines")
        }
        return try PostgresSettings(url, of: "OWNER_DATABASE_URL")
    }

    // MARK: The shared catalogue

    private static func importTable(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard let scale = ScoreScale(rawValue: arguments.count > 1 ? arguments[1] : "100") else {
            throw UsageError(description: "SCALE must be 100, 20 or 5")
        }
        guard let currency = CurrencyCode(arguments.count > 2 ? arguments[2] : "EUR") else {
            throw UsageError(description: "CURRENCY must be a code such as EUR")
        }
        let path = arguments[0]
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw UsageError(description: "cannot read \(path)") }
        defer { close(file) }
        let result = try await OneLoop.run(try owner(program)) { pool in
            try await SharedWineImport(pool: pool).run { headings in
                WineMapping(columns: WineColumn.recognised(headings), scale: scale, currency: currency)
            } piece: {
                try chunk(of: file, path)
            }
        }
        Console.print("\(result.wines) wines, \(result.skipped) lines skipped")
        return 0
    }

    /// Returns the next bytes of a file; nil at its end.
    ///
    /// - Throws: `SystemError`.
    private static func chunk(of file: Int32, _ path: String) throws -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 512 << 10)
        while true {
            let count = read(file, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError("read \(path)") }
            return count > 0 ? Array(bytes[..<count]) : nil
        }
    }

    // MARK: Plans

    /// Sets a household's limits (`wine_plan`). `-` means no limit; LIVE says whether the household may scan with the
    /// live camera.
    private static func plan(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard let household = HouseholdID(arguments[0]) else {
            throw UsageError(description: "HOUSEHOLD must be an identifier")
        }
        func limit(_ text: String, _ name: String) throws -> Int32? {
            if text == "-" { return nil }
            guard let number = Int32(text), number >= 0 else {
                throw UsageError(description: "\(name) must be a number, or - for no limit")
            }
            return number
        }
        let scans = try limit(arguments[1], "SCANS-A-DAY")
        guard ["yes", "no"].contains(arguments[2]) else { throw UsageError(description: "LIVE must be yes or no") }
        let hasLive = arguments[2] == "yes"
        let wines = try limit(arguments[3], "MOST-WINES")
        let keyScans = try limit(arguments.count > 4 ? arguments[4] : "-", "KEY-SCANS-A-DAY")
        let changed = try await OneLoop.run(try owner(program)) { pool in
            try await pool.query(
                """
                INSERT INTO wine_plan (household_id, scans_a_day, has_live, most_wines, key_scans_a_day)
                SELECT id, \(scans), \(hasLive), \(wines), \(keyScans) FROM household WHERE id = \(household)
                ON CONFLICT (household_id) DO UPDATE SET scans_a_day = excluded.scans_a_day,
                    has_live = excluded.has_live, most_wines = excluded.most_wines,
                    key_scans_a_day = excluded.key_scans_a_day RETURNING household_id
                """)
        }
        guard !changed.isEmpty else {
            Console.error("allesteurer wines: unknown household")
            return 1
        }
        return 0
    }
}
