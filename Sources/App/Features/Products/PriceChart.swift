import Domain
import Templates

/// The model of the partial `parts/price-chart`: the regular price as a step line for each store, offers as separate
/// points.
///
/// Shows base prices when there are packages of several sizes. Positions in the plot are in percent of its width and
/// height; prices are between 10 (highest) and 86 (lowest).
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
        /// The year below the label.
        let year: String?
        /// Whether this is the first tick. Its label starts at the tick, and the label of the last tick ends at the
        /// tick, so that both stay inside the plot.
        let isFirst: Bool
        let isLast: Bool
        /// Whether the tick is shown only on wide screens.
        let isExtra: Bool

        static let fields = Fields<Self> { f in
            f.text("x") { $0.x }
            f.text("label") { $0.label }
            f.optionalText("year") { $0.year }
            f.flag("isFirst") { $0.isFirst }
            f.flag("isLast") { $0.isLast }
            f.flag("isExtra") { $0.isExtra }
        }
    }

    struct Series: PageModel {
        /// From 1 to 6. Selects a colour and a dash pattern from the design tokens.
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
        /// The price paid for an offer, else the regular price.
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
    /// Returns nil unless there are prices of at least two days.
    ///
    /// - Parameters:
    ///   - rows: newest first. Prices whose currency or unit differs from those of the newest price are left out.
    ///   - hasSizes: whether the prices may be of packages of several sizes.
    init?(_ rows: [ShownPrice], hasSizes: Bool, words: LanguageTexts, language: Language) {
        self.init(rows, by: hasSizes ? nil : .price, words: words, language: language)
    }

    /// - Parameters:
    ///   - rows: newest first. Prices whose currency differs from that of the newest price are left out. Prices whose
    ///     unit differs are left out unless `wanted` is `basePrice`.
    ///   - wanted: the measure; nil to choose it from the prices.
    init?(_ rows: [ShownPrice], by wanted: PriceMeasure?, words: LanguageTexts, language: Language) {
        guard let newest = rows.first?.price else { return nil }
        // Works with indices of the rows, oldest first, because copying hundreds of rows is slow.
        let shown = rows.indices.reversed().filter {
            (wanted == .basePrice || rows[$0].price.regular.unit == newest.regular.unit)
                && rows[$0].price.regular.currency == newest.regular.currency
        }
        guard let oldest = shown.first.map({ rows[$0].price }), oldest.day < newest.day else { return nil }
        let measure = wanted ?? PriceMeasure(shown.lazy.map { rows[$0].price })
        let scale = ChartScale(rows, shown, by: measure, from: oldest.day, to: newest.day)
        let byStore = Dictionary(grouping: shown) { rows[$0].price.store }
        let stores = byStore.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }.prefix(6)
        series = stores.enumerated().map { index, entry in
            Series(
                number: index + 1, name: entry.value.first.map { rows[$0].storeName } ?? "",
                path: scale.path(rows, entry.value),
                points: Self.pointRows(rows, entry.value, measure).map { Point(rows[$0], scale, language) })
        }
        gridlines = scale.steps.map { step in
            let price = UnitPrice(
                thousandthsOfMinor: step, currency: newest.regular.currency,
                per: measure == .basePrice ? measure.regular(newest).unit : .piece)
            return Gridline(y: scale.y(step), label: measure.text(price, language))
        }
        ticks = Self.ticks(scale, words)
        let isRange = wanted == .basePrice
        let amounts = shown.map { index -> UnitPrice in
            let price = rows[index].price
            return isRange && price.isOffer ? measure.paid(price) : measure.regular(price)
        }
        sentence =
            isRange
            ? Self.range(since: oldest.day, amounts, words, language)
            : Self.sentence(from: oldest, to: newest, amounts, measure, words, language)
    }

    /// The indices of the rows that get a point: offers, changed regular prices, and the last one. For other rows, the
    /// horizontal line already shows that the price stayed the same.
    private static func pointRows(_ rows: [ShownPrice], _ indices: [Int], _ measure: PriceMeasure) -> [Int] {
        var before: UnitPrice?
        return indices.filter { index in
            if rows[index].price.isOffer { return true }
            let regular = measure.regular(rows[index].price)
            defer { before = regular }
            return regular != before || index == indices.last
        }
    }

    private static func ticks(_ scale: ChartScale, _ words: LanguageTexts) -> [Tick] {
        scale.dates.map { date in
            let name = words["server.month-short.\(date.day.monthNumber)"]
            let label =
                switch date.form {
                case .year: String(date.day.year)
                case .month, .monthAndYear: name
                case .day: words["server.chart.day", ["day": .text(String(date.day.day)), "month": .text(name)]]
                }
            let place = scale.position(date.day)
            return Tick(
                x: ChartScale.tenths(place), label: label,
                year: date.form == .monthAndYear || date.form == .day ? String(date.day.year) : nil,
                isFirst: date.form == .day && place < 500, isLast: place > 940 || date.form == .day && place > 500,
                isExtra: date.isExtra)
        }
    }

    /// A sentence with the range of the prices, for several stores or products. Includes offers, as the chart does.
    private static func range(
        since day: LocalDate, _ amounts: [UnitPrice], _ words: LanguageTexts, _ language: Language
    ) -> String {
        let sorted = amounts.sorted { $0.thousandthsOfMinor < $1.thousandthsOfMinor }
        return words[
            "server.chart.range",
            [
                "fromMonth": .text("\(words["server.month.\(day.monthNumber)"]) \(day.year)"),
                "low": .text(sorted.first?.shownAsBase(language) ?? ""),
                "high": .text(sorted.last?.shownAsBase(language) ?? ""),
            ]]
    }

    /// A sentence about the regular prices, from the first to the last one. Contains days if both prices are of the
    /// same month, else months.
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
            "fromDay": .text(oldest.day.formatted(language)), "toDay": .text(newest.day.formatted(language)),
        ]
        let isOneMonth = oldest.day.month == newest.day.month
        let key =
            if to > from {
                isOneMonth ? "rise-days" : "rise"
            } else if to < from {
                isOneMonth ? "fall-days" : "fall"
            } else if lowest == highest {
                "same"
            } else {
                isOneMonth ? "back-days" : "back"
            }
        return words["server.chart.\(key)", values]
    }
}

extension PriceChart.Point {
    fileprivate init(_ row: ShownPrice, _ scale: ChartScale, _ language: Language) {
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
