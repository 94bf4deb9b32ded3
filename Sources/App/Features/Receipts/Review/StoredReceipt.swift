import Domain
import JSON
import Postgres

/// A stored receipt, for the review page and the receipt page.
struct StoredReceipt: Sendable {
    let id: ReceiptID
    let state: ReceiptState
    let stage: Stage
    /// Nil before the receipt is read.
    let verdict: Verdict?
    let reasons: [Reason]
    let storeID: StoreID?
    /// Fields of the head that a person should compare with the picture.
    let doubts: [ReviewField]
    /// Boxes of the values of the head: page number, x, y, width and height, in pixels of the reading picture.
    let marks: [ReviewField: [Int32]]
    /// The tax table, as `evidence` stores it.
    let vat: JSONValue?
    /// Alternative readings of the total.
    let repairs: [StoredRepair]
    /// The payment data of a document other than a supermarket receipt.
    let paper: StoredPaper?
    /// The printed number of articles.
    let articleCount: Int64?
    let duplicateOf: ReceiptID?
    /// Whether a person typed the receipt in.
    let isManual: Bool
    /// Whether the bytes of an uploaded file are still stored, so that the file can be read again.
    let hasOriginal: Bool
    /// Whether the receipt was joined and the join can be undone.
    let isJoined: Bool
    let personName: String
    let createdAt: PostgresInstant
    let confirmedAt: PostgresInstant?
    let revision: Int64
    let draft: ReviewDraft
    /// Facts by the line's key in the draft.
    let facts: [String: LineFacts]
    let pages: [Page]

    var currency: Currency { draft.currency }

    /// The rates of the receipt's tax classes in basis points, from the lines that have a tax class and a rate.
    var ratesByClass: [String: Int32] {
        var rates: [String: Int32] = [:]
        for line in draft.lines where !line.vatClass.isEmpty {
            if let rate = facts[line.key]?.vatRate { rates[line.vatClass] = rate }
        }
        return rates
    }

    /// The values of a line that the form does not contain, and its box on the picture.
    struct LineFacts: Sendable {
        let position: Int32
        let product: ProductID?
        let productName: String?
        /// The category that applies if the line has no category of its own: the category of its product, or of the
        /// item that a discount reduces.
        let usualCategory: CategoryID?
        /// In basis points.
        let vatRate: Int32?
        let doubts: [ReviewField]
        let repairs: [StoredRepair]
        /// The number of the page on which the line is printed, from 0; nil if unknown.
        let page: Int32?
        /// The line's box in pixels of the reading picture.
        let box: (x: Int32, y: Int32, width: Int32, height: Int32)?
        /// The printed name of the item to which a discount belongs.
        let reducedName: String?
    }

    struct Page: Sendable {
        /// The page number, from 0.
        let n: Int32
        /// The size of the reading picture in pixels.
        let width: Int32
        let height: Int32
        /// The size of the display picture in pixels.
        let displayWidth: Int32
        let displayHeight: Int32
    }
}

extension LocalTime {
    init?(stored time: PostgresTime) {
        let seconds = Int(time.microsecondsSinceMidnight / 1_000_000)
        self.init(hour: seconds / 3600, minute: seconds / 60 % 60, second: seconds % 60)
    }
}
