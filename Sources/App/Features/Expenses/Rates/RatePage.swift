import Domain
import Templates

/// The model of the view `expenses/rates`.
struct RatePage: PageModel {
    let result: ExchangeRates.Result
    var typed: TypedRate
    let isMember: Bool
    /// Whether the page is shown before an export for the budgeting program Actual, which needs a rate for each entry.
    let isForActual: Bool
    let language: Language
    var errors = FieldErrors()
    var problem: Problem?

    /// The currencies that the form offers: the usual ones, and those of stored expenses and rates.
    private var currencies: [String] {
        let offered = CurrencyCode.offered.map(\.code)
        let others = Set(result.missing.map(\.currency) + result.newest.map(\.rate.currency.code))
        return (offered + others.subtracting(offered).sorted()).filter { $0 != CurrencyCode.eur.code }
    }

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
        f.model("errors") { $0.errors }
        f.flag("isMember") { $0.isMember }
        f.flag("isEmpty") { $0.result.newest.isEmpty }
        f.flag("hasMissing") { !$0.result.missing.isEmpty }
        f.flag("isForActual") { $0.isForActual }
        f.list("missing") { page in
            page.result.missing.map { currency, count, first, last in
                MissingRate(
                    currency: currency, count: Int(count), from: first.formatted(page.language),
                    to: last.formatted(page.language))
            }
        }
        f.list("rates") { page in page.result.newest.map { RateRow(stored: $0, language: page.language) } }
        f.list("currencies") { page in
            page.currencies.map { Choice(value: $0, label: $0, isSelected: $0 == page.typed.currency) }
        }
        f.text("day") { $0.typed.day }
        f.text("rate") { $0.typed.rate }
    }
}

/// The newest rate of a currency.
struct RateRow: PageModel {
    let stored: ExchangeRates.StoredRate
    let language: Language

    static let fields = Fields<Self> { f in
        f.text("currency") { $0.stored.rate.currency.code }
        f.text("rate") { row in
            DecimalText.format(row.stored.rate.perEuroMillionths, decimals: 6, minimum: 2, in: row.language)
        }
        f.text("day") { $0.stored.rate.day.formatted($0.language) }
        f.text("dayValue") { $0.stored.rate.day.iso }
        f.flag("isTyped") { $0.stored.source == .manual }
    }
}

/// A currency in which there are expenses but for which no rate is known.
struct MissingRate: PageModel {
    let currency: String
    let count: Int
    let from: String
    let to: String

    static let fields = Fields<Self> { f in
        f.text("currency") { $0.currency }
        f.number("count") { $0.count }
        f.text("from") { $0.from }
        f.text("to") { $0.to }
        f.flag("isOneDay") { $0.from == $0.to }
    }
}
