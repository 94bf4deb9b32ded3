extension Array {
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension Array where Element: Equatable {
    /// All different orders of the elements, the present one first.
    var permutations: [[Element]] {
        guard count > 1 else { return [self] }
        return indices.filter { firstIndex(of: self[$0]) == $0 }.flatMap { index in
            var others = self
            let first = others.remove(at: index)
            return others.permutations.map { [first] + $0 }
        }
    }
}

extension Collection where Element: Comparable {
    /// The middle element in sorted order, the upper one of two; nil if the collection is empty.
    var median: Element? { sorted()[safe: count / 2] }
}
