import HTTP
import Templates

/// The page with links to all settings. Its German title is "Mehr".
struct SettingsController: Sendable {
    private let database: Database
    private let page: View<SettingsPage>
    private let hasSecondEngine: Bool

    init(_ database: Database, _ views: Views, hasSecondEngine: Bool) throws {
        self.database = database
        page = try views.page("settings/index", SettingsPage.self)
        self.hasSecondEngine = hasSecondEngine
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/settings", "SettingsController.show") { request in
            page.response(
                SettingsPage(
                    householdName: request.context.signedIn?.householdName ?? "", hasSecondEngine: hasSecondEngine,
                    isOwner: request.member.role == .owner,
                    hasLostValues: try await LostValueList.hasValues(request.member, database)),
                for: request)
        }
    }
}
