/// Guesses the category of a product from the words of its name. Categories are keys of `CategoryTemplate`.
enum CategoryGuess {
    /// A word in canonical form, and the product word that it is or ends with.
    typealias Word = (text: String, productWord: String?)

    /// Returns nil if no word suggests a category.
    ///
    /// - Parameters:
    ///   - words: the words without brand and figures, in order.
    ///   - foreign: the categories of the foreign product words, in order.
    static func category(
        of words: [Word], foreign: [String], brand: Vocabulary.Brand?, _ vocabulary: Vocabulary
    ) -> String? {
        var known: Set<String> = []
        var german: [String] = []
        var ambiguous: [String] = []
        for word in words {
            guard let productWord = word.productWord, known.insert(productWord).inserted,
                let category = vocabulary.productWords[productWord]
            else { continue }
            if vocabulary.ambiguousWords[productWord] == nil {
                german.append(category)
            } else {
                ambiguous.append(category)
            }
        }
        guard !ambiguous.isEmpty else { return mostProcessed(german, foreign) }
        let meanings = meanings(in: words, vocabulary)
        german += meanings.compactMap(\.self) + ambiguous.filter { brand?.category == $0 }
        return mostProcessed(german, foreign) ?? (meanings.isEmpty ? category(ambiguous) : nil)
    }

    /// The categories that other words, or the beginnings of compounds, give to the ambiguous words of a name. Nil for a
    /// compound such as `tomatencreme`, which names a food of an unknown category.
    private static func meanings(in words: [Word], _ vocabulary: Vocabulary) -> [String?] {
        var decidingWords: [String: String] = [:]
        for word in words {
            guard let list = word.productWord.flatMap({ vocabulary.ambiguousWords[$0] }) else { continue }
            decidingWords.merge(list) { first, _ in first }
        }
        var meanings: [String?] = []
        for word in words {
            var text = word.text
            var isBeginning = false
            if let productWord = word.productWord, vocabulary.ambiguousWords[productWord] != nil {
                guard text.hasSuffix(productWord) else { continue }
                text.removeLast(productWord.count)
                isBeginning = true
            }
            for stem in stems(of: text) {
                if let category = decidingWords[stem] {
                    meanings.append(category)
                    break
                }
                if isBeginning,
                    let productWord = vocabulary.productWord(endingOf: vocabulary.canonical[stem] ?? stem),
                    let category = vocabulary.productWords[productWord]
                {
                    meanings.append(["produce", "meat"].contains(category) ? nil : category)
                    break
                }
            }
        }
        return meanings
    }

    /// The word and its possible forms without a plural or a joining letter: `pistazien` → `pistazie`, `erdbeer` →
    /// `erdbeere`.
    private static func stems(of word: String) -> [String] {
        guard word.utf8.count >= 3 else { return [] }
        let shorter = ["s", "n", "en"].filter { word.utf8.count >= $0.utf8.count + 3 && word.hasSuffix($0) }
        return [word] + shorter.map { String(word.dropLast($0.count)) } + [word + "e"]
    }

    /// German and foreign words are judged separately, because `category` depends on their order. `butter` is German
    /// and English. In one list, `BUTTER KEKSE` would have the categories dairy, sweets, dairy, and would be taken for
    /// a dairy product.
    private static func mostProcessed(_ german: [String], _ foreign: [String]) -> String? {
        [category(german), category(foreign)].compactMap(\.self).min { rank($0) < rank($1) }
    }

    /// The category of the most processed product: `PIZZA SALAMI` is frozen, `APFEL SAFT` is a drink.
    private static func category(_ categories: [String]) -> String? {
        // If the last word is a dairy product, sweets and fruit before it are flavours.
        if categories.last == "dairy", categories.allSatisfy({ ["dairy", "sweets", "produce"].contains($0) }) {
            return "dairy"
        }
        return categories.min { rank($0) < rank($1) }
    }

    private static func rank(_ category: String) -> Int { precedence.firstIndex(of: category) ?? precedence.count }

    /// The categories, from the most to the least processed products.
    private static let precedence = [
        "deposit", "pet", "baby", "drugstore", "household", "frozen", "sweets", "drinks", "pantry", "bread", "dairy",
        "meat", "produce", "other",
    ]
}
