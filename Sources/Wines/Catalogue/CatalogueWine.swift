/// A wine of the catalogue: one vintage of one label.
package struct CatalogueWine: Sendable, Equatable {
    package var producer: String
    /// The name without producer and vintage.
    package var name: String
    /// Nil for a wine without a vintage.
    package var vintage: Int?
    package var country: String
    package var region: String
    package var color: WineColor?
    package var grapes: [String]

    package init(
        producer: String, name: String, vintage: Int? = nil, country: String = "", region: String = "",
        color: WineColor? = nil, grapes: [String] = []
    ) {
        self.producer = producer
        self.name = name
        self.vintage = vintage
        self.country = country
        self.region = region
        self.color = color
        self.grapes = grapes
    }
}
