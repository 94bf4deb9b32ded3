import Recognition

/// Finds the words over columns of prices in a row without prices.
enum HeadRow {
    /// Moves sizes and servings at the place of the prices from the text of a row to its heads.
    ///
    /// - Parameter left: Where the prices of the column begin; nil without columns of prices.
    static func separate(_ row: inout ListRow, left: Int?) {
        guard !row.isPriced else { return }
        var start = row.text.count
        while start > 0, row.text[start - 1].isPricing { start -= 1 }
        if let left {
            let place = row.text.firstIndex { $0.box.x + $0.box.width / 2 >= left - row.height } ?? row.text.count
            start = min(start, place)
        }
        let candidates = row.text[start...].map(withServing)
        let sizes = candidates.filter { if case .size = $0.kind { true } else { false } }
        let servings = candidates.filter { if case .serving = $0.kind { true } else { false } }
        // A serving alone at the end of a text is a part of a name: `Cuvée Magnum`.
        let isOver = left.map { left in servings.contains { $0.box.maxX >= left - row.height } } ?? (start == 0)
        guard !sizes.isEmpty || !servings.isEmpty && (isOver || start == 0) else { return }
        row.heads = candidates.filter { $0.kind != .word }
        row.text = Array(row.text[..<start])
    }

    /// A word that is a serving with one letter misread.
    private static func withServing(_ token: ListToken) -> ListToken {
        guard token.kind == .word else { return token }
        let word = WineText.fold(token.text).filter { $0 != UInt8(ascii: " ") }
        guard word.count >= 4 else { return token }
        var token = token
        for known in WineVocabulary.shared.servingWords
        where known.word.count >= 4 && Misreading.isWithinOneEdit(word, known.word) {
            token.kind = .serving(known.serving)
        }
        return token
    }
}
