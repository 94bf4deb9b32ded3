import Domain

/// Converts days and prices to positions in the plot of a price chart, in tenths of a percent.
struct ChartScale {
    let first: LocalDate
    let last: LocalDate
    let measure: PriceMeasure
    /// The prices at which lines are drawn, in thousandths of a minor unit, highest first.
    let steps: [Int64]
    /// The prices at the bottom and at the top of the plot, in thousandths of a minor unit.
    private let low: Int64
    private let high: Int64

    /// A date on the axis.
    struct DateMark: Equatable {
        enum Form: Equatable { case year, monthAndYear, month, day }

        let day: LocalDate
        let form: Form
        /// Whether the date is shown only on wide screens. Such a date is between two dates that are always shown.
        let isExtra: Bool
    }

    /// The smallest distance between two dates on a screen of 320 pixels, in tenths of a percent; `narrowestOfExtras`
    /// applies to wide screens.
    private static let narrowest = 240
    private static let narrowestOfExtras = 100

    init(
        _ rows: [ShownPrice], _ indices: [Int], by measure: PriceMeasure, from first: LocalDate, to last: LocalDate
    ) {
        var (lowest, highest) = (Int64.max, Int64.min)
        for index in indices {
            let (regular, paid) = (
                measure.regular(rows[index].price).thousandthsOfMinor,
                measure.paid(rows[index].price).thousandthsOfMinor
            )
            lowest = min(lowest, regular, paid)
            highest = max(highest, regular, paid)
        }
        self.init(lowest: lowest, highest: highest, by: measure, from: first, to: last)
    }

    /// - Parameters:
    ///   - lowest: in thousandths of a minor unit, not negative.
    ///   - highest: in thousandths of a minor unit, not negative.
    init(lowest: Int64, highest: Int64, by measure: PriceMeasure, from first: LocalDate, to last: LocalDate) {
        self.first = first
        self.last = last
        self.measure = measure
        // The plot covers at least a third of the highest price, so that a change of one cent looks small. It starts at
        // zero when the lowest price is at most a third of the highest.
        let span = max(highest - lowest, highest / 3, 3_000)
        let margin = (span - (highest - lowest)) / 2
        let bottom = lowest <= highest / 3 ? 0 : max(0, lowest - margin)
        let top = max(highest, bottom + span)
        let step = Self.step((top - bottom) / 4)
        low = bottom / step * step
        high = (top + step - 1) / step * step
        steps = Array(stride(from: high, through: low, by: Int(-step)))
    }

    /// The smallest step of at least `minimum` among 1, 2 and 5 × 10^n whole minor units.
    private static func step(_ minimum: Int64) -> Int64 {
        var power: Int64 = 1_000
        while power < 1_000_000_000_000_000 {
            for factor in [1, 2, 5] as [Int64] where factor * power >= minimum { return factor * power }
            power *= 10
        }
        return power
    }

    /// The first days of months or years at equal intervals. If the displayed range contains fewer than two of these
    /// days, the first and the last day of the range.
    var dates: [DateMark] {
        // Intervals in months.
        let intervals = [1, 2, 3, 6, 12, 24, 36, 60, 120, 240]
        let interval = intervals.first { areSpaced(marks(every: $0), atLeast: Self.narrowest) } ?? 240
        let main = marks(every: interval)
        guard main.count >= 2 else {
            return [DateMark(day: first, form: .day, isExtra: false), DateMark(day: last, form: .day, isExtra: false)]
        }
        let finer = intervals.first {
            $0 < interval && interval % $0 == 0 && areSpaced(marks(every: $0), atLeast: Self.narrowestOfExtras)
        }
        var year: Int?
        return marks(every: finer ?? interval).map { day in
            let isExtra = !main.contains(day)
            defer { if !isExtra { year = day.year } }
            let isYear = interval >= 12 && day.monthNumber == 1
            let form: DateMark.Form = isYear ? .year : isExtra || year == day.year ? .month : .monthAndYear
            return DateMark(day: day, form: form, isExtra: isExtra)
        }
    }

    /// Whether the distance between neighbouring days is at least `distance`.
    private func areSpaced(_ days: [LocalDate], atLeast distance: Int) -> Bool {
        zip(days, days.dropFirst()).allSatisfy { position($1) - position($0) >= distance }
    }

    /// The first day of every `interval`th month in the displayed range, counted from January.
    private func marks(every interval: Int) -> [LocalDate] {
        let start = first == first.month.firstDay ? first.month : first.month.next
        let index = start.year * 12 + start.number - 1
        return stride(
            from: (index + interval - 1) / interval * interval, through: last.year * 12 + last.monthNumber - 1,
            by: interval
        )
        .map { Month(year: $0 / 12, number: $0 % 12 + 1).firstDay }
    }

    /// The horizontal position, between 20 and 980 tenths of a percent.
    func position(_ day: LocalDate) -> Int { 20 + 960 * first.days(to: day) / max(1, first.days(to: last)) }

    /// The horizontal position in percent, as text.
    func x(_ day: LocalDate) -> String { Self.tenths(position(day)) }

    /// The vertical position of a price as text, between 10 (highest) and 86 percent.
    func y(_ thousandths: Int64) -> String {
        Self.tenths(Int(860 - Int128(760) * Int128(thousandths - low) / Int128(high - low)))
    }

    /// The path of a step line: each price applies until the next one.
    func path(_ rows: [ShownPrice], _ indices: [Int]) -> String {
        var path = ""
        var before: Int64?
        for index in indices where !rows[index].price.isOffer || indices.count == 1 || before == nil {
            let amount = measure.regular(rows[index].price).thousandthsOfMinor
            if before == nil {
                path += "M\(x(rows[index].price.day)) \(y(amount))"
            } else if before != amount {
                path += "H\(x(rows[index].price.day))V\(y(amount))"
            }
            before = amount
        }
        if let last = indices.last, before != nil { path += "H\(x(rows[last].price.day))" }
        return path
    }

    /// Formats a position in percent, such as `12.3`. Positions in the plot are never negative.
    static func tenths(_ value: Int) -> String {
        value % 10 == 0 ? String(value / 10) : "\(value / 10).\(value % 10)"
    }
}
