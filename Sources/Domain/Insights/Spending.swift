/// Money spent in one month against the month before, in all and by category.
package struct Spending: Sendable {
    /// One line of a receipt or an expense without paper.
    package struct Entry: Sendable {
        package let day: LocalDate
        package let category: CategoryID?
        package let amount: Money

        package init(day: LocalDate, category: CategoryID?, amount: Money) {
            self.day = day
            self.category = category
            self.amount = amount
        }
    }

    package struct Share: Hashable, Sendable {
        /// Nothing for what has no category.
        package let category: CategoryID?
        package let amount: Money
        package let before: Money
        package var difference: Money {
            Money(minorUnits: amount.minorUnits - before.minorUnits, currency: amount.currency)
        }
    }

    package let month: Month
    package let total: Money
    package let before: Money
    /// Largest first; categories of either month.
    package let shares: [Share]

    /// - Parameter sameDaysOnly: compare with the same days of the month before while the month is not over.
    /// - Throws: `mismatch` for amounts of another currency, `outOfRange` when a sum does not fit.
    package init(
        entries: some Sequence<Entry>, month: Month, asOf today: LocalDate, sameDaysOnly: Bool = true,
        currency: Currency = .eur
    ) throws(NumberError) {
        let lastDay = sameDaysOnly && today.month == month ? today.day : 31
        var amounts: [CategoryID?: (now: Money, before: Money)] = [:]
        var total = Money.zero(currency)
        var before = Money.zero(currency)
        for entry in entries {
            let known = amounts[entry.category] ?? (.zero(currency), .zero(currency))
            if entry.day.month == month {
                total = try total + entry.amount
                amounts[entry.category] = (try known.now + entry.amount, known.before)
            } else if entry.day.month == month.previous, entry.day.day <= lastDay {
                before = try before + entry.amount
                amounts[entry.category] = (known.now, try known.before + entry.amount)
            }
        }
        self.month = month
        self.total = total
        self.before = before
        shares = amounts.map { Share(category: $0.key, amount: $0.value.now, before: $0.value.before) }.sorted {
            ($0.amount.minorUnits, $0.before.minorUnits, $1.category.map(\.description) ?? "")
                > ($1.amount.minorUnits, $1.before.minorUnits, $0.category.map(\.description) ?? "")
        }
    }
}
