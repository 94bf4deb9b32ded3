import Domain
import Templates

/// `receipts/review`.
struct ReviewPage: PageModel {
    let id: ReceiptID
    let revision: Int64
    let state: ReceiptState
    let reason: String?
    let problem: Problem?
    let merge: MergeNotice?
    let duplicate: DuplicateNotice?
    /// Typed in by a person, without anything to compare it with.
    let isByHand: Bool
    /// There is something to read again.
    let canReread: Bool
    /// Put together of parts that can be had back.
    let isJoined: Bool
    /// It was read again, which proved less.
    let isKept: Bool
    /// No day could be read, and the form shows the upload's.
    let lacksDay: Bool
    let currency: Currency
    let disagreements: [String]
    let head: [String: String]
    let stores: [String]
    let headDoubts: [String: Doubt]
    let lines: [ReviewLine]
    let pages: [ReviewPicture]
    let sums: ReviewSums
    /// The mark of the first field that could not be understood.
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
        f.flag("isKept") { $0.isKept && $0.saysState }
        f.flag("saysProven") { $0.saysState && $0.state.name == .proven && !$0.lacksDay }
        f.flag("saysUndated") { $0.saysState && $0.state.name == .proven && $0.lacksDay }
        f.flag("saysReview") { $0.saysReview }
        f.flag("saysUnreadable") { $0.saysState && $0.state.name == .unreadable }
        // Said with the rest of what is to be looked at, or alone.
        f.flag("saysMarked") { $0.hasMarked && !$0.saysReview }
        f.text("currencySign") { $0.currency.symbol }
        f.list("currencies") { page in
            Currency.allCases.map {
                Choice(value: $0.rawValue, label: $0.symbol, isSelected: $0 == page.currency)
            }
        }
        f.texts("disagreements") { Array($0.disagreements.prefix($0.shownDisagreements)) }
        f.optional("further") { page in
            let further = page.disagreements.dropFirst(page.shownDisagreements)
            return further.isEmpty ? nil : Further(sentences: Array(further))
        }
        for name in ["store", "day", "time", "total"] { f.text(name) { $0.head[name] ?? "" } }
        f.flag("lacksDay") { $0.lacksDay }
        f.text("hiddenUntil") { $0.head["hidden-until"] ?? "" }
        f.list("stores") { $0.stores.map(StoreName.init) }
        f.flag("hasMarked") { $0.hasMarked }
        f.model("doubts") { HeadDoubts(doubts: $0.headDoubts, firstWrong: $0.firstWrong) }
        f.list("whys") { Why.list($0.headDoubts.filter { $0.key != "hidden-until" }, after: "") }
        f.list("lines") { $0.lines }
        f.model("blankLine") { _ in ReviewLine.blank }
        f.flag("hasPages") { !$0.pages.isEmpty }
        f.list("pages") { $0.pages }
        f.model("sums") { $0.sums }
        f.text("joinHref") { "/receipts/joins/new?receipt=\($0.id)" }
        f.optionalText("splitHref") { $0.lines.count > 1 ? "/receipts/\($0.id)/splits/new" : nil }
    }

    /// One thing at a time: what just went wrong, or that it is there twice, comes before how it was read.
    private var saysState: Bool { problem == nil && merge == nil && duplicate == nil }
    private var saysReview: Bool { saysState && state.name == .review && !isByHand }

    /// On a phone more than two would push the lines off the screen; a fold for a single one would save nothing.
    private var shownDisagreements: Int { disagreements.count > 2 ? 1 : 2 }

    private var hasMarked: Bool {
        headDoubts.values.contains { $0.isLook } || lines.contains { $0.doubts.values.contains { $0.isLook } }
    }

    /// What else disagrees, behind the first.
    struct Further: PageModel {
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
        let doubts: [String: Doubt]
        let firstWrong: String?

        static let fields = Fields<Self> { f in
            for name in ["store", "day", "time", "total"] {
                f.optional(name) { FieldMark(name, $0.doubts[name], after: "", firstWrong: $0.firstWrong) }
            }
            // It stands apart from the head, with its sentence.
            f.optionalText("hiddenUntil") { $0.doubts["hidden-until"]?.sentence }
            f.flag("isHiddenUntilFirst") {
                $0.firstWrong == Why.id("hidden-until", $0.doubts["hidden-until"], after: "")
            }
        }
    }
}

