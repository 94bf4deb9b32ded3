import Domain
import Templates

/// The model of the view `wines/settings`.
struct WineSettingsPage: PageModel {
    let preferred: String
    let critics: [String]
    /// The usage counts, by raw value of `WineCounters.Name`.
    let counters: [String: (all: Int64, month: Int64, today: Int64)]
    let wineCount: Int64
    let plan: WinePlan
    let isMember: Bool
    let isOwner: Bool
    let words: LanguageTexts
    let language: Language

    private func number(_ value: Int64) -> String { DecimalText.format(value, decimals: 0, minimum: 0, in: language) }

    private func limit(_ used: Int64, _ maximum: Int64?) -> String {
        guard let maximum else { return words["server.wine.limit-none", ["used": .number(number(used))]] }
        return words["server.wine.limit", ["used": .number(number(used)), "most": .number(number(maximum))]]
    }

    /// The percentage of all entries that were matched with a wine; nil without entries.
    private var matchRate: Int64? {
        guard let entries = counters["entries"]?.all, entries > 0 else { return nil }
        return (counters["found"]?.all ?? 0) * 100 / entries
    }

    static let fields = Fields<Self> { f in
        f.flag("isMember") { $0.isMember }
        f.flag("isOwner") { $0.isOwner }
        f.list("critics") { page in
            [Choice(value: "", label: page.words["server.wine.highest"], isSelected: page.preferred.isEmpty)]
                + (page.critics
                + (page.critics.contains(page.preferred) || page.preferred.isEmpty ? [] : [page.preferred]))
                .map { Choice(value: $0, label: $0, isSelected: $0 == page.preferred) }
        }
        f.text("scans") { $0.limit($0.counters["scans"]?.today ?? 0, $0.plan.scansADay) }
        f.text("wines") { $0.limit($0.wineCount, $0.plan.maximumWines) }
        f.flag("hasLive") { $0.plan.hasLive }
        f.list("counters") { page in
            WineCounters.Name.allCases.map { name in
                WineCounterRow(
                    label: page.words["server.wine.counter-\(name.rawValue)"],
                    month: page.number(page.counters[name.rawValue]?.month ?? 0),
                    all: page.number(page.counters[name.rawValue]?.all ?? 0))
            }
        }
        f.optionalText("matchRate") { page in page.matchRate.map { page.number($0) } }
    }
}

/// A counter in the table that owners see.
struct WineCounterRow: PageModel {
    let label: String
    /// The count of the last 30 days.
    let month: String
    /// The count since the household was created.
    let all: String

    static let fields = Fields<Self> { f in
        f.text("label") { $0.label }
        f.text("month") { $0.month }
        f.text("all") { $0.all }
    }
}
