import Domain
import Templates

/// `parts/price-chart`: the regular price as steps, a line for each store, offers as points of their own.
///
/// The plot is 100 wide and 100 high, prices lie between 10 (dearest) and 86 (cheapest).
struct PriceChart: PageModel {
    let sentence: String
    let gridlines: [Gridline]
    let ticks: [Tick]
    let series: [Series]

    struct Gridline: PageModel {
        let y: String
        let label: String

        static let fields = Fields<Self> { f in
            f.text("y") { $0.y }
            f.text("label") { $0.label }
        }
    }

    struct Tick: PageModel {
        let x: String
        let label: String
        let isFirst: Bool
        let isLast: Bool

        static let fields = Fields<Self> { f in
            f.text("x") { $0.x }
            f.text("label") { $0.label }
            f.flag("isFirst") { $0.isFirst }
            f.flag("isLast") { $0.isLast }
        }
    }

    struct Series: PageModel {
        /// 1…6: the colours of the design tokens.
        let number: Int
        let name: String
        let path: String
        let points: [Point]

        static let fields = Fields<Self> { f in
            f.number("number") { $0.number }
            f.text("name") { $0.name }
            f.text("path") { $0.path }
            f.list("points") { $0.points }
        }
    }

    struct Point: PageModel {
        let x: String
        let y: String
        let label: String
        let isOffer: Bool

        static let fields = Fields<Self> { f in
            f.text("x") { $0.x }
            f.text("y") { $0.y }
            f.text("label") { $0.label }
            f.flag("isOffer") { $0.isOffer }
        }
    }

    static let fields = Fields<Self> { f in
        f.text("sentence") { $0.sentence }
        f.list("gridlines") { $0.gridlines }
        f.list("ticks") { $0.ticks }
        f.list("series") { $0.series }
        f.flag("hasOffers") { chart in chart.series.contains { $0.points.contains(where: \.isOffer) } }
    }
}

extension PriceChart {
    /// Nothing unless the prices are of at least two days.
    ///
    /// - Parameter rows: newest first, per one unit; others are left out.
    init?(_ rows: [ShownPrice], words: LanguageTexts, language: Language) {
        guard let newest = rows.first?.price else { return nil }
        let shown = rows.reversed().filter {
            $0.price.regular.unit == newest.regular.unit && $0.price.regular.currency == newest.regular.currency
        }
        guard let oldest = shown.first?.price, oldest.day < newest.day else { return nil }
        let scale = Scale(shown.map(\.price), from: oldest.day, to: newest.day)
        let byStore = Dictionary(grouping: shown, by: \.price.store)
        let stores = byStore.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }.prefix(6)
        series = stores.enumerated().map { index, entry in
            Series(
                number: index + 1, name: entry.value.first?.storeName ?? "",
                path: scale.path(entry.value.map(\.price)),
                points: Self.worthPoints(entry.value).map { row in
                    let isOffer = row.price.isOffer
                    let amount = isOffer ? row.price.paid : row.price.regular
                    let amountText = isOffer ? row.paid : row.regular ?? row.paid
                    return Point(
                        x: scale.x(row.price.day), y: scale.y(amount.thousandthsOfMinor),
                        label: "\(row.storeName), \(row.day): \(amountText)", isOffer: isOffer)
                })
        }
        gridlines = scale.steps.map { step in
            let price = UnitPrice(thousandthsOfMinor: step, currency: newest.regular.currency, per: .piece)
            return Gridline(y: scale.y(step), label: price.shown(language))
        }
        ticks = Self.ticks(scale, words)
        sentence = Self.sentence(shown.map(\.price), words, language)
    }

    /// Offers, and regular prices that are new or the last: the line says that the others stayed the same.
    private static func worthPoints(_ rows: [ShownPrice]) -> [ShownPrice] {
        var before: UnitPrice?
        return rows.enumerated().filter { index, row in
            if row.price.isOffer { return true }
            defer { before = row.price.regular }
            return row.price.regular != before || index == rows.count - 1
        }.map(\.element)
    }

    private static func ticks(_ scale: Scale, _ words: LanguageTexts) -> [Tick] {
        func label(_ day: LocalDate) -> String { "\(words["server.month-short.\(day.monthNumber)"]) \(day.year)" }
        let middle = scale.first.adding(days: scale.first.days(to: scale.last) / 2)
        var ticks = [Tick(x: "0", label: label(scale.first), isFirst: true, isLast: false)]
        if middle.month != scale.first.month, middle.month != scale.last.month {
            ticks.append(Tick(x: "50", label: label(middle), isFirst: false, isLast: false))
        }
        if scale.last.month != scale.first.month {
            ticks.append(Tick(x: "100", label: label(scale.last), isFirst: false, isLast: true))
        }
        return ticks
    }

    /// What the chart shows, in one sentence.
    private static func sentence(
        _ prices: [StoredPrice], _ words: LanguageTexts, _ language: Language
    ) -> String {
        guard let oldest = prices.first, let newest = prices.last else { return "" }
        let amounts = prices.map(\.regular).sorted { $0.thousandthsOfMinor < $1.thousandthsOfMinor }
        let (lowest, highest) = (amounts.first ?? newest.regular, amounts.last ?? newest.regular)
        func month(_ day: LocalDate) -> Value {
            .text("\(words["server.month.\(day.monthNumber)"]) \(day.year)")
        }
        let (from, to) = (oldest.regular.thousandthsOfMinor, newest.regular.thousandthsOfMinor)
        let product = ProductID(high: 0, low: 0)
        let change = PriceChange(from: oldest.observation(of: product), to: newest.observation(of: product))
        let percent = PriceChange.formatted(permille: abs(change?.permille ?? 0), language)
            .filter { $0.isNumber || $0 == "," || $0 == "." }
        let values: [String: Value] = [
            "from": .text(oldest.regular.shown(language)), "fromMonth": month(oldest.day),
            "to": .text(newest.regular.shown(language)), "toMonth": month(newest.day), "percent": .text(percent),
            "low": .text(lowest.shown(language)), "high": .text(highest.shown(language)),
        ]
        let key = to > from ? "rise" : to < from ? "fall" : lowest == highest ? "same" : "back"
        return words["server.chart.\(key)", values]
    }
}

