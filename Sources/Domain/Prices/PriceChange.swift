/// How the regular price of one product at one chain moved between two observations.
package struct PriceChange: Hashable, Sendable {
    /// What the later one is compared with.
    package let earlier: PriceObservation
    /// The newest one.
    package let later: PriceObservation
    /// Change of the regular price in tenths of a percent: 1,00 → 1,10 is 100.
    package let permille: Int
    /// Change per base unit; differs from `permille` when the package changed.
    package let basePermille: Int?

    /// What is said of it: the change per base unit where the package is another one, else that of the price.
    package var telling: Int {
        let isOtherPackage = UnitPrice.areOfOtherPackages(
            (earlier.regular, earlier.regularBase), (later.regular, later.regularBase))
        return isOtherPackage ? basePermille ?? permille : permille
    }

    /// The same costs more.
    package var isDearer: Bool { telling > 0 }
    /// The same costs less.
    package var isCheaper: Bool { telling < 0 }
    /// The package shrank, and with it the price did not fall as much: `(base price up more than the price)`.
    package var isShrinkage: Bool { (basePermille ?? 0) > 0 && (basePermille ?? 0) >= permille + 10 }

    /// The newest price of a change is not older than so many days.
    package static let days = 90
    /// The price that it is compared with is at most so many days older: what cost less years ago did not get dearer now.
    package static let reach = 365

    /// What changed in the last `days`, the strongest first; prices that stayed are left out.
    ///
    /// Compared are regular prices of the same product at the same chain: the newest with the last one from before the
    /// window that is within `reach`, or the first inside it when there is none. A day has one price, by `isNewer(than:)`.
    package static func changes(in observations: [PriceObservation], asOf today: LocalDate) -> [PriceChange] {
        let start = today.adding(days: -days)
        var history: [Shelf: [PriceObservation]] = [:]
        for observation in observations where observation.day <= today {
            history[Shelf(product: observation.product, chain: observation.chain), default: []].append(observation)
        }
        return history.values.compactMap { unsorted in
            let byDay = Dictionary(unsorted.map { ($0.day, $0) }) { $1.isNewer(than: $0) ? $1 : $0 }
            let sorted = byDay.values.sorted { $0.day < $1.day }
            guard let later = sorted.last, later.day > start else { return nil }
            let oldest = later.day.adding(days: -reach)
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

    /// Nothing when nothing changed, or when the two cannot be compared.
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

    private struct Shelf: Hashable {
        let product: ProductID
        let chain: ChainID
    }

    private var strength: Int { abs(telling) }

    private static func permille(_ earlier: UnitPrice, _ later: UnitPrice) -> Int? {
        guard earlier.unit == later.unit, earlier.currency == later.currency else { return nil }
        return permille(from: earlier.thousandthsOfMinor, to: later.thousandthsOfMinor)
    }

    /// The change between two amounts in tenths of a percent, rounded half away from zero; nothing from zero on.
    ///
    /// The one place that makes percentages of amounts.
    package static func permille(from earlier: Int64, to later: Int64) -> Int? {
        guard earlier > 0 else { return nil }
        let difference = Int128(later) - Int128(earlier)
        return (try? roundedQuotient(difference * 1_000, Int128(earlier))).flatMap { Int(exactly: $0) }
    }

    /// `+10,0 %`, `-3,5 %`, for tenths of a percent.
    package static func formatted(permille: Int, _ language: Language = .german) -> String {
        let figure = DecimalText.format(Int64(permille), decimals: 1, minimum: 1, in: language)
        return "\(permille > 0 ? "+" : "")\(figure)\(language == .german ? " %" : "%")"
    }
}
