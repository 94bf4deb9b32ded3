import Domain
import HTTP
import Templates

/// Makes the views of a feature.
struct Views {
    let library: TemplateLibrary
    let assets: Assets

    /// Binds a template to its page model and checks every branch of the template.
    func page<Model: PageModel>(_ name: String, _: Model.Type) throws -> View<Model> {
        View(
            page: try library.page(name, Model.self, layoutModel: Layout.self), assets: assets, texts: library.texts
        )
    }
}
