import Domain
import Templates

/// The picture of a page, with the boxes of values on it.
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
        /// The line's key; empty for a value of the head.
        let key: String
        /// A raw value of `ReviewField`, `line` for a whole line, or `candidate` for an alternative value.
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
