import HTTP
import Templates

/// A limit that the operator of the server set for the household forbids an operation.
enum WineQuotaError: Error {
    /// The household has used all scans of today.
    case scansToday
    /// The API key has used all scans of today.
    case keyScansToday
    /// The household may not scan with the live camera.
    case noLive
    /// The catalogue would have too many wines.
    case wines

    func sentence(_ words: LanguageTexts) -> String {
        switch self {
        case .scansToday: words["server.wine.quota-scans"]
        case .keyScansToday: words["server.wine.quota-key"]
        case .noLive: words["server.wine.quota-live"]
        case .wines: words["server.wine.quota-wines"]
        }
    }
}

extension Response {
    /// Runs an edit and returns its response. If the edit exceeds a limit of the operator, redirects to the path `page`
    /// with a message.
    static func withinWineQuota(
        elseTo page: String, _ edit: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await edit()
        } catch is WineQuotaError {
            return .redirect(to: page).flashing(Flash("wine-quota"))
        }
    }
}
