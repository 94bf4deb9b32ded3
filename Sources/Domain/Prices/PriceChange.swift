/// The change of a product's regular price at one chain between two observations.
package struct PriceChange: Hashable, Sendable {
    package let earlier: PriceObservation
    package let later: PriceObservation
    /// The change of the regular price in tenths of a percent: 1,00 → 1,10 is 100.
    package let permille: Int
    /// The change per base unit. Differs from `permille` when the package size changed.
    package let basePermille: Int?

    /// The change that pages show: per base unit if the package size changed, otherwise of the price.
    package var shownPermille: Int {
        let isOtherPackage = UnitPrice.haveDifferentPackageSizes(
            (earlier.regular, earlier.regularBase), (later.regular, later.regularBase))
        return isOtherPackage ? basePermille ?? permille : permille
    }

    /// The maximum age of the newest price, in days. It is also the minimum time in days between the compared prices,
    /// unless all other prices are newer.
    package static let days = 90
    /// The maximum number of days between the two prices. It is unknown whether a change from an older price is recent.
    package static let maximumDaysBetween = 365

    /// The changes of products bought in the last `days`, the largest first. Unchanged prices are omitted.
    ///
    /// Compares regular prices of the same product at the same chain and in the same currency: the newest price and the
    /// last price that is at least `days` and at most `maximumDaysBetween` days older. If there is none, uses the first
    /// price in the `days` before the newest. If a day has several prices, `isNewer(than:)` chooses one.
    package static func changes(in observations: [PriceObservation], asOf today: LocalDate) -> [PriceChange] {
        var history: [ProductAtChain: [PriceObservation]] = [:]
        for observation in observations where observation.day <= today {
            let key = ProductAtChain(product: observation.product, chain: observation.chain)
            history[key, default: []].append(observation)
        }
        return history.values.compactMap { unsorted in
            guard let later = unsorted.max(by: { $1.isNewer(than: $0) }), later.day > today.adding(days: -days) else {
                return nil
            }
            let comparable = unsorted.filter { $0.regular.currency == later.regular.currency }
            let byDay = Dictionary(comparable.map { ($0.day, $0) }) { $1.isNewer(than: $0) ? $1 : $0 }
            let sorted = byDay.values.sorted { $0.day < $1.day }
            let (oldest, start) = (later.day.adding(days: -maximumDaysBetween), later.day.adding(days: -days))
            guard
                let earlier = sorted.last(where: { $0.day <= start && $0.day >= oldest })
                    ?? sorted.first(where: { $0.day > start && $0.day < later.day })
            else { return nil }
            return PriceChange(from: earlier, to: later)
        }
        .sorted {
            ($0.strength, $1.later.product) > ($1.strength, $0.later.product)
        }
    }

    /// Nil when the price did not change, or the two prices cannot be compared.
    package init?(from earlier: PriceObservation, to later: PriceObservation) {
        guard let permille = Self.permille(earlier.regular, later.regular) else { return nil }
        let basePermille = earlier.regularBase.flatMap { base in
            later.regularBase.flatMap { Self.permille(base, $0) }
        }
        guard permille != 0 || basePermille ?? 0 != 0 else { return nil }
        self.earlier = earlier
        self.later = later
        self.permille = permille
        self.basePermille = basePermille
    }

    private struct ProductAtChain: Hashable {
        let product: ProductID
        let chain: ChainID
    }

    /// The magnitude by which changes are sorted.
    private var strength: Int { abs(shownPermille) }

    private static func permille(_ earlier: UnitPrice, _ later: UnitPrice) -> Int? {
        guard earlier.unit == later.unit, earlier.currency == later.currency else { return nil }
        return permille(from: earlier.thousandthsOfMinor, to: later.thousandthsOfMinor)
    }

    /// The change between two amounts in tenths of a percent, rounded half away from zero. Nil when `earlier` is not
    /// positive.
    package static func permille(from earlier: Int64, to later: Int64) -> Int? {
        guard earlier > 0 else { return nil }
        let difference = Int128(later) - Int128(earlier)
        return (try? roundedQuotient(difference * 1_000, Int128(earlier))).flatMap { Int(exactly: $0) }
    }

    /// `+10,0 %`, `-3,5 %`.
    package static func formatted(permille: Int, _ language: Language = .german) -> String {
        let figure = DecimalText.format(Int64(permille), decimals: 1, minimum: 1, in: language)
        return "\(permille > 0 ? "+" : "")\(figure)\(language == .german ? "\u{A0}%" : "%")"
    }
}
