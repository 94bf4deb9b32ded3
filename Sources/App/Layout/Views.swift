import Domain
import HTTP
import Templates

/// Makes the views of a feature.
struct Views {
    let library: TemplateLibrary
    let assets: Assets

    /// - Throws: `TemplateError`, `Assets.Missing`.
    init(_ config: Config) throws {
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

/// One page of the product.
struct View<Model: PageModel>: Sendable {
    let page: Page<Model, Layout>
    let assets: Assets
    let texts: Texts

    /// The texts in the member's language, with the words of the household's country.
    func words(_ request: MemberRequest) -> LanguageTexts {
        texts[request.language].inRegion(request.context.region)
    }

    /// The page as an answer to a member.
    func response(_ model: Model, for request: MemberRequest, status: Status = .ok) -> Response {
        response(model, request.context, status: status)
    }

    /// The page as an answer to a visitor.
    func response(_ model: Model, for request: VisitorRequest, status: Status = .ok) -> Response {
        response(model, request.context, status: status)
    }

    func response(_ model: Model, _ context: RequestContext, status: Status) -> Response {
        // A page that reports an error does not also report an earlier success.
        let flash = (status.code < 400 ? context.flash : nil).map { flash in
            FlashNotice(
                text: texts[context.language]["server.flash.\(flash.key)", ["count": .number(String(flash.count))]],
                undo: flash.undo.map(FlashNotice.Undo.init), link: flash.link)
        }
        let frame = Frame(
            context: context, assets: assets, csrf: context.csrfToken, flash: flash, path: context.path)
        return .html(status, page.render(model, layout: Layout(frame: frame), language: context.language))
    }
}
