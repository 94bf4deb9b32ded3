import Recognition

/// Finds words in the place of a price, such as `auf Anfrage` and `sur demande`.
enum AbsentPrices {
    /// The maximum number of tokens in the place of a price.
    private static let maximumTokens = 4

    /// Replaces such words at the end of a row by one token that is read like a dash in the place of a price. Must be
    /// called before the prices are separated.
    static func mark(_ row: inout ListRow) {
        guard let words = words(row.text), isInPlaceOfPrice(words.lowerBound, row.text),
            !WineVocabulary.shared.remarkWords.isAboutFurtherWines(WineText.words(row.text.joinedText))
        else { return }
        let tokens = row.text[words]
        var token = tokens.dropFirst().reduce(row.text[words.lowerBound]) { TokenJoining.union($0, $1, .none) }
        token.kind = .none
        row.text.replaceSubrange(words.lowerBound..., with: [token])
        row.hasAbsentPrice = true
    }

    /// Whether a text ends with such words: `Weitere Jahrgänge auf Anfrage`.
    static func endsWithAbsentPrice(_ text: [ListToken]) -> Bool { words(text) != nil }

    /// The range of such words at the end of a text; nil if there are none.
    private static func words(_ text: [ListToken]) -> Range<Int>? {
        let end = (text.lastIndex { $0.kind != .leader && !$0.isCurrency } ?? -1) + 1
        return (max(0, end - maximumTokens)..<end).lazy.map { $0..<end }.first { range in
            let words = WineText.words(Array(text[range]).joinedText)
            return WineVocabulary.shared.remarkWords.isAbsentPrice(words)
        }
    }

    /// Whether words that begin at `start` are in the place of a price: at the start of the row, at a distance from the
    /// text, or after a vintage, a leader or a price. In `Weitere Jahrgänge auf Anfrage`, they are part of the text.
    private static func isInPlaceOfPrice(_ start: Int, _ text: [ListToken]) -> Bool {
        guard start > 0 else { return true }
        let (before, first) = (text[start - 1], text[start])
        return before.isYear || before.mayBelongToPrice || WineVintage.isNonVintage(before.text)
            || first.box.x - before.box.maxX > first.box.height * 3 / 2
    }
}
