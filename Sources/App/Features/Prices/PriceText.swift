import Domain
import Postgres
import Templates

/// A stored price as pages show it.
struct StoredPrice: Sendable {
    let store: StoreID
    let chain: String
    let day: LocalDate
    let regular: UnitPrice
    let paid: UnitPrice
    let isOffer: Bool
    /// The regular price per base unit; nil when the package size is unknown.
    let base: UnitPrice?
    let receipt: ReceiptID?

    /// The columns that `ifAny` reads, of price `p` and its store `s`.
    static let columns: SQL = """
        p.store_id, s.chain, p.day, p.regular_thousandths, p.paid_thousandths, p.is_offer, p.unit, p.base_thousandths,
        p.base_unit, p.currency, p.receipt_id
        """

    /// Decodes the columns; nil when an outer join found no price.
    static func ifAny(from row: inout RowReader) throws(PostgresError) -> StoredPrice? {
        let store: StoreID? = try row.next()
        let chain: String? = try row.next()
        let day: LocalDate? = try row.next()
        let regular: Int64? = try row.next()
        let paid: Int64? = try row.next()
        let isOffer: Bool? = try row.next()
        let unit = StoredUnit(rawValue: try row.next() ?? "")
        let base: Int64? = try row.next()
        let baseUnit = StoredUnit(rawValue: try row.next() ?? "")
        let currency = Currency(rawValue: try row.next() ?? "")
        let receipt: ReceiptID? = try row.next()
        guard let store, let chain, let day, let regular, let paid, let isOffer, let unit, let currency else {
            return nil
        }
        func price(_ thousandths: Int64, _ unit: StoredUnit) -> UnitPrice {
            UnitPrice(thousandthsOfMinor: thousandths, currency: currency, per: unit.unit)
        }
        return StoredPrice(
            store: store, chain: chain, day: day, regular: price(regular, unit), paid: price(paid, unit),
            isOffer: isOffer, base: base.flatMap { base in baseUnit.map { price(base, $0) } }, receipt: receipt)
    }

    /// The base price of what was paid.
    var paidBase: UnitPrice? {
        guard let base, regular.thousandthsOfMinor > 0 else { return base }
        let divisor = Int128(regular.thousandthsOfMinor)
        let share = (2 * Int128(base.thousandthsOfMinor) * Int128(paid.thousandthsOfMinor) + divisor) / (2 * divisor)
        guard let thousandths = Int64(exactly: share) else { return base }
        return UnitPrice(thousandthsOfMinor: thousandths, currency: base.currency, per: base.unit)
    }

    /// Contents of the piece, computed from price and base price; nil for weighed products.
    var packageSize: Quantity? {
        guard regular.unit == .piece, let base, base.unit != .piece, base.thousandthsOfMinor > 0 else { return nil }
        let divisor = Int128(base.thousandthsOfMinor)
        let amount = (2_000 * Int128(regular.thousandthsOfMinor) + divisor) / (2 * divisor)
        return Int64(exactly: amount).map { Quantity(thousandths: $0, unit: base.unit) }
    }

    /// As the domain compares prices; `chain` is the key of the whole naming.
    func observation(of product: ProductID) -> PriceObservation {
        PriceObservation(
            product: product, store: store, chain: ChainID(naming: chain), day: day, regular: regular, paid: paid,
            quantity: Quantity(thousandths: 1_000, unit: regular.unit), regularBase: base, paidBase: paidBase,
            source: .receipt)
    }
}

extension ChainID {
    /// The domain's identifier for a naming: the same for the same text, two FNV-1a hashes of it.
    init(naming text: String) {
        func hash(_ start: UInt64) -> UInt64 {
            text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }
        self.init(high: hash(0xCBF2_9CE4_8422_2325), low: hash(0x8422_2325_CBF2_9CE4))
    }
}

extension UnitPrice {
    /// `1,79 €` for a piece, `1,99 €/kg` for what is weighed.
    func shown(_ language: Language) -> String {
        guard unit == .piece, let money = try? rounded() else { return formatted(language) }
        return money.formatted(language)
    }
}

