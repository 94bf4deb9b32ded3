/// A printed text that a person assigned to a wine.
package struct WineAlias: Sendable, Equatable {
    /// `WineText.key` of the printed text.
    package var key: String
    /// The ordinal of the wine in the index.
    package var wine: Int32

    package init(key: String, wine: Int32) {
        self.key = key
        self.wine = wine
    }
}
