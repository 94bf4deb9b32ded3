import Domain
import HTTP
import Wines

/// The filter and the sort order of a list's entries, read from the query string.
struct ScanFilter: Sendable, Equatable {
    enum Sort: String, Sendable, CaseIterable {
        /// The order of the printed list.
        case printed
        case score, price, value
    }

    /// Only entries whose wine has at least this score: 90, 85, or nil for all.
    var points: Int?
    /// Whether only wines that are ready to drink are shown.
    var onlyReady = false
    /// Whether only the entries of the best value are shown.
    var onlyBestValue = false
    var colours: Set<WineColor> = []
    /// The highest price of a bottle, in whole units of the list's currency. Prices in other currencies do not match.
    var upTo: Int?
    var sort = Sort.printed

    init() {}

    init(_ head: RequestHead) {
        points = head.query("points").flatMap { Int($0) }.flatMap { [85, 90].contains($0) ? $0 : nil }
        onlyReady = head.query("ready") != nil
        onlyBestValue = head.query("value") != nil
        colours = Set(
            (head.query("colours") ?? "").split(separator: ",").compactMap { WineColor(rawValue: String($0)) })
        upTo = head.query("up-to").flatMap { Int($0) }.flatMap { (1...100_000).contains($0) ? $0 : nil }
        sort = head.query("sort").flatMap(Sort.init(rawValue:)) ?? .printed
    }

    var isActive: Bool { self != ScanFilter(sort: sort) }

    private init(sort: Sort) { self.sort = sort }

    /// The query string, including `?`; empty if all entries are shown in the order of the printed list.
    var query: String {
        var pairs: [String] = []
        if let points { pairs.append("points=\(points)") }
        if onlyReady { pairs.append("ready=1") }
        if onlyBestValue { pairs.append("value=1") }
        let names = WineColor.allCases.filter(colours.contains).map(\.rawValue)
        if !names.isEmpty { pairs.append("colours=\(names.joined(separator: ","))") }
        if let upTo { pairs.append("up-to=\(upTo)") }
        if sort != .printed { pairs.append("sort=\(sort.rawValue)") }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }

    /// Returns a copy with a change.
    func changed(by change: (inout ScanFilter) -> Void) -> ScanFilter {
        var filter = self
        change(&filter)
        return filter
    }

    func entries(_ list: MatchedList, today: LocalDate) -> [MatchedList.Entry] {
        let shown = list.entries.filter { allows($0, list, today) }
        switch sort {
        case .printed: return shown
        case .score: return Self.sorted(shown) { $0.wine?.points.map { -$0 } }
        case .price: return Self.sortedByPrice(shown, list)
        case .value: return Self.sorted(shown) { $0.rank.map { -$0.share } }
        }
    }

    /// Sorts in ascending order; entries without a value come last, in the order of the list.
    private static func sorted(_ entries: [MatchedList.Entry], _ value: (MatchedList.Entry) -> Int?) -> [MatchedList
        .Entry]
    {
        entries.sorted { (value($0) ?? .max, $0.number) < (value($1) ?? .max, $1.number) }
    }

    /// Sorts by price in the list's currency. Prices in other currencies come after these, by currency.
    private static func sortedByPrice(_ entries: [MatchedList.Entry], _ list: MatchedList) -> [MatchedList.Entry] {
        let groups = Dictionary(grouping: entries) { $0.price(home: list.home)?.currency }
        let currencies = groups.keys.compactMap(\.self).filter { $0 != list.currency }.sorted()
        let order: [CurrencyCode?] = [list.currency] + currencies.map { .some($0) } + [nil]
        return order.flatMap { currency in
            sorted(groups[currency] ?? []) { $0.price(home: list.home).map { Int($0.minorUnits) } }
        }
    }

    private func allows(_ entry: MatchedList.Entry, _ list: MatchedList, _ today: LocalDate) -> Bool {
        if let points, (entry.wine?.points ?? -1) < points { return false }
        if onlyReady, entry.wine?.window(today) != .ready { return false }
        if onlyBestValue, entry.rank?.isBest != true { return false }
        if !colours.isEmpty {
            guard let colour = entry.wine?.colour ?? entry.printed.color, colours.contains(colour) else { return false }
        }
        if let upTo {
            guard let price = entry.price(home: list.home), price.currency == list.currency else { return false }
            if price.minorUnits > Amount(units: upTo, currency: list.currency).minorUnits { return false }
        }
        return true
    }
}
