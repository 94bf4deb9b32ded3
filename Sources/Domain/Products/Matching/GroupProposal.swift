/// Products of several chains that seem to be the same thing and are in no comparison group.
package struct GroupProposal: Sendable {
    /// The name of the products without brand and size: `Haltbare Milch 3,5 %`.
    package let name: String
    /// The most frequent base unit of the products; the piece if none is known.
    package let baseUnit: MeasureUnit
    /// The category of the first product that has one.
    package let category: String?
    /// The products, from at least two chains.
    package let products: [ProductID]
    /// 0…1, for ordering only.
    package let score: Double
}
