/// Words that suggest a category (`kWh`, `Diesel`, `Pizza`, `Rezept`), from `keywords.txt`.
package struct KeywordLexicon: CategorizationProvider {
    /// The category by folded word.
    private let words: [String: String]
    /// Texts that also match inside words of at least five letters; longest first.
    private let parts: [(part: String, category: String)]

    package static let shared = KeywordLexicon(
        reading: String(decoding: PackageResources.keywords_txt, as: UTF8.self))

    /// Reads `category: word, *part, …` lines; `#` begins a comment. `*part` also matches inside words.
    init(reading text: String) {
        var words: [String: String] = [:]
        var parts: [(part: String, category: String)] = []
        for (category, entries) in LexiconText.lines(text) {
            for entry in entries {
                let folded = FoldedWords.words(entry).joined(separator: " ")
                words[folded] = category
                if entry.hasPrefix("*") { parts.append((folded, category)) }
            }
        }
        self.words = words
        self.parts = parts.sorted { ($0.part.utf8.count, $1.part) > ($1.part.utf8.count, $0.part) }
    }

    package func suggestion(for expense: ExpenseText) -> CategorySuggestion? {
        // The description of the purchase is more reliable than the payee's name.
        suggestion(FoldedWords.words(expense.what)) ?? suggestion(expense.words)
    }

    private func suggestion(_ text: [String]) -> CategorySuggestion? {
        for word in text {
            if let category = words[word] {
                return CategorySuggestion(category: .builtIn(category), reason: .word(word))
            }
        }
        for word in text where word.utf8.count >= 5 {
            if let found = parts.first(where: { word.contains($0.part) }) {
                return CategorySuggestion(category: .builtIn(found.category), reason: .word(word))
            }
        }
        return nil
    }
}
