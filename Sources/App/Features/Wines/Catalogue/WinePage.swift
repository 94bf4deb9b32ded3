import Domain
import Templates
import Wines

/// The model of the view `wines/show`.
struct WinePage: PageModel {
    let wine: StoredWine
    let facts: WineFacts
    let score: ScoreForm
    let errors: FieldErrors
    let isMember: Bool
    let words: LanguageTexts
    let language: Language
    let today: LocalDate

    static let fields = Fields<Self> { f in
        f.text("href") { "/wines/\($0.wine.id)" }
        f.text("title") { $0.wine.title }
        f.text("name") { $0.wine.fullName }
        f.flag("isMember") { $0.isMember }
        f.flag("isShared") { $0.wine.isShared }
        f.text("revision") { String($0.wine.revision) }
        f.optional("badge") { page in page.wine.points.map { ScoreBadge(points: $0, words: page.words) } }
        f.text("place") { [$0.wine.region, $0.wine.country].filter { !$0.isEmpty }.joined(separator: ", ") }
        f.optionalText("colour") { page in page.wine.colour.map { page.words["server.wine.colour-\($0.rawValue)"] } }
        f.text("grapes") { $0.wine.grapes.joined(separator: ", ") }
        f.optionalText("releasePrice") { page in page.wine.releasePrice.map { $0.formatted(page.language) } }
        f.optionalText("window") { page in
            let window = page.wine.window(page.today)
            return window == .unknown
                ? nil : window.text(from: page.wine.drinkFrom, until: page.wine.drinkUntil, page.words)
        }
        f.flag("isReady") { $0.wine.window($0.today) == .ready }
        f.flag("isPast") { $0.wine.window($0.today) == .past }
        f.list("scores") { page in page.wine.scores.map { WineScoreRow(score: $0, page: page) } }
        f.list("scales") { WineChoices.scales($0.score.scale, $0.words) }
        f.text("critic") { $0.score.critic }
        f.text("points") { $0.score.points }
        f.text("note") { $0.score.note }
        f.model("errors") { $0.errors }
        f.flag("isSaved") { $0.facts.mine.isSaved }
        f.flag("isTasted") { $0.facts.mine.isTasted }
        f.flag("isWanted") { $0.facts.mine.isWanted }
        f.text("ownPoints") { page in page.facts.mine.points.map(String.init) ?? "" }
        f.text("ownNote") { $0.facts.mine.note }
        f.list("others") { page in
            page.facts.others.map {
                WineOpinion(
                    name: $0.name, note: $0.mark.note,
                    badge: $0.mark.points.map { ScoreBadge(points: $0, words: page.words) })
            }
        }
        f.list("bottles") { page in page.facts.bottles.map { WineBottleRow(bottles: $0, page: page) } }
        f.list("sightings") { page in
            page.facts.sightings.map {
                WineSightingRow(
                    place: $0.place, day: $0.day.formatted(page.language), size: WineSize.text($0.size, page.language),
                    price: $0.price.formatted(page.language))
            }
        }
        f.list("vintages") { page in
            page.facts.vintages.map { other in
                WineVintageLink(
                    href: "/wines/\(other.id)",
                    label: other.vintage.map(String.init) ?? page.words["server.wine.no-vintage"],
                    badge: other.points.map { ScoreBadge(points: $0, words: page.words) })
            }
        }
        f.list("similar") { page in
            page.facts.similar.map {
                WineRow(
                    wine: $0, extra: $0.releasePrice?.formatted(page.language), words: page.words,
                    language: page.language, today: page.today)
            }
        }
    }
}

/// A critic's score on the page of a wine.
struct WineScoreRow: PageModel {
    let score: WineScore
    let page: WinePage

    static let fields = Fields<Self> { f in
        f.text("critic") { $0.score.critic }
        f.text("name") { row in row.score.critic.isEmpty ? row.page.words["server.wine.no-critic"] : row.score.critic }
        f.model("badge") { ScoreBadge(points: $0.score.points, words: $0.page.words) }
        f.text("note") { $0.score.note }
        f.optionalText("day") { row in row.score.reviewedOn.map { $0.formatted(row.page.language) } }
    }
}

/// Another member's score and note.
struct WineOpinion: PageModel {
    let name: String
    let note: String
    let badge: ScoreBadge?

    static let fields = Fields<Self> { f in
        f.text("name") { $0.name }
        f.text("note") { $0.note }
        f.optional("badge") { $0.badge }
    }
}

/// Bottles of the wine in the cellar.
struct WineBottleRow: PageModel {
    let bottles: WineFacts.Bottles
    let page: WinePage

    static let fields = Fields<Self> { f in
        f.text("href") { "/wine-bottles/\($0.bottles.id)" }
        f.text("count") { String($0.bottles.count) }
        f.text("place") { $0.bottles.place }
        f.text("revision") { String($0.bottles.revision) }
        f.text("detail") { row in
            [
                row.bottles.price.map { $0.formatted(row.page.language) },
                row.bottles.boughtOn.map { $0.formatted(row.page.language) },
            ].compactMap { $0 }.joined(separator: " · ")
        }
    }
}

/// The price of the wine on a saved wine list.
struct WineSightingRow: PageModel {
    let place: String
    let day: String
    let size: String
    let price: String

    static let fields = Fields<Self> { f in
        f.text("place") { $0.place }
        f.text("day") { $0.day }
        f.text("size") { $0.size }
        f.text("price") { $0.price }
    }
}

/// A link to another vintage of the wine.
struct WineVintageLink: PageModel {
    let href: String
    let label: String
    let badge: ScoreBadge?

    static let fields = Fields<Self> { f in
        f.text("href") { $0.href }
        f.text("label") { $0.label }
        f.optional("badge") { $0.badge }
    }
}

/// Formats the sizes of bottles and glasses.
enum WineSize {
    /// Text such as `0,75 l`; empty for nil.
    static func text(_ millilitres: Int?, _ language: Language) -> String {
        millilitres.map { "\(DecimalText.format(Int64($0), decimals: 3, minimum: 1, in: language)) l" } ?? ""
    }
}
