import Domain
import Templates

extension ReviewDraft.Line {
    /// What quantity times unit price make, in minor units and without sign, where the amount is something else.
    ///
    /// What is weighed is printed to the gram, and some tills cut off what others round: half a gram's price and a cent are
    /// no difference there. Pieces are counted.
    var misfit: Int64? {
        guard let unitPrice, !isUnread else { return nil }
        let isMeasured = unit != .piece
        let product = Int128(quantity.magnitude) * Int128(unitPrice.magnitude)
        let gap = (product - Int128(total.magnitude) * 1_000_000).magnitude
        let slack: Int128 = isMeasured ? 1_000_000 + Int128(unitPrice.magnitude) / 2 : 500_000
        guard gap > UInt128(slack) else { return nil }
        return Int64(exactly: (product + 500_000) / 1_000_000)
    }

    /// What quantity and unit price make, in minor units: the amount of a line that was left without one.
    var product: Int64? {
        guard let unitPrice,
            let amount = try? UnitPrice(thousandthsOfMinor: unitPrice, per: unit.unit)
                .amount(for: Quantity(thousandths: quantity, unit: unit.unit)),
            (-Money.limit...Money.limit).contains(amount.minorUnits)
        else { return nil }
        return amount.minorUnits
    }

    /// `2 × 1,29 = 2,58, nicht 2,85`, where it is so.
    func hint(_ currency: Currency, _ words: LanguageTexts, _ language: Language) -> String? {
        guard let misfit, let unitPrice else { return nil }
        let quantity = Quantity(thousandths: Int64(clamping: quantity.magnitude), unit: unit.unit)
        let price = UnitPrice(
            thousandthsOfMinor: Int64(clamping: unitPrice.magnitude), currency: currency, per: unit.unit)
        func figure(_ amount: Int64) -> String { Money(minorUnits: amount, currency: currency).figure(language) }
        let count = unit == .piece ? quantity.figure(language) : quantity.formatted(language)
        return words[
            "server.line.misfit",
            [
                "product": .text("\(count) × \(price.figure(language)) = \(figure(misfit))"),
                "amount": .text(figure(Int64(clamping: total.magnitude))),
            ]]
    }
}

/// What the review page says about lines and total: the sentence above its button, and the button's word.
struct ReviewSums: PageModel {
    enum Balance: Sendable, Equatable {
        case balanced
        /// The lines are this much less than the total, or more, in minor units.
        case missing(Int64)
        case surplus(Int64)
        /// An amount is not known.
        case unknown
        /// The total is not known, every amount is.
        case totalUnknown
        /// There is no line.
        case empty
    }

    let lines: String
    let total: String
    let balance: Balance
    /// By how much they differ, as text.
    let amount: String
    /// Lines whose quantity times unit price is not their amount.
    let misfits: Int
    /// Something else speaks against booking it: a duplicate, a cancellation.
    let isDoubted: Bool
    /// The day is only proposed.
    let lacksDay: Bool

    init(_ draft: ReviewDraft, isComplete: Bool, isDoubted: Bool, lacksDay: Bool, money: (Int64) -> String) {
        var draft = draft
        for index in draft.lines.indices where draft.lines[index].isUnread {
            guard let product = draft.lines[index].product else { continue }
            (draft.lines[index].total, draft.lines[index].isUnread) = (product, false)
        }
        let isComplete = isComplete && !draft.lines.contains(where: \.isUnread)
        lines = money(max(-Money.limit, min(Money.limit, draft.sum ?? 0)))
        total = draft.total.map(money) ?? "–"
        amount = money(Int64(clamping: (draft.difference ?? 0).magnitude))
        misfits = draft.lines.count { $0.misfit != nil }
        self.isDoubted = isDoubted
        self.lacksDay = lacksDay
        if draft.lines.isEmpty, isComplete {
            balance = .empty
        } else if let difference = draft.difference, isComplete {
            balance = difference == 0 ? .balanced : difference < 0 ? .missing(-difference) : .surplus(difference)
        } else {
            balance = isComplete && draft.total == nil && draft.sum != nil ? .totalUnknown : .unknown
        }
    }

    private var isSound: Bool { balance == .balanced && misfits == 0 && !isDoubted }

    static let fields = Fields<Self> { f in
        f.text("lines") { $0.lines }
        f.text("total") { $0.total }
        f.text("amount") { $0.amount }
        f.number("misfits") { $0.misfits }
        f.flag("isBalanced") { $0.balance == .balanced && $0.misfits == 0 }
        f.flag("hasMisfits") { $0.balance == .balanced && $0.misfits > 0 }
        f.flag("isMissing") { if case .missing = $0.balance { true } else { false } }
        f.flag("isSurplus") { if case .surplus = $0.balance { true } else { false } }
        f.flag("isUnknown") { $0.balance == .unknown }
        f.flag("isTotalUnknown") { $0.balance == .totalUnknown }
        f.flag("isEmpty") { $0.balance == .empty }
        f.flag("isDoubted") { $0.isDoubted }
        f.flag("isSound") { $0.isSound && !$0.lacksDay }
        f.flag("isUndated") { $0.isSound && $0.lacksDay }
        // What the button says instead of "confirm".
        f.flag("isAnyway") { !$0.isSound && $0.balance != .empty }
    }
}
