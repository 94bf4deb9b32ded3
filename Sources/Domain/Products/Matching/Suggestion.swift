/// A suggestion that one tap confirms. It has no effect unless confirmed.
package struct Suggestion: Hashable, Sendable {
    /// The product or the comparison group that is suggested for a printed name.
    package enum Target: Hashable, Sendable {
        /// Another name of this product.
        case product(ProductID)
        /// A new product in this comparison group.
        case group(ComparisonGroupID)
    }

    /// A reason for the suggestion, explained beside the button.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case sameWords, sameBrand, sameSize, sameCategory, similarPrice
    }

    package let target: Target
    /// 0…1, for ordering only.
    package let score: Double
    /// Empty if only the letters are similar.
    package let reasons: Set<Reason>
}
