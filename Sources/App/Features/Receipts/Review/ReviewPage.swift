import Domain
import Templates

/// The model of the view `receipts/review`: the form with the values of a receipt, beside its pictures.
struct ReviewPage: PageModel {
    let id: ReceiptID
    let revision: Int64
    let state: ReceiptState
    /// The reason why the receipt could not be read; nil if it was read.
    let reason: String?
    let problem: Problem?
    let merge: MergeNotice?
    let duplicate: DuplicateNotice?
    /// Whether a person typed the receipt in. There is then no picture for a comparison.
    let isByHand: Bool
    /// Whether there is a picture or a file to read again.
    let canReread: Bool
    /// Whether the receipt was joined and the join can be undone.
    let isJoined: Bool
    /// Whether the receipt was read again and the first reading was kept, because the second reading verified fewer
    /// values.
    let isKept: Bool
    /// Whether another sheet with amounts lies beside the receipt.
    let hasOtherSheet: Bool
    /// Whether no receipt was found on the pictures.
    let isNoReceipt: Bool
    /// Whether the form shows values that this person typed before but did not send.
    let isTyped: Bool
    /// Whether comparing the marked values with the picture settles all reasons.
    let isSettledByMarks: Bool
    /// The points that the person confirms by sending this page again: keys of lines with implausible amounts, and the
    /// identifier of another receipt of the same purchase.
    let asked: [String]
    let currency: Currency
    /// The household's currency if the receipt has another currency; otherwise nil.
    let home: Currency?
    /// The reasons why a person has to check the receipt, as sentences.
    let disagreements: [String]
    /// Texts of the fields above the lines, such as the store, by field name.
    let head: [String: String]
    let stores: [String]
    /// Names of categories, as suggestions for lines.
    let categories: [String]
    let headDoubts: [ReviewField: Doubt]
    /// Alternative readings of the total.
    let proposals: [Proposal]
    let paper: ReviewPaper.FormModel?
    let lines: [ReviewLine]
    let removed: RemovedLines?
    let pages: [ReviewPicture]
    let sums: ReviewSums
    /// The identifier of the mark of the first field that is not valid.
    let firstWrong: String?

    static let fields = Fields<Self> { f in
        f.text("href") { "/receipts/\($0.id)" }
        f.text("revision") { String($0.revision) }
        f.model("state") { $0.state }
        f.optionalText("reason") { $0.reason }
        f.text("againHref") { "/receipts/new?instead=\($0.id)" }
        f.optional("problem") { $0.problem }
        f.optional("merge") { $0.merge }
        f.optional("duplicate") { $0.duplicate }
        f.flag("isByHand") { $0.isByHand }
        f.flag("canReread") { $0.canReread }
        f.flag("isJoined") { $0.isJoined }
        f.flag("isKept") { $0.isKept && $0.saysState && !$0.saysReview }
        f.flag("hasOtherSheet") { $0.hasOtherSheet }
        f.flag("saysProven") { $0.saysProven && !$0.lacksDay }
        f.flag("saysUndated") { $0.saysProven && $0.lacksDay }
        f.flag("saysReview") { $0.saysReview }
        f.flag("isSettled") { $0.saysReview && $0.isSettledByMarks && $0.doubtCount > 0 && !$0.sums.isQuestionable }
        f.flag("saysUnreadable") { $0.saysState && $0.state.name == .unreadable && !$0.isNoReceipt }
        f.flag("saysNoReceipt") { $0.saysState && $0.isNoReceipt }
        f.flag("isNoReceipt") { $0.isNoReceipt }
        f.flag("isTyped") { $0.isTyped }
        f.texts("asked") { $0.asked }
        f.optional("todo") { $0.saysReview && $0.doubtCount > 0 ? OpenDoubts(count: $0.doubtCount) : nil }
        f.flag("hasUnread") { $0.lines.count { $0.isUnread } > 1 }
        f.number("unreadCount") { $0.lines.count { $0.isUnread } }
        // Not shown together with the notice about the review, because that notice says the same.
        f.flag("saysMarked") { $0.hasMarked && !$0.saysReview }
        f.text("currencySign") { $0.currency.symbol }
        f.optional("abroad") { page in page.home.map { ForeignCurrency(currency: page.currency, household: $0) } }
        f.list("currencies") { page in
            Currency.allCases.map {
                Choice(value: $0.rawValue, label: $0.symbol, isSelected: $0 == page.currency)
            }
        }
        f.texts("disagreements") { Array($0.disagreements.prefix($0.shownDisagreements)) }
        f.optional("further") { page in
            let further = page.disagreements.dropFirst(page.shownDisagreements)
            return further.isEmpty ? nil : FurtherReasons(sentences: Array(further))
        }
        for field in ReviewField.shownHead { f.text(field.rawValue) { $0.head[field.rawValue] ?? "" } }
        f.text("hidden_until") { $0.head[ReviewField.hiddenUntil.rawValue] ?? "" }
        f.flag("isTotalComputed") { $0.sums.isTotalComputed }
        f.flag("isHeadDoubtful") { !$0.openHead.isEmpty }
        f.list("stores") { $0.stores.map(StoreName.init) }
        f.texts("categories") { $0.categories }
        f.flag("hasMarked") { $0.hasMarked }
        f.model("doubts") { HeadDoubts(doubts: $0.headDoubts, firstWrong: $0.firstWrong) }
        f.list("whys") { FieldExplanation.list($0.headDoubts.filter { $0.key != .hiddenUntil }, of: "") }
        f.list("totalProposals") { $0.proposals }
        f.optional("paper") { $0.paper }
        f.list("lines") { $0.lines }
        f.optional("removed") { $0.removed }
        f.model("blankLine") { _ in ReviewLine.blank }
        f.flag("hasPages") { !$0.pages.isEmpty }
        f.list("pages") { $0.pages }
        f.model("sums") { $0.sums }
        f.text("joinHref") { "/receipts/joins/new?receipt=\($0.id)" }
        f.optionalText("splitHref") { $0.lines.count > 1 ? "/receipts/\($0.id)/splits/new" : nil }
    }

