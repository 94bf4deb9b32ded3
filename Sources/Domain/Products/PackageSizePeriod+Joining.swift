/// Computes the changes of a product's package sizes when printed names are matched to it or removed. Every day with a
/// purchase keeps the size that was bought, so that a smaller package stays visible.
extension Collection<PackageSizePeriod> {
    /// The periods to add or replace when purchases of other sizes are added.
    ///
    /// - Parameters:
    ///   - joining: the added purchases, each with its day and its size. Sizes with another base unit are ignored.
    ///   - days: the days on which this product was bought. They keep their sizes.
    package func periods(
        joining: some Sequence<PackageSizePeriod>, keeping days: some Sequence<LocalDate>
    ) -> [PackageSizePeriod] {
        var sizeByDay: [LocalDate: Quantity] = [:]
        for bought in joining where size(on: bought.from)?.unit.base == bought.size.unit.base {
            sizeByDay[bought.from] = bought.size
        }
        for day in days { sizeByDay[day] = size(on: day) }
        let days = sizeByDay.sorted { $0.key < $1.key }.map { PackageSizePeriod(from: $0.key, size: $0.value) }
        guard days.contains(where: { !$0.isSame(as: size(on: $0.from)) }) else { return [] }
        var periods = Array(self)
        var added: [PackageSizePeriod] = []
        for day in days {
            // A day before all periods has the size of the first period. It always gets its own period. Otherwise, the
            // next day could add a period that becomes the first one, and so change the size of this day.
            let isCovered = periods.contains { $0.from <= day.from }
            guard !isCovered || !day.isSame(as: periods.size(on: day.from)) else { continue }
            periods.removeAll { $0.from == day.from }
            periods.append(day)
            added.append(day)
        }
        return added
    }

    /// The first days of the periods to remove when purchases are removed: periods with removed purchases only, and
    /// periods that would then repeat the size of the period before.
    ///
    /// - Parameters:
    ///   - leaving: the days of the removed purchases.
    ///   - days: the days of the remaining purchases.
    ///   - staying: first days of periods that must not be removed.
    package func periodsToRemove(
        leaving: some Collection<LocalDate>, keeping days: some Collection<LocalDate>,
        staying: Set<LocalDate> = []
    ) -> [LocalDate] {
        let periods = sorted { $0.from < $1.from }
        var kept: [PackageSizePeriod] = []
        var removed: [LocalDate] = []
        for (index, period) in periods.enumerated() {
            let next = index + 1 < periods.count ? periods[index + 1].from : .latest
            func isInPeriod(_ day: LocalDate) -> Bool { (index == 0 || day >= period.from) && day < next }
            guard !staying.contains(period.from) else {
                kept.append(period)
                continue
            }
            let hasOnlyRemoved = leaving.contains(where: isInPeriod) && !days.contains(where: isInPeriod)
            let repeatsSize = !removed.isEmpty && period.isSame(as: kept.last?.size)
            // The last remaining period is never removed.
            if hasOnlyRemoved && periods.count - removed.count > 1 || repeatsSize {
                removed.append(period.from)
            } else {
                kept.append(period)
            }
        }
        return removed
    }
}

extension PackageSizePeriod {
    fileprivate func isSame(as other: Quantity?) -> Bool { other.map { size.isSameAmount(as: $0) } ?? false }
}
