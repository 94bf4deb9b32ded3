import Domain
import Templates

extension OverviewPage {
    /// The household's own inflation; if there are too few products to compute it, the number of these products.
    struct Inflation: PageModel {
        private let known: HouseholdInflation?
        private let matchedCount: Int
        private let currency: Currency
        private let days: DayText

        init(matched: [HouseholdInflation.MatchedProduct], currency: Currency, days: DayText) {
            known = HouseholdInflation(matched)
            matchedCount = HouseholdInflation.count(matched)
            self.currency = currency
            self.days = days
        }

        private func money(_ minorUnits: Int64) -> String {
            Money(minorUnits: minorUnits, currency: currency).formatted(days.language)
        }

        private func day(daysAgo: Int) -> String { days.short(days.today.adding(days: -daysAgo)) }

        static let fields = Fields<Self> { f in
            f.flag("isKnown") { $0.known != nil }
            f.optional("change") { page in
                page.known.map { Change(permille: $0.permille, language: page.days.language) }
            }
            f.text("before") { page in page.known.map { page.money($0.costBefore) } ?? "" }
            f.text("now") { page in page.known.map { page.money($0.costNow) } ?? "" }
            f.number("count") { $0.known?.productCount ?? $0.matchedCount }
            f.number("fewest") { _ in HouseholdInflation.minimumProducts }
            f.text("from") { $0.day(daysAgo: HouseholdInflation.windowDays - 1) }
            f.text("fromBefore") { page in
                page.day(daysAgo: HouseholdInflation.distance + HouseholdInflation.windowDays - 1)
            }
            f.text("toBefore") { $0.day(daysAgo: HouseholdInflation.distance) }
        }
    }
}
