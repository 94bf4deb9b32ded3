import Domain
import JSON
import Templates

/// The model of the view `receipts/show`: a confirmed or discarded receipt; for viewers, also a receipt that waits for
/// review.
struct ReceiptPage: PageModel {
    let receipt: StoredReceipt
    /// The number of printed names that are not matched to a product.
    let newNameCount: Int64
    /// Price changes since the previous purchase of each product, by the key of the line.
    let changes: [String: Change]
    let language: Language
    let words: LanguageTexts
    /// Nil for a receipt in the household's currency. Also nil for an unconfirmed or discarded receipt, because no sum
    /// includes it.
    var foreign: ForeignAmount.FormModel?
    /// An expense of a bank file that may be the same payment.
    var bankPairs: [BankPairRow] = []

    static let fields = Fields<Self> { f in
        f.text("href") { "/receipts/\($0.receipt.id)" }
        f.text("revision") { String($0.receipt.revision) }
        f.model("state") { $0.receipt.state }
        f.text("storeName") { $0.receipt.draft.store.isEmpty ? $0.words["server.no-store"] : $0.receipt.draft.store }
        f.text("day") { $0.receipt.draft.day?.formatted($0.language) ?? $0.words["server.no-day"] }
        f.optionalText("time") { $0.receipt.draft.time?.formatted }
        f.text("memberName") { $0.receipt.personName }
        f.text("total") { page in page.total.map(page.money) ?? "–" }
        f.optionalText("splitHref") { page in
            page.receipt.state.name == .confirmed ? "/expenses/\(page.receipt.id)/split" : nil
        }
        f.optionalText("expenseHref") { page in
            page.receipt.state.name == .confirmed ? "/receipts/\(page.receipt.id)/expense" : nil
        }
        f.flag("isDiscarded") { $0.receipt.state.name == .discarded }
        f.optional("newNames") { $0.newNameCount > 0 ? WaitingCount(count: $0.newNameCount) : nil }
        f.optionalText("hiddenUntil") { page in
            page.receipt.draft.hiddenUntil.flatMap { $0 > WallClock.today() ? $0.formatted(page.language) : nil }
        }
        f.optional("foreign") { $0.foreign }
        f.list("bankPairs") { $0.bankPairs }
        f.optionalText("difference") { $0.difference }
        f.optionalText("vat") { $0.vat }
        f.flag("hasPages") { !$0.receipt.pages.isEmpty }
        f.list("pages") { page in
            page.receipt.pages.map { ReviewPicture(receipt: page.receipt.id, page: $0, marks: []) }
        }
        f.list("lines") { page in page.receipt.draft.lines.map(page.line) }
    }

    /// The total. If the receipt was confirmed without a total, the sum of the lines.
    private var total: Int64? {
        let draft = receipt.draft
        return draft.total ?? (receipt.stage == .confirmed && !draft.lines.isEmpty ? draft.sum : nil)
    }

    private func money(_ minorUnits: Int64) -> String {
        Money(minorUnits: minorUnits, currency: receipt.currency).formatted(language)
    }

    /// The difference between lines and total; nil when there is none.
    private var difference: String? {
        guard let difference = receipt.draft.difference, difference != 0, !receipt.draft.lines.isEmpty else {
            return nil
        }
        return (difference > 0 ? "+" : "") + money(difference)
    }

    /// The tax of each rate in one text, such as `7 %: 0,35 € · 19 %: 1,20 €`.
    private var vat: String? {
        let rows = (receipt.vat?.array ?? []).compactMap { row -> String? in
            guard let rate = row["rate"]?.integer, let tax = row["tax"]?.integer else { return nil }
            return "\(VATRate(tenthsOfPercent: Int(rate)).formatted(language)): \(money(tax))"
        }
        return rows.isEmpty ? nil : rows.joined(separator: " · ")
    }

    private func line(_ line: ReviewDraft.Line) -> ShownLine {
        let facts = receipt.facts[line.key]
        let quantity = Quantity(thousandths: line.quantity, unit: line.unit.unit)
        return ShownLine(
            name: line.name, quantity: line.kind == .discount ? "" : quantity.formatted(language),
            unitPrice: line.kind == .discount ? "" : unitPrice(line), factors: factors(line),
            total: line.isUnread ? words["server.unread"] : money(line.total),
            productHref: facts?.product.map { "/products/\($0)" }, productName: facts?.productName ?? "",
            isItem: line.kind == .item, change: changes[line.key])
    }

    /// Quantity and unit price, such as `2 × 1,29` or `0,543 kg × 10,99 €/kg`; nil when they only repeat the amount.
    private func factors(_ line: ReviewDraft.Line) -> String? {
        let quantity = Quantity(thousandths: line.quantity, unit: line.unit.unit)
        guard line.kind != .discount else { return nil }
        guard let price = price(line) else { return quantity == .one ? nil : quantity.formatted(language) }
        if quantity == .one, (try? price.rounded())?.minorUnits == line.total { return nil }
        return line.unit == .piece
            ? "\(quantity.figure(language)) × \(price.figure(language))"
            : "\(quantity.formatted(language)) × \(price.formatted(language))"
    }

    private func price(_ line: ReviewDraft.Line) -> UnitPrice? {
        line.unitPrice.map { UnitPrice(thousandthsOfMinor: $0, currency: receipt.currency, per: line.unit.unit) }
    }

    private func unitPrice(_ line: ReviewDraft.Line) -> String {
        guard let value = price(line) else { return "" }
        guard line.unit == .piece else { return value.formatted(language) }
        return (try? value.rounded())?.formatted(language) ?? ""
    }
}

/// A line of a confirmed receipt.
struct ShownLine: PageModel {
    let name: String
    let quantity: String
    let unitPrice: String
    /// Quantity and unit price in one text, for narrow screens.
    let factors: String?
    let total: String
    let productHref: String?
    let productName: String
    /// False for a discount or a deposit, for example.
    let isItem: Bool
    let change: Change?

    static let fields = Fields<Self> { f in
        f.text("name") { $0.name }
        f.text("quantity") { $0.quantity }
        f.text("unitPrice") { $0.unitPrice }
        f.optionalText("factors") { $0.factors }
        f.text("total") { $0.total }
        f.optionalText("productHref") { $0.productHref }
        f.text("productName") { $0.productName }
        f.flag("isRenamed") { $0.productName != $0.name }
        f.flag("isItem") { $0.isItem }
        f.optional("change") { $0.change }
    }
}
