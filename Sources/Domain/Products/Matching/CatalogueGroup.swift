/// A comparison group: the same product in several chains, such as `H-Milch 3,5 %`. Prices per base unit are compared.
package struct CatalogueGroup: Sendable {
    package let id: ComparisonGroupID
    package let name: String
    package let baseUnit: MeasureUnit
    /// In the form of ``CatalogueProduct/category``.
    package let category: String?

    /// - Parameter baseUnit: any unit of the same dimension, such as grams; converted to the base unit.
    package init(id: ComparisonGroupID, name: String, baseUnit: MeasureUnit, category: String? = nil) {
        self.id = id
        self.name = name
        self.baseUnit = baseUnit.base
        self.category = category
    }
}
