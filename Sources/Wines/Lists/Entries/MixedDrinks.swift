/// Recognises mixed drinks among wines: `Bellini`, `Hugo (Prosecco, Minze)`, `Limoncello Spritz`.
///
/// Producers may have such a name, too: `Hugo Chardonnay 2022`, `Bellini, Chianti Rufina`.
enum MixedDrinks {
    /// Whether the lines of an entry name a mixed drink.
    static func isMixedDrink(_ lines: [[ListToken]]) -> Bool {
        let tokens = lines.joined()
        guard !tokens.contains(where: { $0.isYear || WineVintage.isNonVintage($0.text) }),
            let first = lines.first(where: { $0.contains(where: \.hasLetterPair) })
        else { return false }
        let vocabulary = WineVocabulary.shared
        let words = WineText.words(withoutBrackets(first).joinedText)
        if vocabulary.drinkWords.namesKind(words) { return true }
        guard vocabulary.drinkWords.hasOnlyDrinkWords(words) else { return false }
        let others = vocabulary.drinkWords.otherWords(WineText.words(Array(tokens).joinedText))
        return vocabulary.grapes.find(in: others).isEmpty && vocabulary.places(in: others).isEmpty
    }

    /// The tokens before the first bracket; all tokens if there is none.
    private static func withoutBrackets(_ line: [ListToken]) -> [ListToken] {
        let end = line.firstIndex { $0.text.hasPrefix("(") } ?? line.count
        return end > 0 ? Array(line[..<end]) : line
    }
}
