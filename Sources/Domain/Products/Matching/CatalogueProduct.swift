/// The properties of a product that matching uses.
package struct CatalogueProduct: Sendable {
    package let id: ProductID
    /// The household's name for the product.
    package let name: String
    /// All printed names that are matched to the product.
    package let aliases: [CatalogueAlias]
    /// A text that identifies the category: a template key or an identifier.
    package let category: String?
    package let group: ComparisonGroupID?
    /// The current package size. If nil, it is read from the name.
    package let size: Quantity?
    /// The last regular price.
    package let price: Money?

    package init(
        id: ProductID, name: String, aliases: [CatalogueAlias], category: String? = nil,
        group: ComparisonGroupID? = nil, size: Quantity? = nil, price: Money? = nil
    ) {
        self.id = id
        self.name = name
        self.aliases = aliases
        self.category = category
        self.group = group
        self.size = size
        self.price = price
    }
}
