/// What becomes of a product's package sizes when printed names come to it or leave it: every day on which it was bought
/// keeps the size that was bought, so that a smaller package shows as such.
extension Collection<PackageSizePeriod> {
    /// The periods to add, or to put in place of those from the same day, when goods of other sizes join.
    ///
    /// - Parameters:
    ///   - joining: each day on which they were bought, with their size then; another base unit is left alone.
    ///   - days: those on which this product was bought: its own size stays.
    package func periods(
        joining: some Sequence<PackageSizePeriod>, keeping days: some Sequence<LocalDate>
    ) -> [PackageSizePeriod] {
        var wanted: [LocalDate: Quantity] = [:]
        for bought in joining where size(on: bought.from)?.unit.base == bought.size.unit.base {
            wanted[bought.from] = bought.size
        }
        for day in days { wanted[day] = size(on: day) }
        let days = wanted.sorted { $0.key < $1.key }.map { PackageSizePeriod(from: $0.key, size: $0.value) }
        guard days.contains(where: { !$0.isSame(as: size(on: $0.from)) }) else { return [] }
        var periods = Array(self)
        var added: [PackageSizePeriod] = []
        for day in days {
            // Before all periods the earliest counts: what comes in front of it is said for each day.
            let isCovered = periods.contains { $0.from <= day.from }
            guard !isCovered || !day.isSame(as: periods.size(on: day.from)) else { continue }
            periods.removeAll { $0.from == day.from }
            periods.append(day)
            added.append(day)
        }
        return added
    }

    /// The days from which periods end with what leaves: only what leaves was bought in them, or they say nothing new
    /// then.
    package func periodsEnding(
        leaving: some Collection<LocalDate>, keeping days: some Collection<LocalDate>,
        staying: Set<LocalDate> = []
    ) -> [LocalDate] {
        let periods = sorted { $0.from < $1.from }
        var kept: [PackageSizePeriod] = []
        var ending: [LocalDate] = []
        for (index, period) in periods.enumerated() {
            let next = index + 1 < periods.count ? periods[index + 1].from : .latest
            func holds(_ day: LocalDate) -> Bool { (index == 0 || day >= period.from) && day < next }
            guard !staying.contains(period.from) else {
                kept.append(period)
                continue
            }
            let wasForOthers = leaving.contains(where: holds) && !days.contains(where: holds)
            // The only size that is known is better than none.
            if wasForOthers && periods.count - ending.count > 1 || !ending.isEmpty && period.isSame(as: kept.last?.size)
            {
                ending.append(period.from)
            } else {
                kept.append(period)
            }
        }
        return ending
    }
}

extension PackageSizePeriod {
    fileprivate func isSame(as other: Quantity?) -> Bool { other.map { size.isSameAmount(as: $0) } ?? false }
}
