import Domain
import HTTP
import Templates

/// What a feature makes its pages with: templates bound at start, texts, addresses of static files.
struct Views {
    let catalogue: TemplateCatalogue
    let assets: Assets

    /// Binds a template to its page model; every branch is checked here, at start.
    func page<Model: PageModel>(_ name: String, _: Model.Type) throws -> View<Model> {
        View(
            page: try catalogue.page(name, Model.self, layoutModel: Layout.self), assets: assets, texts: catalogue.texts
        )
    }
}

/// One page of the product.
struct View<Model: PageModel>: Sendable {
    let page: Page<Model, Layout>
    let assets: Assets
    let texts: TextCatalogue

    /// The page as an answer to a member.
    func response(_ model: Model, for request: MemberRequest, status: Status = .ok) -> Response {
        response(model, request.context, status: status)
    }

    /// The page as an answer to a visitor.
    func response(_ model: Model, for request: VisitorRequest, status: Status = .ok) -> Response {
        response(model, request.context, status: status)
    }

    func response(_ model: Model, _ context: RequestContext, status: Status) -> Response {
        // What went well before is no word beside what does not now.
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
