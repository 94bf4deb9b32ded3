/// A proposal that one tap confirms; nothing follows from it by itself.
package struct Suggestion: Hashable, Sendable {
    package enum Target: Hashable, Sendable {
        /// The printed name is another name of this product.
        case product(ProductID)
        /// A new product that belongs to this comparison group.
        case group(ComparisonGroupID)
    }

    /// What speaks for it, for a short explanation beside the button.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case sameWords, sameBrand, sameSize, sameCategory, similarPrice
    }

    package let target: Target
    /// 0…1; only the order means something.
    package let score: Double
    package let reasons: Set<Reason>
}
