import HTTP
import Templates

/// The list of everything that can be set: "Mehr".
struct SettingsController: Sendable {
    private let page: View<SettingsPage>

    init(_ views: Views) throws { page = try views.page("settings/index", SettingsPage.self) }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/settings", "SettingsController.show") { request in
            page.response(
                SettingsPage(householdName: request.context.signedIn?.householdName ?? ""), for: request)
        }
    }
}

struct SettingsPage: PageModel {
    let householdName: String

    static let fields = Fields<Self> { f in
        f.text("householdName") { $0.householdName }
        f.text("version") { _ in Product.version }
    }
}
