import Domain
import HTTP
import Templates

/// Creates views from templates.
struct Views {
    let library: TemplateLibrary
    let assets: Assets
    let api: APIDescription

    /// - Throws: `TemplateError`, `Assets.MissingAsset`, `ConfigError`.
    init(_ config: Config) throws {
        api = try APIDescription(folder: config.views)
        assets = try Assets(folder: config.assets)
        library = try TemplateLibrary(
            folder: config.views, texts: config.views + "/texts", languages: Language.allCases.map(\.rawValue),
            reload: config.isDevelopment)
    }

    /// Binds a template to its page model and checks every branch of the template.
    func page<Model: PageModel>(_ name: String, _: Model.Type) throws -> View<Model> {
        View(
            page: try library.page(name, Model.self, layoutModel: Layout.self), assets: assets, texts: library.texts
        )
    }
}