/// One line of the form, as texts.
struct ReviewLine: PageModel {
    let key: String
    /// By the form's names: name, quantity, unit, unit-price, total, unread, kind, vat.
    let texts: [String: String]
    let vatRate: String?
    /// By model name: name, quantity, unitPrice, total, vatClass.
    var doubts: [String: Doubt] = [:]
    var repairs: [String] = []
    /// What quantity and unit price would make, where it is not the amount.
    var hint: String?
    var isOpen = false
    /// What a discount reduces; nothing where that is no one item.
    var reducedName: String?
    /// The mark of the first field of the page that could not be understood.
    var firstWrong: String?

    static let blank = ReviewLine(
        key: "new", texts: ["quantity": "1", "unit": "piece", "kind": "item"], vatRate: nil)

    static let fields = Fields<Self> { f in
        f.text("key") { $0.key }
        f.text("name") { $0.texts["name"] ?? "" }
        f.text("quantity") { $0.texts["quantity"] ?? "" }
        f.model("unit") { UnitChoice(name: $0.texts["unit"] ?? "piece") }
        f.text("unitPrice") { $0.texts["unit-price"] ?? "" }
        f.text("total") { $0.texts["total"] ?? "" }
        f.flag("isUnread") { $0.texts["unread"] != nil }
        f.model("kind") { KindChoice(name: $0.texts["kind"] ?? "item") }
        f.text("vatClass") { $0.texts["vat"] ?? "" }
        f.optionalText("vatRate") { $0.vatRate }
        f.model("doubts") { Doubts(line: $0) }
        f.list("whys") { Why.list($0.doubts, after: "-\($0.key)") }
        f.texts("repairs") { $0.repairs }
        f.optionalText("hint") { $0.hint }
        f.flag("isOpen") { $0.isOpen }
        f.optionalText("reducedName") { $0.reducedName }
    }

    struct UnitChoice: PageModel {
        let name: String

        static let fields = Fields<Self> { f in
            f.flag("isPiece") { $0.name == "piece" }
            f.flag("isKilogram") { $0.name == "kg" }
            f.flag("isGram") { $0.name == "g" }
            f.flag("isLitre") { $0.name == "l" }
            f.flag("isMillilitre") { $0.name == "ml" }
            f.flag("isMetre") { $0.name == "m" }
        }
    }

    struct KindChoice: PageModel {
        let name: String

        static let fields = Fields<Self> { f in
            f.flag("isItem") { $0.name == "item" }
            f.flag("isDeposit") { $0.name == "deposit" }
            f.flag("isDepositReturn") { $0.name == "deposit-return" }
            f.flag("isDiscount") { $0.name == "discount" }
            f.flag("isCoupon") { $0.name == "coupon" }
            f.flag("isRounding") { $0.name == "rounding" }
        }
    }

    struct Doubts: PageModel {
        let line: ReviewLine

        static let fields = Fields<Self> { f in
            for name in ["name", "quantity", "unitPrice", "total", "vatClass"] {
                f.optional(name) {
                    FieldMark(
                        name, $0.line.doubts[name], after: "-\($0.line.key)", firstWrong: $0.line.firstWrong)
                }
            }
        }
    }
}

/// A page's picture with the places of values on it.
struct ReviewPicture: PageModel {
    let receipt: ReceiptID
    let page: StoredReceipt.Page
    let marks: [Mark]

    static let fields = Fields<Self> { f in
        f.number("number") { Int($0.page.n) + 1 }
        f.text("displayUrl") { "/receipts/\($0.receipt)/pages/\($0.page.n + 1)/display" }
        f.number("width") { Int($0.page.displayWidth) }
        f.number("height") { Int($0.page.displayHeight) }
        f.list("marks") { $0.marks }
    }

    /// A box in pixels of the display picture.
    struct Mark: PageModel {
        let key: String
        let field: String
        let isDoubtful: Bool
        let x: Int
        let y: Int
        let width: Int
        let height: Int

        static let fields = Fields<Self> { f in
            f.text("key") { $0.key }
            f.text("field") { $0.field }
            f.flag("isDoubtful") { $0.isDoubtful }
            f.number("x") { $0.x }
            f.number("y") { $0.y }
            f.number("width") { $0.width }
            f.number("height") { $0.height }
        }
    }
}

/// What somebody else changed while this form was filled in.
struct MergeNotice: PageModel {
    let memberName: String
    let conflicts: [Field]
    /// Sentences about lines that one side deleted and the other changed, or that moved.
    let kept: [String]

    /// A field that both sides changed.
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

/// The receipt that this one seems to repeat.
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
