import Crypto
import Domain
import HTTP
import Postgres

/// The usage counters of all households, as a page for Prometheus. The page exists only if the operator has set a
/// token; requests must send that token.
struct WineMetrics: Sendable {
    private let database: Database
    private let token: [UInt8]?

    init(_ database: Database, token: String?) {
        self.database = database
        self.token = token.map { Array($0.utf8) }
    }

    func register(_ routes: inout Routes) throws {
        try routes.withoutSession("/metrics", "WineMetrics.show") { head in
            await text(for: head.headers[.authorization])
        }
    }

    /// - Parameter credentials: the value of the `Authorization` field.
    func text(for credentials: String?) async -> Response {
        guard let token else { return .text(.notFound, "ALLESTEURER_METRICS_TOKEN is not set\n") }
        let field = credentials ?? ""
        guard field.hasPrefix("Bearer "), constantTimeEqual(Array(field.dropFirst(7).utf8), token) else {
            var response = Response.text(.unauthorized, "send the metrics token as a bearer token\n")
            response.headers["WWW-Authenticate"] = "Bearer realm=\"metrics\""
            return response
        }
        do {
            let rows = try await database.read("SELECT household_id, name, count FROM wine_counter_sums()")
                .decode((HouseholdID, String, Int64).self)
            var response = Response.text(.ok, Self.text(rows.map { ($0.0, $0.1, $0.2) }))
            response.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
            return response
        } catch {
            var response = Response.text(.serviceUnavailable, "the database does not answer\n")
            response.headers[.retryAfter] = "5"
            return response
        }
    }

    /// Formats counters as Prometheus text, version 0.0.4: one metric for each counter, one line for each household.
    private static func text(_ rows: [(household: HouseholdID, name: String, count: Int64)]) -> String {
        var text = ""
        for name in WineCounters.Name.allCases {
            let metric = "allesteurer_wine_\(name.rawValue)_total"
            text += "# HELP \(metric) \(name.meaning)\n# TYPE \(metric) counter\n"
            for row in rows where row.name == name.rawValue {
                text += "\(metric){household=\"\(row.household)\"} \(row.count)\n"
            }
        }
        return text
    }
}

extension WineCounters.Name {
    fileprivate var meaning: String {
        switch self {
        case .scans: "Scans of wine lists, without frames of live cameras."
        case .frames: "Frames of live cameras."
        case .entries: "Entries read from wine lists."
        case .found: "Entries matched with a wine."
        case .filtered: "Pages shown with a filter."
        case .saved: "Saved wines and lists."
        case .errors: "Scans and frames that could not be read."
        }
    }
}
