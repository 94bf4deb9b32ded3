import Domain
import Templates

/// A price in the table of a product's page, and in words for the chart: each text is made once.
struct ShownPrice: PageModel {
    let price: StoredPrice
    let storeName: String
    let day: String
    let paid: String
    /// Before discounts; nothing where that is what was paid.
    let regular: String?
    let basePrice: String?
    let receiptHref: String?

    init(_ price: StoredPrice, naming: Naming, language: Language) {
        self.price = price
        storeName = naming.store(price.store)
        day = price.day.formatted(language)
        paid = price.paid.shown(language)
        regular = price.regular == price.paid ? nil : price.regular.shown(language)
        basePrice = price.paidBase?.shownAsBase(language)
        receiptHref = price.receipt.map { "/receipts/\($0)" }
    }

    static let fields = Fields<Self> { f in
        f.text("day") { $0.day }
        f.text("storeName") { $0.storeName }
        f.text("paid") { $0.paid }
        f.optionalText("regular") { $0.price.isOffer ? $0.regular : nil }
        f.flag("isOffer") { $0.price.isOffer }
        f.optionalText("basePrice") { $0.basePrice }
        f.optionalText("receiptHref") { $0.receiptHref }
    }
}
