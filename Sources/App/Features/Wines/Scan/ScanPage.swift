import Domain
import Templates
import Wines

/// The model of the view `wines/scan`, where a scan starts.
struct ScanStartPage: PageModel {
    let problem: Problem?
    /// Whether the household may scan live with the camera.
    let hasLive: Bool
    let scans: [SavedScans.Head]
    let words: LanguageTexts
    let language: Language

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
        f.flag("hasLive") { $0.hasLive }
        f.list("scans") { page in
            page.scans.map {
                ScanLink(
                    href: "/wine-scans/\($0.id)", place: $0.place.isEmpty ? page.words["server.wine.list"] : $0.place,
                    day: $0.day.formatted(page.language))
            }
        }
    }
}

/// A link to a saved list.
struct ScanLink: PageModel {
    let href: String
    let place: String
    let day: String

    static let fields = Fields<Self> { f in
        f.text("href") { $0.href }
        f.text("place") { $0.place }
        f.text("day") { $0.day }
    }
}

/// The model of the view `wines/list`: a scanned list.
struct ScanPage: PageModel {
    let list: MatchedList
    let filter: ScanFilter
    let saved: SavedScans.Head?
    /// The reason why the decision about a match was not saved.
    let problem: Problem?
    /// The price that the household last paid for a bottle, by wine.
    let paid: [WineID: Amount]
    let words: LanguageTexts
    let language: Language
    let today: LocalDate
    let isMember: Bool

    /// Returns the address of the list with a filter.
    func href(_ filter: ScanFilter) -> String {
        (saved.map { "/wine-scans/\($0.id)" } ?? "/wines/scan/list") + filter.query
    }

    private func toggle(_ label: String, _ isOn: Bool, _ change: (inout ScanFilter) -> Void) -> FilterToggle {
        FilterToggle(label: label, href: href(filter.changed(by: change)), isOn: isOn)
    }

    private var toggles: [FilterToggle] {
        var toggles = [90, 85].map { (points: Int) in
            toggle("\(points)+", filter.points == points) { $0.points = $0.points == points ? nil : points }
        }
        toggles.append(toggle(words["server.wine.ready"], filter.onlyReady) { $0.onlyReady.toggle() })
        toggles.append(toggle(words["server.wine.best-value"], filter.onlyBestValue) { $0.onlyBestValue.toggle() })
        toggles += WineColor.allCases.map { (colour: WineColor) in
            toggle(words["server.wine.colour-\(colour.rawValue)"], filter.colours.contains(colour)) {
                $0.colours.formSymmetricDifference([colour])
            }
        }
        toggles += [20, 40, 80].map { (price: Int) -> FilterToggle in
            let shown = Amount(units: price, currency: list.currency).formatted(language)
            return toggle(words["server.wine.up-to", ["price": .text(shown)]], filter.upTo == price) {
                $0.upTo = $0.upTo == price ? nil : price
            }
        }
        return toggles
    }

    static let fields = Fields<Self> { f in
        f.text("title") { page in
            page.saved.map { $0.place.isEmpty ? page.words["server.wine.list"] : $0.place }
                ?? page.words["server.wine.list"]
        }
        f.optionalText("day") { page in page.saved.map { $0.day.formatted(page.language) } }
        f.optional("problem") { $0.problem }
        f.flag("isSaved") { $0.saved != nil }
        f.flag("isMember") { $0.isMember }
        f.text("scan") { $0.saved?.id.description ?? "" }
        f.text("listAction") { "/wines/scan/list\($0.filter.query)" }
        f.text("removalHref") { page in page.saved.map { "/wine-scans/\($0.id)/removal" } ?? "" }
        f.text("json") { String(decoding: $0.list.list.json, as: UTF8.self) }
        f.flag("isEmpty") { $0.list.entries.isEmpty }
        f.flag("hasNoMatch") { $0.filter.entries($0.list, today: $0.today).isEmpty && !$0.list.entries.isEmpty }
        f.flag("hasNoValues") { $0.list.hasNoValues && !$0.list.entries.isEmpty }
        f.flag("isActive") { $0.filter.isActive }
        f.number("count") { $0.list.entries.count }
        f.number("found") { $0.list.entries.count { $0.wine != nil } }
        f.list("toggles") { $0.toggles }
        f.list("sorts") { page in
            ScanFilter.Sort.allCases.map { sort in
                FilterToggle(
                    label: page.words["server.wine.sort-\(sort.rawValue)"],
                    href: page.href(page.filter.changed { $0.sort = sort }), isOn: page.filter.sort == sort)
            }
        }
        f.list("pages") { page in
            page.list.list.pages.enumerated().map { ScannedPage(number: $0, page: $1) }
        }
        f.list("entries") { page in
            page.filter.entries(page.list, today: page.today).map { ScanEntryRow(entry: $0, page: page) }
        }
    }
}

/// A button or link that switches one filter on or off.
struct FilterToggle: PageModel {
    let label: String
    let href: String
    let isOn: Bool

    static let fields = Fields<Self> { f in
        f.text("label") { $0.label }
        f.text("href") { $0.href }
        f.flag("isOn") { $0.isOn }
    }
}

/// The size of a scanned page, for positioning badges on the picture, which only the browser has.
struct ScannedPage: PageModel {
    let number: Int
    let page: ScannedList.Page

    static let fields = Fields<Self> { f in
        f.number("number") { $0.number }
        f.number("width") { $0.page.width }
        f.number("height") { $0.page.height }
        f.text("corners") { ($0.page.placement?.numbers ?? []).map(String.init).joined(separator: " ") }
    }
}
