/// The price of one size of a wine on a list.
package struct WineListPrice: Sendable, Equatable {
    /// The vessel in which the wine is served.
    package enum Serving: String, Sendable, CaseIterable {
        case glass
        case carafe
        case half
        case bottle
        case magnum
    }

    /// In millilitres; nil when the list does not state it.
    package var size: Int?
    package var serving: Serving
    /// In minor units.
    package var amount: Int
    /// ISO 4217; nil when the list does not state it.
    package var currency: String?
    /// In thousandths.
    package var confidence: Int

    package init(
        size: Int? = nil, serving: Serving = .bottle, amount: Int, currency: String? = nil, confidence: Int = 1000
    ) {
        self.size = size
        self.serving = serving
        self.amount = amount
        self.currency = currency
        self.confidence = confidence
    }
}
