import Domain
import Templates

/// `parts/price-chart`: the regular price as steps, a line for each store, offers as points of their own.
///
/// By base price where packages of several sizes are among them. The plot is 100 wide and 100 high, prices lie between 10 (dearest) and 86 (cheapest).
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
        let storeName: String
        let day: String
        /// What was paid in offers, else what it cost without them.
        let price: String
        let isOffer: Bool

        static let fields = Fields<Self> { f in
            f.text("x") { $0.x }
            f.text("y") { $0.y }
            f.text("storeName") { $0.storeName }
            f.text("day") { $0.day }
            f.text("price") { $0.price }
            f.flag("isOffer") { $0.isOffer }
        }
    }

    static let fields = Fields<Self> { f in
        f.text("sentence") { $0.sentence }
        f.list("gridlines") { $0.gridlines }
        // `12,50 €` is short, `1,25 €/kg` is long.
        f.flag("hasLongFigures") { chart in chart.gridlines.contains { $0.label.count > 7 } }
        f.list("ticks") { $0.ticks }
        f.list("series") { $0.series }
        f.flag("hasOffers") { chart in chart.series.contains { $0.points.contains(where: \.isOffer) } }
    }
}

extension PriceChart {
    /// Nothing unless the prices are of at least two days.
    ///
    /// - Parameters:
    ///   - rows: newest first, per one unit; others are left out.
    ///   - hasSizes: whether packages of several sizes can be among them.
    init?(_ rows: [ShownPrice], hasSizes: Bool, words: LanguageTexts, language: Language) {
        guard let newest = rows.first?.price else { return nil }
        // Places among the rows, oldest first: copies of hundreds of rows cost more than all the rest.
        let shown = rows.indices.reversed().filter {
            rows[$0].price.regular.unit == newest.regular.unit
                && rows[$0].price.regular.currency == newest.regular.currency
        }
        guard let oldest = shown.first.map({ rows[$0].price }), oldest.day < newest.day else { return nil }
        let measure = hasSizes ? PriceMeasure(shown.lazy.map { rows[$0].price }) : .price
        let scale = Scale(rows, shown, by: measure, from: oldest.day, to: newest.day)
        let byStore = Dictionary(grouping: shown) { rows[$0].price.store }
        let stores = byStore.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }.prefix(6)
        series = stores.enumerated().map { index, entry in
            Series(
                number: index + 1, name: entry.value.first.map { rows[$0].storeName } ?? "",
                path: scale.path(rows, entry.value),
                points: Self.worthPoints(rows, entry.value, measure).map { Point(rows[$0], scale, language) })
        }
        gridlines = scale.steps.map { step in
            let price = UnitPrice(
                thousandthsOfMinor: step, currency: newest.regular.currency,
                per: measure == .basePrice ? measure.regular(newest).unit : .piece)
            return Gridline(y: scale.y(step), label: measure.text(price, language))
        }
        ticks = Self.ticks(scale, words)
        let amounts = shown.map { measure.regular(rows[$0].price) }
        sentence = Self.sentence(from: oldest, to: newest, amounts, measure, words, language)
    }

    /// Offers, and regular prices that are new or the last: the line says that the others stayed the same.
    private static func worthPoints(_ rows: [ShownPrice], _ places: [Int], _ measure: PriceMeasure) -> [Int] {
        var before: UnitPrice?
        return places.filter { place in
            if rows[place].price.isOffer { return true }
            let regular = measure.regular(rows[place].price)
            defer { before = regular }
            return regular != before || place == places.last
        }
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
        from oldest: StoredPrice, to newest: StoredPrice, _ amounts: [UnitPrice], _ measure: PriceMeasure,
        _ words: LanguageTexts, _ language: Language
    ) -> String {
        let (first, last) = (measure.regular(oldest), measure.regular(newest))
        let lowest = amounts.min { $0.thousandthsOfMinor < $1.thousandthsOfMinor } ?? last
        let highest = amounts.max { $0.thousandthsOfMinor < $1.thousandthsOfMinor } ?? last
        func month(_ day: LocalDate) -> Value {
            .text("\(words["server.month.\(day.monthNumber)"]) \(day.year)")
        }
        let (from, to) = (first.thousandthsOfMinor, last.thousandthsOfMinor)
        let percent = PriceChange.formatted(permille: abs(PriceChange.permille(from: from, to: to) ?? 0), language)
            .filter { $0.isNumber || $0 == "," || $0 == "." }
        let values: [String: Value] = [
            "from": .text(measure.text(first, language)), "fromMonth": month(oldest.day),
            "to": .text(measure.text(last, language)), "toMonth": month(newest.day), "percent": .text(percent),
            "low": .text(measure.text(lowest, language)), "high": .text(measure.text(highest, language)),
        ]
        let key = to > from ? "rise" : to < from ? "fall" : lowest == highest ? "same" : "back"
        return words["server.chart.\(key)", values]
    }
}

extension PriceChart.Point {
    fileprivate init(_ row: ShownPrice, _ scale: Scale, _ language: Language) {
        isOffer = row.price.isOffer
        x = scale.x(row.price.day)
        let (measure, shown) = (scale.measure, row.price)
        y = scale.y((isOffer ? measure.paid(shown) : measure.regular(shown)).thousandthsOfMinor)
        storeName = row.storeName
        day = row.day
        price =
            switch measure {
            case .price: isOffer ? row.paid : row.regular ?? row.paid
            case .basePrice: measure.text(isOffer ? measure.paid(shown) : measure.regular(shown), language)
            }
    }
}

/// Days and prices as places in the plot.
private struct Scale {
    let first: LocalDate
    let last: LocalDate
    let measure: PriceMeasure
    /// Prices at which lines are drawn, in thousandths of a minor unit, dearest first.
    let steps: [Int64]
    private let low: Int64
    private let high: Int64

    init(
        _ rows: [ShownPrice], _ places: [Int], by measure: PriceMeasure, from first: LocalDate, to last: LocalDate
    ) {
        self.first = first
        self.last = last
        self.measure = measure
        var (lowest, highest) = (Int64.max, Int64.min)
        for place in places {
            let (regular, paid) = (
                measure.regular(rows[place].price).thousandthsOfMinor,
                measure.paid(rows[place].price).thousandthsOfMinor
            )
            lowest = min(lowest, regular, paid)
            highest = max(highest, regular, paid)
        }
        highest = max(highest, lowest + 1)
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
    func path(_ rows: [ShownPrice], _ places: [Int]) -> String {
        var path = ""
        var before: Int64?
        for place in places where !rows[place].price.isOffer || places.count == 1 || before == nil {
            let amount = measure.regular(rows[place].price).thousandthsOfMinor
            if before == nil {
                path += "M\(x(rows[place].price.day)) \(y(amount))"
            } else if before != amount {
                path += "H\(x(rows[place].price.day))V\(y(amount))"
            }
            before = amount
        }
        if let last = places.last, before != nil { path += "H\(x(rows[last].price.day))" }
        return path
    }

    /// Places in the plot are never negative.
    private func tenths(_ value: Int) -> String {
        value % 10 == 0 ? String(value / 10) : "\(value / 10).\(value % 10)"
    }
}
