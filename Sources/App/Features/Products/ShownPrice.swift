import Domain
import Templates

/// A price with its texts, for the table and the chart of a product's prices.
struct ShownPrice: PageModel {
    let price: StoredPrice
    let storeName: String
    let day: String
    let paid: String
    /// The price before discounts; nil when it equals the price paid.
    let regular: String?
    /// The price paid per base unit, such as a kilogram; nil when the base price equals the price.
    let basePrice: String?
    let receiptHref: String?

    private init(_ price: StoredPrice, naming: Naming, language: Language, texts: inout Texts) {
        self.price = price
        storeName = naming.store(price.store)
        day = price.day.formatted(language)
        paid = texts.shown(price.paid, language)
        regular = price.regular == price.paid ? nil : texts.shown(price.regular, language)
        basePrice = price.repeatsBase ? nil : price.paidBase.map { texts.shownAsBase($0, language) }
        receiptHref = price.receipt.map { "/receipts/\($0)" }
    }

    /// - Returns: the prices in the same order.
    static func list(_ prices: some Sequence<StoredPrice>, naming: Naming, language: Language) -> [ShownPrice] {
        var texts = Texts()
        return prices.map { ShownPrice($0, naming: naming, language: language, texts: &texts) }
    }

    /// Caches texts, because a history often contains the same price, and formatting is slower than a lookup.
    private struct Texts {
        private var prices: [(UnitPrice, String)] = []
        private var bases: [(UnitPrice, String)] = []

        mutating func shown(_ price: UnitPrice, _ language: Language) -> String {
            Self.text(price, &prices) { $0.shown(language) }
        }

        mutating func shownAsBase(_ price: UnitPrice, _ language: Language) -> String {
            Self.text(price, &bases) { $0.shownAsBase(language) }
        }

        /// A linear search from the end. For the 200 prices of a page it is faster than hashing.
        private static func text(
            _ price: UnitPrice, _ known: inout [(UnitPrice, String)], _ make: (UnitPrice) -> String
        ) -> String {
            if let index = known.lastIndex(where: { $0.0 == price }) { return known[index].1 }
            let text = make(price)
            known.append((price, text))
            return text
        }
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
