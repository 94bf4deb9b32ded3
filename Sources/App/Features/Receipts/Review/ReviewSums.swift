import Domain
import Templates

/// The comparison of lines and total on the review page: the sentence above the button, and the button's text.
struct ReviewSums: PageModel {
    enum Balance: Sendable, Equatable {
        case balanced
        /// The absolute difference between lines and total in minor units. The lines add up to less (`missing`) or more
        /// (`surplus`) than the total.
        case missing(Int64)
        case surplus(Int64)
        /// An amount is unknown.
        case unknown
        /// The total is unknown, but every amount is known.
        case totalUnknown
        /// There are no lines.
        case empty
    }

    /// The sum of the lines as text.
    let lineSum: String
    /// The total as text.
    let total: String
    let balance: Balance
    /// The difference as text.
    let differenceText: String
    /// The number of lines whose quantity times unit price differs from the amount.
    let misfitCount: Int
    /// Whether the receipt should perhaps not be confirmed: it is a duplicate, a training receipt or a cancelled
    /// receipt.
    let isQuestionable: Bool
    /// Whether the total was computed instead of read, and no person has confirmed it.
    let isTotalComputed: Bool
    /// Whether something is left to check: marked values, or other reasons for the review.
    let isOpen: Bool

    init(
        _ draft: ReviewDraft, isComplete: Bool, isQuestionable: Bool, isTotalComputed: Bool, isOpen: Bool,
        money: (Int64) -> String
    ) {
        var draft = draft
        for index in draft.lines.indices where draft.lines[index].isUnread {
            guard let computed = draft.lines[index].computedTotal else { continue }
            (draft.lines[index].total, draft.lines[index].isUnread) = (computed, false)
        }
        let isComplete = isComplete && !draft.lines.contains(where: \.isUnread)
        lineSum = money(max(-Money.limit, min(Money.limit, draft.sum ?? 0)))
        total = draft.total.map(money) ?? "–"
        differenceText = money(Int64(clamping: (draft.difference ?? 0).magnitude))
        misfitCount = draft.lines.count { $0.misfit != nil }
        self.isQuestionable = isQuestionable
        self.isTotalComputed = isTotalComputed && draft.total != nil
        self.isOpen = isOpen
        if draft.lines.isEmpty, isComplete {
            balance = .empty
        } else if let difference = draft.difference, isComplete {
            balance = difference == 0 ? .balanced : difference < 0 ? .missing(-difference) : .surplus(difference)
        } else {
            balance = isComplete && draft.total == nil && draft.sum != nil ? .totalUnknown : .unknown
        }
    }

    private var isConsistent: Bool { balance == .balanced && misfitCount == 0 && !isTotalComputed }

    static let fields = Fields<Self> { f in
        f.text("lines") { $0.lineSum }
        f.text("total") { $0.total }
        f.text("amount") { $0.differenceText }
        f.number("misfits") { $0.misfitCount }
        f.flag("isTotalComputed") { $0.balance == .balanced && $0.isTotalComputed }
        f.flag("isBalanced") { $0.isConsistent }
        f.flag("hasMisfits") { $0.balance == .balanced && $0.misfitCount > 0 && !$0.isTotalComputed }
        f.flag("isMissing") { if case .missing = $0.balance { true } else { false } }
        f.flag("isSurplus") { if case .surplus = $0.balance { true } else { false } }
        f.flag("isUnknown") { $0.balance == .unknown }
        f.flag("isTotalUnknown") { $0.balance == .totalUnknown }
        f.flag("isEmpty") { $0.balance == .empty }
        f.flag("isQuestionable") { $0.isQuestionable }
        // Selects the green style: nothing is left to check.
        f.flag("isChecked") { $0.isConsistent && !$0.isQuestionable && !$0.isOpen }
        // `confirms` and the next flag select the text of the button.
        f.flag("confirms") { $0.isConsistent && !$0.isQuestionable }
        f.flag("confirmsAnyway") { !($0.isConsistent && !$0.isQuestionable) && $0.balance != .empty }
    }
}