/// Days and prices as places in the plot.
private struct Scale {
    let first: LocalDate
    let last: LocalDate
    /// Prices at which lines are drawn, in thousandths of a minor unit, dearest first.
    let steps: [Int64]
    private let low: Int64
    private let high: Int64

    init(_ prices: [StoredPrice], from first: LocalDate, to last: LocalDate) {
        self.first = first
        self.last = last
        let amounts = prices.flatMap { [$0.regular.thousandthsOfMinor, $0.paid.thousandthsOfMinor] }
        let lowest = amounts.min() ?? 0
        let highest = max(amounts.max() ?? 0, lowest + 1)
        // One of 1, 2, 5 × 10^n, so that two to five lines stand in the plot.
        var step: Int64 = 1_000
        for factor in [2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000, 1_000_000] as [Int64]
        where (highest - lowest) / step > 3 {
            step = factor * 1_000
        }
        low = lowest / step * step
        high = max((highest + step - 1) / step * step, low + step)
        steps = stride(from: high, through: low, by: Int(-step)).prefix(12).map { $0 }
    }

    func x(_ day: LocalDate) -> String { tenths(20 + 960 * first.days(to: day) / max(1, first.days(to: last))) }

    func y(_ thousandths: Int64) -> String {
        tenths(Int(860 - Int128(760) * Int128(thousandths - low) / Int128(high - low)))
    }

    /// Steps: a price holds until the next one is seen.
    func path(_ prices: [StoredPrice]) -> String {
        var path = ""
        var before: Int64?
        for price in prices where !price.isOffer || prices.count == 1 || before == nil {
            let amount = price.regular.thousandthsOfMinor
            if before == nil {
                path += "M\(x(price.day)) \(y(amount))"
            } else if before != amount {
                path += "H\(x(price.day))V\(y(amount))"
            }
            before = amount
        }
        if let last = prices.last, before != nil { path += "H\(x(last.day))" }
        return path
    }

    private func tenths(_ value: Int) -> String {
        DecimalText.format(Int64(value), decimals: 1, minimum: 0, in: .english, isGrouped: false)
    }
}
