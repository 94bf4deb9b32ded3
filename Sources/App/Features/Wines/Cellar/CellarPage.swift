import Domain
import Templates

/// The model of the view `wines/mine`.
struct CellarPage: PageModel {
    let cellar: CellarQueries.Cellar
    let words: LanguageTexts
    let language: Language
    let today: LocalDate

    /// The number of years before the end of the drink window during which a wine is listed as a wine to drink soon.
    private static let soonYears = 1

    private func row(_ wine: StoredWine, _ extra: String? = nil) -> WineRow {
        WineRow(wine: wine, extra: extra, words: words, language: language, today: today)
    }

    private func bottles(_ count: Int64, _ places: String) -> String {
        let text = words["server.wine.bottles", ["count": .number(String(count))]]
        return places.isEmpty ? text : "\(text) · \(places)"
    }

    private func isSoon(_ wine: StoredWine) -> Bool {
        (wine.drinkUntil.map { $0 <= today.year + Self.soonYears } ?? false) && (wine.drinkFrom ?? 0) <= today.year
    }

    static let fields = Fields<Self> { f in
        f.flag("isEmpty") { $0.cellar.isEmpty }
        f.number("bottleCount") { Int($0.cellar.bottles.reduce(0) { $0 + $1.count }) }
        f.list("soon") { page in
            page.cellar.bottles.filter { page.isSoon($0.wine) }.map {
                page.row($0.wine, page.bottles($0.count, $0.places))
            }
        }
        f.list("cellar") { page in
            page.cellar.bottles.filter { !page.isSoon($0.wine) }.map {
                page.row($0.wine, page.bottles($0.count, $0.places))
            }
        }
        f.list("saved") { page in page.cellar.saved.map { page.row($0) } }
        f.list("tasted") { page in
            page.cellar.tasted.map { tasted in
                page.row(
                    tasted.wine,
                    tasted.points.map { page.words["server.wine.own-points", ["points": .number(String($0))]] })
            }
        }
        f.list("wanted") { page in page.cellar.wanted.map { page.row($0) } }
    }
}
