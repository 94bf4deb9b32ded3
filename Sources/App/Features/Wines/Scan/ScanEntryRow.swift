import Domain
import HTTP
import Recognition
import Templates
import Wines

/// An entry of a scanned list with its matched wine.
struct ScanEntryRow: PageModel {
    let entry: MatchedList.Entry
    let page: ScanPage

    private var words: LanguageTexts { page.words }
    private var printed: WineListEntry { entry.printed }

    private func price(_ minor: Int, _ currency: String?) -> String {
        Amount(minorUnits: Int64(minor), currency: currency.flatMap { CurrencyCode($0) } ?? page.list.home)
            .formatted(page.language)
    }

    private var alternatives: [ScanAlternative] {
        page.list.alternatives(to: entry).compactMap { (other: MatchedList.Entry) -> ScanAlternative? in
            guard let wine = other.wine, let points = wine.points, let cost = other.bottlePrice else { return nil }
            return ScanAlternative(
                title: wine.title, href: "/wines/\(wine.id)", price: price(cost.minor, cost.currency),
                badge: ScoreBadge(points: points, words: words))
        }
    }

    private var value: String? {
        entry.rank.map { rank in
            words[
                rank.isBest ? "server.wine.value-best" : "server.wine.value",
                ["share": .number(String(rank.share / 10)), "count": .number(String(rank.comparedCount))]]
        }
    }

    /// Prices to compare with the list's prices: the release price, and the price that the household last paid.
    private var otherPrices: String? {
        guard let wine = entry.wine else { return nil }
        let prices = [("released", wine.releasePrice), ("paid", page.isMember ? page.paid[wine.id] : nil)]
        let texts = prices.compactMap { key, price in
            price.map { words["server.wine.price-\(key)", ["price": .text($0.formatted(page.language))]] }
        }
        return texts.isEmpty ? nil : texts.joined(separator: " · ")
    }

    static let fields = Fields<Self> { f in
        f.number("number") { $0.entry.number }
        f.text("text") { $0.printed.text }
        f.text("title") { row in row.entry.wine?.title ?? row.printed.text }
        f.flag("hasWine") { $0.entry.wine != nil }
        f.optionalText("href") { row in row.entry.wine.map { "/wines/\($0.id)" } }
        f.text("newHref") { "/wines/new?name=\(PercentCoding.encode($0.printed.text))" }
        f.text("searchHref") { "/wines?search=\(PercentCoding.encode($0.printed.text.cut(to: TextLimit.search)))" }
        f.optional("badge") { row in row.entry.wine?.points.map { ScoreBadge(points: $0, words: row.words) } }
        f.flag("isUnsure") { $0.entry.wine != nil && !$0.entry.isSure }
        f.flag("isUnknown") { $0.entry.wine == nil }
        f.optionalText("otherVintage") { row in
            row.entry.otherVintage.map { row.words["server.wine.other-vintage", ["year": .number(String($0))]] }
        }
        f.text("detail") { row in
            let wine = row.entry.wine
            let colour = wine?.colour ?? row.printed.color
            let region = wine.map(\.region).flatMap { $0.isEmpty ? nil : $0 } ?? row.printed.region
            let window = wine?.window(row.page.today) ?? .unknown
            return [
                colour.map { row.words["server.wine.colour-\($0.rawValue)"] }, region,
                window == .unknown
                    ? nil : window.text(from: wine?.drinkFrom, until: wine?.drinkUntil, row.words),
            ].compactMap { $0 }.joined(separator: " · ")
        }
        f.list("prices") { row in
            row.printed.prices.map {
                ScanPriceRow(
                    size: $0.size.map { WineSize.text($0, row.page.language) }
                        ?? row.words["server.wine.serving-\($0.serving.rawValue)"],
                    price: row.price($0.amount, $0.currency))
            }
        }
        f.optionalText("value") { $0.value }
        f.optionalText("otherPrices") { $0.otherPrices }
        f.flag("isBest") { $0.entry.rank?.isBest ?? false }
        f.list("candidates") { row in
            row.entry.candidates.filter { $0.wine.id != row.entry.wine?.id }.map {
                ScanCandidate(
                    title: $0.wine.title, decision: "\(row.entry.number):is:\($0.wine.id)",
                    badge: $0.wine.points.map { ScoreBadge(points: $0, words: row.words) })
            }
        }
        f.list("alternatives") { $0.alternatives }
        f.text("refusal") { row in row.entry.wine.map { "\(row.entry.number):not:\($0.id)" } ?? "" }
        f.text("confirmation") { row in row.entry.wine.map { "\(row.entry.number):is:\($0.id)" } ?? "" }
        // The position of the badge on the picture.
        f.number("page") { $0.printed.page }
        f.number("x") { $0.printed.textBox.x }
        f.number("y") { $0.printed.textBox.y }
        f.number("width") { $0.printed.textBox.width }
        f.number("height") { $0.printed.textBox.height }
    }
}

/// The price of one bottle or glass size.
struct ScanPriceRow: PageModel {
    let size: String
    let price: String

    static let fields = Fields<Self> { f in
        f.text("size") { $0.size }
        f.text("price") { $0.price }
    }
}

/// A possible wine for an entry.
struct ScanCandidate: PageModel {
    let title: String
    /// The value of the button `decision`.
    let decision: String
    let badge: ScoreBadge?

    static let fields = Fields<Self> { f in
        f.text("title") { $0.title }
        f.text("decision") { $0.decision }
        f.optional("badge") { $0.badge }
    }
}

/// A similar wine of the list with a higher score.
struct ScanAlternative: PageModel {
    let title: String
    let href: String
    let price: String
    let badge: ScoreBadge

    static let fields = Fields<Self> { f in
        f.text("title") { $0.title }
        f.text("href") { $0.href }
        f.text("price") { $0.price }
        f.model("badge") { $0.badge }
    }
}
