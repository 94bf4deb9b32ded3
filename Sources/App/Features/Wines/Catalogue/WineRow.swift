import Domain
import Templates
import Wines

/// A score as a number and the shape that marks its range.
struct ScoreBadge: PageModel {
    let points: Int
    let words: LanguageTexts

    private var band: ScoreBand { ScoreBand(score: points) }

    static let fields = Fields<Self> { f in
        f.number("points") { $0.points }
        f.text("band") { $0.band.rawValue }
        f.text("bandName") { $0.words["server.wine.band-\($0.band.rawValue)"] }
    }
}

/// A wine in a list.
struct WineRow: PageModel {
    let wine: StoredWine
    /// Text at the end of the second line, such as the number of bottles.
    var extra: String?
    let words: LanguageTexts
    let language: Language
    let today: LocalDate

    static let fields = Fields<Self> { f in
        f.text("id") { $0.wine.id.description }
        f.text("href") { "/wines/\($0.wine.id)" }
        f.text("title") { $0.wine.title }
        f.text("detail") { $0.detail }
        f.optional("badge") { row in row.wine.points.map { ScoreBadge(points: $0, words: row.words) } }
        f.flag("isShared") { $0.wine.isShared }
    }

    private var detail: String {
        let window = wine.window(today)
        return [
            wine.colour.map { words["server.wine.colour-\($0.rawValue)"] }, wine.region.isEmpty ? nil : wine.region,
            wine.country.isEmpty ? nil : wine.country,
            window == .unknown ? nil : window.text(from: wine.drinkFrom, until: wine.drinkUntil, words), extra,
        ].compactMap { $0 }.joined(separator: " · ")
    }
}
