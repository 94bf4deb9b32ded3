import Domain
import HTTP
import Templates

/// A page with all components of the templates; served in development only.
struct StyleguideController: Sendable {
    private let page: View<StyleguidePage>
    private let isDevelopment: Bool

    init(_ config: Config, _ views: Views) throws {
        // Created even outside development, so that every start checks its template.
        page = try views.page("styleguide/index", StyleguidePage.self)
        isDevelopment = config.isDevelopment
    }

    func register(_ routes: inout Routes) throws {
        guard isDevelopment else { return }
        try routes.visitor(.get, "/styleguide", "StyleguideController.show") { request in
            page.response(StyleguidePage(language: request.language), for: request)
        }
    }
}
