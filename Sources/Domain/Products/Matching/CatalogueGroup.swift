/// A comparison group: products of several chains that are one good, such as `H-Milch 3,5 %`, compared per base unit.
package struct CatalogueGroup: Sendable {
    package let id: ComparisonGroupID
    package let name: String
    package let baseUnit: MeasureUnit
    /// As for ``CatalogueProduct``.
    package let category: String?

    /// - Parameter baseUnit: converted to its base unit.
    package init(id: ComparisonGroupID, name: String, baseUnit: MeasureUnit, category: String? = nil) {
        self.id = id
        self.name = name
        self.baseUnit = baseUnit.base
        self.category = category
    }
}
