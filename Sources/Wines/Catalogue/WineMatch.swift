/// A wine of the catalogue that a printed text may mean.
package struct WineMatch: Sendable, Equatable {
    /// How the wine was found.
    package enum Kind: String, Sendable, CaseIterable {
        /// A person assigned the text to the wine.
        case alias
        /// Producer and name are printed as in the catalogue.
        case exact
        /// Parts of the name are misread, abbreviated or missing.
        case fuzzyName
        /// Parts of the producer are misread, abbreviated or missing.
        case fuzzyProducer
        /// The list shows a vintage that the catalogue does not have; `wine` is the nearest one.
        case otherVintage
    }

    /// The ordinal of the wine: its position in the order in which the wines were added to the index, from 0.
    package var wine: Int32
    /// The probability in thousandths that this is the printed wine, whatever its vintage.
    package var confidence: Int
    package var kind: Kind

    package init(wine: Int32, confidence: Int, kind: Kind) {
        self.wine = wine
        self.confidence = confidence
        self.kind = kind
    }

    /// A match with at least this confidence, in thousandths, is shown as certain.
    package static let certainConfidence = 900
    /// The minimum confidence of a match, in thousandths. A wine with a lower confidence is only offered as a
    /// candidate.
    package static let matchConfidence = 500
}
