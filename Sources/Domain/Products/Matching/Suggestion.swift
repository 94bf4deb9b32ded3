/// A proposal that one tap confirms; nothing follows from it by itself.
package struct Suggestion: Hashable, Sendable {
    /// What the tap does.
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

    /// What is proposed.
    package let target: Target
    /// 0…1; only the order means something.
    package let score: Double
    /// In no order; empty when only the likeness of letters speaks for it.
    package let reasons: Set<Reason>
}
