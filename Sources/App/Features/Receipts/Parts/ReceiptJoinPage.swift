import Domain
import Templates

/// The model of the view `receipts/join`: choosing the photos of one receipt.
struct ReceiptJoinPage: PageModel {
    let problem: Problem?
    /// Whether the problem is a question. Sending the same form again answers the question with yes.
    let isQuestion: Bool
    let candidates: [Candidate]

    struct Candidate: PageModel {
        let row: ReceiptRow
        let position: String
        let isChosen: Bool
        /// Whether the question is about this receipt. If the person chooses the receipt again, the answer is yes.
        let isAgreed: Bool

        static let fields = Fields<Self> { f in
            f.text("id") { $0.row.receipt.id.description }
            f.text("storeName") { $0.row.storeName }
            f.text("when") { $0.row.when }
            f.optionalText("total") { $0.row.total }
            f.optionalText("previewUrl") { $0.row.previewURL }
            f.flag("isChosen") { $0.isChosen }
            f.flag("isAgreed") { $0.isAgreed }
            f.text("position") { $0.position }
        }
    }

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
        f.flag("isQuestion") { $0.isQuestion }
        f.flag("hasCandidates") { !$0.candidates.isEmpty }
        f.list("candidates") { $0.candidates }
    }
}