    /// Whether the message about the state of the reading is shown. The page shows only one message; an error, a merge
    /// or a duplicate takes precedence.
    private var saysState: Bool { problem == nil && merge == nil && duplicate == nil }
    private var saysReview: Bool { saysState && state.name == .review && !isByHand }
    private var saysProven: Bool { saysState && state.name == .proven }
    private var lacksDay: Bool { (head[ReviewField.day.rawValue] ?? "").isEmpty }

    /// The number of reasons that are shown unfolded. On a phone, more reasons would move the lines off the screen.
    private var shownDisagreements: Int { disagreements.count > 2 ? 1 : 2 }

    /// Whether a value is marked without a sentence of its own.
    private var hasMarked: Bool {
        guard !isNoReceipt else { return false }
        return headDoubts.values.contains { $0.hasSharedSentence }
            || lines.contains { $0.doubts.values.contains { $0.hasSharedSentence } }
    }

    /// Fields of the head that a person can tick off. A missing value has to be typed in.
    private var openHead: [ReviewField] {
        ReviewField.shownHead.filter { field in
            headDoubts[field].map { !$0.isWrong } ?? false && !(head[field.rawValue] ?? "").isEmpty
        }
    }

    private var doubtCount: Int { headDoubts.count + lines.reduce(0) { $0 + $1.doubts.count } }

    /// The currencies of the receipt and of the household, for a notice that they differ.
    struct ForeignCurrency: PageModel {
        let currency: Currency
        let household: Currency

        static let fields = Fields<Self> { f in
            f.text("currency") { $0.currency.symbol }
            f.text("household") { $0.household.symbol }
        }
    }

    /// The number of values that a person has to check.
    struct OpenDoubts: PageModel {
        let count: Int

        static let fields = Fields<Self> { f in f.number("count") { $0.count } }
    }

    /// The folded reasons.
    struct FurtherReasons: PageModel {
        let sentences: [String]

        static let fields = Fields<Self> { f in
            f.number("count") { $0.sentences.count }
            f.texts("sentences") { $0.sentences }
        }
    }

    struct StoreName: PageModel {
        let name: String

        static let fields = Fields<Self> { f in f.text("name") { $0.name } }
    }

    struct HeadDoubts: PageModel {
        let doubts: [ReviewField: Doubt]
        let firstWrong: String?

        static let fields = Fields<Self> { f in
            for field in ReviewField.shownHead {
                f.optional(field.rawValue) {
                    FieldMark(field, $0.doubts[field], of: "", firstWrong: $0.firstWrong)
                }
            }
            // The sentence is shown beside its field, which is below the lines.
            f.optionalText("hidden_until") { $0.doubts[.hiddenUntil]?.sentence }
            f.flag("isHiddenUntilFirst") {
                $0.firstWrong == FieldExplanation.id(.hiddenUntil, $0.doubts[.hiddenUntil], of: "")
            }
        }
    }
}

/// Changes that other requests made to the receipt while this form was filled in.
struct MergeNotice: PageModel {
    let memberName: String
    let conflicts: [Field]
    /// Sentences about lines that one request deleted and another edited, or that moved to another receipt.
    let kept: [String]

    /// A field that the form and another request changed, with both values.
    struct Field: PageModel {
        let label: String
        let mine: String
        let theirs: String

        static let fields = Fields<Self> { f in
            f.text("label") { $0.label }
            f.text("mine") { $0.mine }
            f.text("theirs") { $0.theirs }
        }
    }

    static let fields = Fields<Self> { f in
        f.text("memberName") { $0.memberName }
        f.flag("hasConflicts") { !$0.conflicts.isEmpty || !$0.kept.isEmpty }
        f.texts("keptLines") { $0.kept }
        f.list("conflicts") { $0.conflicts }
    }
}

/// The receipt of which this receipt is probably a duplicate.
struct DuplicateNotice: PageModel {
    let storeName: String
    let when: String
    let total: String
    let href: String

    static let fields = Fields<Self> { f in
        f.text("storeName") { $0.storeName }
        f.text("when") { $0.when }
        f.text("total") { $0.total }
        f.text("href") { $0.href }
    }
}
