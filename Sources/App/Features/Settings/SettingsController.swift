import HTTP
import Templates

/// The list of everything that can be set: "Mehr".
struct SettingsController: Sendable {
    private let page: View<SettingsPage>
    private let hasSecondEngine: Bool

    init(_ views: Views, hasSecondEngine: Bool) throws {
        page = try views.page("settings/index", SettingsPage.self)
        self.hasSecondEngine = hasSecondEngine
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/settings", "SettingsController.show") { request in
            page.response(
                SettingsPage(
                    householdName: request.context.signedIn?.householdName ?? "", hasSecondEngine: hasSecondEngine),
                for: request)
        }
    }
}

struct SettingsPage: PageModel {
    let householdName: String
    let hasSecondEngine: Bool

    static let fields = Fields<Self> { f in
        f.text("householdName") { $0.householdName }
        f.flag("hasSecondEngine") { $0.hasSecondEngine }
        f.text("version") { _ in Product.version }
    }
}
