import Domain
import Templates
import Wines

/// The model of the view `wines/index`.
struct WineListPage: PageModel {
    let filter: WineFilter
    let result: WineQueries.Result
    let isMember: Bool
    let words: LanguageTexts
    let language: Language
    let today: LocalDate

    private static let maximumVintages = 6

    /// Returns the vintages of a wine as text; nil if there are fewer than two.
    private func vintages(of wine: StoredWine) -> String? {
        guard let all = result.vintages[wine.id] else { return nil }
        let years = all.prefix(Self.maximumVintages).map(String.init).joined(separator: ", ")
        return words[
            "server.wine.vintages", ["years": .number(all.count > Self.maximumVintages ? years + ", …" : years)]]
    }

    static let fields = Fields<Self> { f in
        f.flag("isMember") { $0.isMember }
        f.flag("isEmpty") { $0.result.own == 0 && $0.result.shared == 0 }
        f.flag("hasNoMatch") { $0.result.wines.isEmpty && $0.result.own + $0.result.shared > 0 }
        f.text("own") { DecimalText.format($0.result.own, decimals: 0, minimum: 0, in: $0.language) }
        f.text("shared") { DecimalText.format($0.result.shared, decimals: 0, minimum: 0, in: $0.language) }
        f.flag("hasShared") { $0.result.shared > 0 }
        f.text("search") { $0.filter.search }
        f.flag("isActive") { $0.filter.isActive }
        f.flag("isReady") { $0.filter.onlyReady }
        f.flag("isShared") { $0.filter.isShared }
        f.list("colours") { page in
            WineChoices.colours(page.filter.colour, page.words, empty: page.words["server.wine.any"])
        }
        f.list("points") { page in
            [Choice(value: "", label: page.words["server.wine.any"], isSelected: page.filter.points == nil)]
                + [95, 90, 85, 80].map {
                    Choice(value: String($0), label: "\($0)+", isSelected: page.filter.points == $0)
                }
        }
        f.list("wines") { page in
            page.result.wines.map {
                WineRow(
                    wine: $0, extra: page.vintages(of: $0), words: page.words, language: page.language,
                    today: page.today)
            }
        }
        f.optionalText("nextHref") { page in
            page.result.hasMore ? page.filter.href(page: page.filter.page + 1) : nil
        }
        f.optionalText("previousHref") { page in
            page.filter.page > 1 ? page.filter.href(page: page.filter.page - 1) : nil
        }
    }
}

/// Options for select elements of wine forms.
enum WineChoices {
    static func colours(_ selected: WineColor?, _ words: LanguageTexts, empty: String) -> [Choice] {
        [Choice(value: "", label: empty, isSelected: selected == nil)]
            + WineColor.allCases.map {
                Choice(
                    value: $0.rawValue, label: words["server.wine.colour-\($0.rawValue)"], isSelected: selected == $0)
            }
    }

    static func scales(_ selected: ScoreScale, _ words: LanguageTexts) -> [Choice] {
        ScoreScale.allCases.map {
            Choice(value: $0.rawValue, label: words["server.wine.scale-\($0.rawValue)"], isSelected: selected == $0)
        }
    }
}

/// The model of the view `wines/edit`.
struct WineEditPage: EditPage {
    let form: WineForm
    let stored: StoredWine?
    let words: LanguageTexts
    var errors = FieldErrors()
    var shownRevision: Int64?
    var problem: Problem?

    var storedRevision: Int64? { stored?.revision }

    static let fields = Fields<Self> { f in
        f.flag("isNew") { $0.stored == nil }
        // Wines of the operator's catalogue cannot be deleted.
        f.flag("canRemove") { page in page.stored.map { !$0.isShared } ?? false }
        f.text("storedName") { $0.stored?.title ?? "" }
        f.text("action") { page in page.stored.map { "/wines/\($0.id)" } ?? "/wines" }
        f.text("back") { page in page.stored.map { "/wines/\($0.id)" } ?? "/wines" }
        f.formState()
        f.text("producer") { $0.form.producer }
        f.text("name") { $0.form.name }
        f.text("vintage") { $0.form.vintage }
        f.text("country") { $0.form.country }
        f.text("region") { $0.form.region }
        f.text("grapes") { $0.form.grapes }
        f.text("price") { $0.form.price }
        f.text("drinkFrom") { $0.form.drinkFrom }
        f.text("drinkUntil") { $0.form.drinkUntil }
        f.text("critic") { $0.form.score.critic }
        f.text("points") { $0.form.score.points }
        f.text("note") { $0.form.score.note }
        f.list("scales") { WineChoices.scales($0.form.score.scale, $0.words) }
        f.list("colours") { page in
            WineChoices.colours(
                WineColor(rawValue: page.form.colour), page.words, empty: page.words["server.wine.unknown"])
        }
    }
}
