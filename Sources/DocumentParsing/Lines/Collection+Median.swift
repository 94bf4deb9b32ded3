extension Collection where Element: Comparable {
    /// The middle element in sorted order, the upper one of two; nil if the collection is empty.
    var median: Element? { sorted()[safe: count / 2] }
}
