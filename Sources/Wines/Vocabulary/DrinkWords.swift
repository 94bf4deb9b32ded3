/// The words by which mixed drinks are recognised.
struct DrinkWords: Sendable {
    /// Names of mixed drinks: `Aperol Spritz`.
    private var names = PhraseTable<Bool>()
    /// Words that no wine is named after: `Spritz`. Long ones also count at the end of another word: `Sommerspritzer`.
    private var kinds: Set<String> = []
    /// Names of drinks and the words that may be beside them: `Hugo mit Minze`.
    private var parts = PhraseTable<Bool>()

    /// - Parameter lines: The lines of `drinks.txt`.
    init(_ lines: [(key: String, values: [String])]) {
        for (key, values) in lines {
            switch key {
            case "kind": kinds = Set(values.flatMap(WineText.words))
            case "name":
                for name in values {
                    names.add(name, true)
                    parts.add(name, true)
                }
            default: for ingredient in values { parts.add(ingredient, true) }
            }
        }
    }

    /// Whether the words name a kind of mixed drink: `Limoncello Spritz`.
    func namesKind(_ words: [String]) -> Bool {
        words.contains { word in
            kinds.contains(word) || kinds.contains { $0.utf8.count >= Self.minimumLength && word.hasSuffix($0) }
        }
    }

    /// The minimum length of a word that counts at the end of another word.
    private static let minimumLength = 6

    /// Whether the words are only names of mixed drinks and their ingredients.
    func hasOnlyDrinkWords(_ words: [String]) -> Bool {
        !names.find(in: words).isEmpty && otherWords(words).isEmpty
    }

    /// The words that are neither a name of a mixed drink nor an ingredient.
    func otherWords(_ words: [String]) -> [String] {
        let known = parts.find(in: words).map(\.range)
        return words.indices.filter { index in !known.contains { $0.contains(index) } }.map { words[$0] }
    }
}
