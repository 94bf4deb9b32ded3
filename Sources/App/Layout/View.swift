import Domain
import HTTP
import Templates

/// A template bound to its page model.
struct View<Model: PageModel>: Sendable {
    let page: Page<Model, Layout>
    let assets: Assets
    let texts: Texts

    /// The texts in the member's language, with the terms of the household's country.
    func words(_ request: MemberRequest) -> LanguageTexts {
        texts[request.language].inRegion(request.context.region)
    }

    /// The texts about days, in the member's language.
    func days(_ request: MemberRequest, today: LocalDate = WallClock.today()) -> DayText {
        DayText(words: words(request), language: request.language, today: today)
    }

    func response(_ model: Model, for request: MemberRequest, status: Status = .ok) -> Response {
        response(model, request.context, status: status)
    }

    func response(_ model: Model, for request: VisitorRequest, status: Status = .ok) -> Response {
        response(model, request.context, status: status)
    }

    func response(_ model: Model, _ context: RequestContext, status: Status) -> Response {
        // Error pages do not show success messages.
        let flash = (status.code < 400 ? context.flash : nil).map { flash in
            FlashNotice(
                text: texts[context.language]["server.flash.\(flash.key)", flash.numbers],
                undo: flash.undo.map(FlashNotice.Undo.init), link: flash.link)
        }
        let frame = Frame(
            context: context, assets: assets, csrf: context.csrfToken, flash: flash, path: context.path)
        return .html(status, page.render(model, layout: Layout(frame: frame), language: context.language))
    }
}
