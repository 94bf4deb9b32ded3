extension Array where Element: Equatable {
    /// All different orders of the elements, the given order first.
    var permutations: [[Element]] {
        guard count > 1 else { return [self] }
        return indices.filter { firstIndex(of: self[$0]) == $0 }.flatMap { index in
            var others = self
            let first = others.remove(at: index)
            return others.permutations.map { [first] + $0 }
        }
    }
}