extension StoredPrice {
    /// True when the base price equals the price, as for products sold by weight.
    var repeatsBase: Bool { base.map { $0.unit == regular.unit && $0 == regular } ?? true }

    /// `13,16 €/kg`; nil when it would repeat the price.
    func shownBase(_ language: Language) -> String? {
        repeatsBase ? nil : base?.shownAsBase(language)
    }

    /// The same for what was paid.
    func shownPaidBase(_ language: Language) -> String? {
        repeatsBase ? nil : paidBase?.shownAsBase(language)
    }
}

extension UnitPrice {
    /// `13,16 €/kg`: rounded to the minor unit from one euro on, more decimals below.
    func shownAsBase(_ language: Language) -> String {
        guard thousandthsOfMinor >= 100_000, let money = try? rounded() else { return formatted(language) }
        return UnitPrice(thousandthsOfMinor: money.minorUnits * 1_000, currency: currency, per: unit)
            .formatted(language)
    }
}

/// `parts/change`: percent without sign, the direction, and what it is compared with.
struct Change: PageModel {
    /// Tenths of a percent.
    let permille: Int
    let language: Language
    /// Date of the earlier price; nil when the page shows it elsewhere.
    var since: String?

    static let fields = Fields<Self> { f in
        f.text("percent") { change in
            let figure = PriceChange.formatted(permille: abs(change.permille), change.language)
            return String(figure.filter { $0.isNumber || $0 == "," || $0 == "." })
        }
        f.flag("isRise") { $0.permille > 0 }
        f.flag("isFall") { $0.permille < 0 }
        f.flag("isSame") { $0.permille == 0 }
        f.flag("hasSince") { $0.since != nil }
        f.text("since") { $0.since ?? "" }
    }

    /// The change of a product's price; by base price when the package changed.
    ///
    /// - Parameter since: date of the earlier price, when the page does not show it elsewhere.
    init?(
        from earlier: StoredPrice, to later: StoredPrice, of product: ProductID, _ language: Language,
        since: String? = nil
    ) {
        guard
            let change = PriceChange(
                from: earlier.observation(of: product), to: later.observation(of: product))
        else { return nil }
        self.init(change, language)
        self.since = since
    }

    init(_ change: PriceChange, _ language: Language) {
        permille = change.telling
        self.language = language
    }

    init(permille: Int, language: Language, since: String? = nil) {
        self.permille = permille
        self.language = language
        self.since = since
    }
}

extension Money {
    /// Sums of several currencies, such as `189,81 € + 7,70 CHF`.
    static func listed(_ sums: [Money], _ language: Language) -> String {
        sums.map { $0.formatted(language) }.joined(separator: " + ")
    }
}

/// Days as lists show them.
struct DayText {
    let words: LanguageTexts
    let language: Language
    let today: LocalDate

    /// `heute`, `gestern`, `03.11.2026`.
    func day(_ day: LocalDate) -> String {
        switch day.days(to: today) {
        case 0: words["server.today"]
        case 1: words["server.yesterday"]
        default: day.formatted(language)
        }
    }

    /// `3. Aug.`, `3. Aug. 2025` when it was not this year.
    func short(_ day: LocalDate) -> String {
        let month = words["server.month-short.\(day.monthNumber)"]
        let year = day.year == today.year ? "" : " \(day.year)"
        return language == .german ? "\(day.day). \(month)\(year)" : "\(day.day) \(month)\(year)"
    }

    /// `03.11.2026 (vor 18 Tagen)`; `heute` and `gestern` say their age themselves.
    func dayWithAge(_ day: LocalDate) -> String {
        let days = day.days(to: today)
        return days < 2 ? self.day(day) : "\(self.day(day)) (\(age(days)))"
    }

    /// `heute`, `vor 5 Tagen`, `vor 4 Monaten`.
    func age(_ days: Int) -> String {
        switch days {
        case ...0: words["server.today"]
        case 1: words["server.yesterday"]
        case ..<61: words["server.days-ago", ["count": .number(String(days))]]
        default: words["server.months-ago", ["count": .number(String(days / 30))]]
        }
    }
}
