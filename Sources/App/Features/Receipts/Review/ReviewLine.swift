import Domain
import Templates

/// One line of the form, as texts.
struct ReviewLine: PageModel {
    let key: String
    /// By raw value of `ReviewField`; also `unit` and `unread`.
    let texts: [String: String]
    let vatRate: String?
    var doubts: [ReviewField: Doubt] = [:]
    /// Sentences about repairs that were applied.
    var repairs: [String] = []
    var proposals: [Proposal] = []
    /// A hint when quantity times unit price differs from the amount.
    var hint: String?
    /// Whether the additional fields of the line are shown unfolded.
    var isOpen = false
    /// The item that a discount reduces; nil when it does not belong to a single item.
    var reducedName: String?
    /// The category that applies if the field is empty; nil if there is none.
    var usualCategory: String?
    /// The identifier of the mark of the first field of the page that is not valid.
    var firstWrong: String?

    var isUnread: Bool { texts["unread"] != nil }

    static let blank = ReviewLine(
        key: "new", texts: ["quantity": "1", "unit": "piece", "kind": "item"], vatRate: nil)

    static let fields = Fields<Self> { f in
        f.text("key") { $0.key }
        f.text("name") { $0.texts["name"] ?? "" }
        f.text("quantity") { $0.texts["quantity"] ?? "" }
        f.model("unit") { UnitChoice(name: $0.texts["unit"] ?? "piece") }
        f.text("unit_price") { $0.texts["unit_price"] ?? "" }
        f.text("total") { $0.texts["total"] ?? "" }
        f.flag("isUnread") { $0.isUnread }
        f.model("kind") { KindChoice(name: $0.texts["kind"] ?? "item") }
        f.text("vat_class") { $0.texts["vat_class"] ?? "" }
        f.text("category") { $0.texts["category"] ?? "" }
        f.text("usualCategory") { $0.usualCategory ?? "" }
        f.optionalText("vatRate") { $0.vatRate }
        f.model("doubts") { Doubts(line: $0) }
        f.list("whys") { FieldExplanation.list($0.doubts, of: $0.key) }
        // Whether a value can be ticked as correct. Invalid values must be corrected.
        f.flag("isCheckable") { $0.doubts.contains { !$0.value.isWrong } && !$0.isUnread }
        f.list("proposals") { $0.proposals }
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
            f.flag("isDepositReturn") { $0.name == "deposit_return" }
            f.flag("isDiscount") { $0.name == "discount" }
            f.flag("isCoupon") { $0.name == "coupon" }
            f.flag("isRounding") { $0.name == "rounding" }
        }
    }

    struct Doubts: PageModel {
        let line: ReviewLine

        static let fields = Fields<Self> { f in
            for field in ReviewField.shownLine {
                f.optional(field.rawValue) {
                    FieldMark(field, $0.line.doubts[field], of: $0.line.key, firstWrong: $0.line.firstWrong)
                }
            }
        }
    }
}
