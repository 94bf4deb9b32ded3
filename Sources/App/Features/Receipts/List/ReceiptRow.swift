import Domain
import Postgres
import Templates

/// The model of the partial `parts/receipt-row`: a receipt in a list.
struct ReceiptRow: PageModel {
    let receipt: ListedReceipt
    let words: LanguageTexts
    let language: Language
    let today: LocalDate
    /// The member who sees the list. Rows of other members' receipts show the member's name.
    let reader: PersonID
    /// The lines in the requested category; nil when no category is requested.
    var parts: [(name: String?, amount: Int64)]?

    static let fields = Fields<Self> { f in
        f.text("href") { "/receipts/\($0.receipt.id)" }
        f.optionalText("readingID") { $0.receipt.state.name == .reading ? $0.receipt.id.description : nil }
        f.optionalText("previewUrl") { $0.previewURL }
        f.text("storeName") { $0.storeName }
        f.text("when") { $0.when }
        f.optionalText("memberName") { row in
            row.receipt.member.flatMap { $0.id == row.reader ? nil : $0.name }
        }
        f.optionalText("reason") { $0.reason }
        f.optionalText("total") { $0.total }
        f.optional("matched") { row in row.parts.map { ReceiptParts(parts: $0, row: row) } }
        f.model("state") { $0.receipt.state }
        f.text("removedOn") { row in
            row.receipt.discardedAt.map {
                DisplayDate.localDay($0).adding(days: ReceiptRetention.discardedDays).formatted(row.language)
            } ?? ""
        }
    }

    /// The reason why the receipt waits. For a proven receipt, the reason why it is not confirmed together with the
    /// other proven receipts.
    private var reason: String? {
        switch receipt.state.name {
        case .review, .unreadable: receipt.reasons.first.map { $0.sentence(words, language) }
        case .proven where receipt.day == nil: words["server.reason.no-day"]
        case .proven where receipt.storeName == nil: words["server.reason.no-store"]
        default: nil
        }
    }

    var total: String? {
        receipt.total.map { Money(minorUnits: $0, currency: receipt.currency).formatted(language) }
    }

    var previewURL: String? {
        receipt.firstPage.map { "/receipts/\(receipt.id)/pages/\($0 + 1)/preview" }
    }

    /// The store's name; while the store is unknown, the source of the receipt.
    var storeName: String {
        if let name = receipt.storeName { return name }
        let key =
            if receipt.mediaType == "application/pdf" {
                "server.pdf-of"
            } else {
                receipt.isManual && !hasPicture ? "server.entered-of" : "server.photo-of"
            }
        return words[key, ["day": .text(DisplayDate.localDay(receipt.createdAt).formatted(language))]]
    }

    private var hasPicture: Bool { receipt.firstPage != nil || receipt.mediaType != nil }

    var when: String {
        guard let day = receipt.day else {
            // A receipt without a day of purchase shows the day of its upload or entry, with a label.
            return words[
                receipt.isManual && !hasPicture ? "server.entered-on" : "server.uploaded-on",
                ["day": .text(DisplayDate.day(receipt.createdAt, language))]]
        }
        let time = receipt.time.map { ", \(DisplayDate.clock($0))" } ?? ""
        switch day.days(to: today) {
        case 0: return words["server.today"] + time
        case 1: return words["server.yesterday"] + time
        default: return day.formatted(language) + time
        }
    }
}

/// The lines of a receipt in the requested category. If the difference between the total and the lines counts in the
/// category, it is the last part, without a name.
struct ReceiptParts: PageModel {
    let parts: [(name: String?, amount: Int64)]
    let row: ReceiptRow

    struct Part: PageModel {
        let name: String
        let amount: String

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.text("amount") { $0.amount }
        }
    }

    static let fields = Fields<Self> { f in
        f.text("sum") { $0.money($0.parts.reduce(0) { $0 + $1.amount }) }
        f.list("lines") { matched in
            matched.parts.map { part in
                Part(name: part.name ?? matched.row.words["server.receipts.rest"], amount: matched.money(part.amount))
            }
        }
    }

    private func money(_ minorUnits: Int64) -> String {
        Money(minorUnits: minorUnits, currency: row.receipt.currency).formatted(row.language)
    }
}
