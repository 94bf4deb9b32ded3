/// The words of receipts: abbreviations, synonyms, brands, and words for kinds of products (`productWords`).
/// Words are folded (`FoldedText`).
package struct Vocabulary: Sendable {
    /// The built-in lists: German and Austrian words, and product words of other languages.
    package static let german = Vocabulary(
        abbreviations: germanAbbreviations, synonyms: germanSynonyms, brands: germanBrands,
        productWords: germanProductWords, ambiguousWords: germanAmbiguousWords,
        foreignProductWords: String(decoding: PackageResources.products_txt, as: UTF8.self))

    struct Brand: Hashable, Sendable {
        let name: String
        let isOrganic: Bool
        /// The category of all products of the brand; nil if it has products of several categories.
        let category: String?
    }

    /// The full words by folded abbreviation (one to three words).
    private(set) var abbreviations: [String: String] = [:]
    /// The canonical synonym by folded word.
    private(set) var canonical: [String: String] = [:]
    /// The spelling with umlauts by folded word, for readable names.
    private(set) var spelling: [String: String] = [:]
    /// The meaning by folded printed word, learned from the household's confirmed names.
    private(set) var learned: [String: String] = [:]
    private(set) var brands: [String: Brand] = [:]
    /// The category key by canonical word.
    private(set) var productWords: [String: String] = [:]
    /// For each ambiguous product word, the category keys by the words that decide its meaning.
    private(set) var ambiguousWords: [String: [String: String]] = [:]
    /// The category key by folded word or phrase of another language.
    private(set) var foreignProductWords: [String: String] = [:]
    /// Words of `productWords` and of the synonyms, sorted, to complete cut words.
    private(set) var completions: [String] = []
    /// The length of the longest word of `productWords` in bytes.
    private(set) var longestProductWord = 0

    /// The formats are described in `abbreviations.txt`, `products.txt` and the `German….swift` files. Malformed lines
    /// are ignored.
    package init(
        abbreviations: String, synonyms: String, brands: String, productWords: String, ambiguousWords: String = "",
        foreignProductWords: String = ""
    ) {
        for (key, value) in Vocabulary.pairs(abbreviations, separator: "=") {
            self.abbreviations[FoldedText.fold(key)] = value
            for word in value.split(whereSeparator: { $0 == " " || $0 == "-" }) {
                spelling[FoldedText.fold(word)] = String(word)
            }
        }
        for line in synonyms.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            for word in words { canonical[word] = words[0] }
        }
        for (key, value) in Vocabulary.pairs(brands, separator: "=") {
            let parts = value.split(separator: ":").map { Vocabulary.trimmed($0) }
            let mark = parts.dropFirst().first
            self.brands[FoldedText.fold(key)] = Brand(
                name: parts[0], isOrganic: mark == "bio", category: mark == "bio" ? nil : mark)
        }
        for (category, words) in Vocabulary.pairs(productWords, separator: ":") {
            for word in words.split(separator: " ") {
                let productWord = String(word)
                self.productWords[canonical[productWord] ?? productWord] = category
            }
        }
        for (word, meaning) in Vocabulary.pairs(ambiguousWords, separator: "=") {
            for (category, words) in Vocabulary.pairs(meaning, separator: ":") {
                for decidingWord in words.split(separator: " ") {
                    self.ambiguousWords[word, default: [:]][String(decidingWord)] = category
                }
            }
        }
        for (category, phrases) in LexiconText.lines(foreignProductWords) {
            for phrase in phrases {
                self.foreignProductWords[FoldedWords.words(phrase).joined(separator: " ")] = category
            }
        }
        completions = Set(self.productWords.keys).union(canonical.keys).sorted()
        longestProductWord = self.productWords.keys.map(\.utf8.count).max() ?? 0
    }

    /// A copy with further abbreviations, `abbreviation = Full words`, one per line. Later lines replace earlier ones.
    package func adding(abbreviations list: String) -> Vocabulary {
        var extended = self
        for (key, value) in Vocabulary.pairs(list, separator: "=") {
            extended.abbreviations[FoldedText.fold(key)] = value
        }
        return extended
    }

    /// A copy with the abbreviations learned from a household's confirmed names, which take precedence.
    package func learning(from names: some Sequence<(printed: String, name: String)>) -> Vocabulary {
        let learned = LearnedAbbreviations(names)
        var extended = self
        extended.learned = learned.meanings
        extended.spelling.merge(learned.spelling) { _, own in own }
        return extended
    }

    /// The kind of product that `word` names, as a whole or by its last part of at least four letters (`bergkaese` →
    /// `kaese`).
    func productWord(endingOf word: String) -> String? {
        if productWords[word] != nil { return word }
        let bytes = Array(word.utf8)
        guard bytes.count > 5 else { return nil }
        for start in max(2, bytes.count - longestProductWord)..<max(2, bytes.count - 3) {
            let ending = String(decoding: bytes[start...], as: UTF8.self)
            let productWord = canonical[ending] ?? ending
            if productWords[productWord] != nil { return productWord }
        }
        return nil
    }

    /// The categories of the foreign product words in a name, in order. The longest phrase counts.
    func foreignCategories(of words: [String]) -> [String] {
        var categories: [String] = []
        var index = 0
        while index < words.count {
            var length = min(3, words.count - index)
            while length > 0 {
                if let category = foreignCategory(words[index..<index + length].joined(separator: " ")) {
                    categories.append(category)
                    break
                }
                length -= 1
            }
            index += max(1, length)
        }
        return categories
    }

    /// The category of a phrase or of its singular.
    private func foreignCategory(_ phrase: String) -> String? {
        if let category = foreignProductWords[phrase] { return category }
        for ending in ["s", "es"] where phrase.utf8.count >= ending.utf8.count + 4 && phrase.hasSuffix(ending) {
            if let category = foreignProductWords[String(phrase.dropLast(ending.count))] { return category }
        }
        return nil
    }

    /// The only completion of a cut word of at least four letters: `joghur` → `joghurt`. Nil if there are several.
    func completion(of beginning: String) -> String? {
        guard beginning.utf8.count >= 4 else { return nil }
        var low = 0
        var high = completions.count
        while low < high {
            let middle = (low + high) / 2
            if completions[middle] < beginning { low = middle + 1 } else { high = middle }
        }
        var meanings: Set<String> = []
        while low < completions.count, completions[low].hasPrefix(beginning) {
            meanings.insert(canonical[completions[low]] ?? completions[low])
            low += 1
        }
        return meanings.count == 1 ? meanings.first : nil
    }

    /// The parts of each line before and after the first separator. Lines that begin with `#` are comments.
    private static func pairs(_ list: String, separator: Character) -> [(String, String)] {
        list.split(separator: "\n").compactMap { line in
            guard !line.hasPrefix("#"), let border = line.firstIndex(of: separator) else { return nil }
            return (trimmed(line[..<border]), trimmed(line[line.index(after: border)...]))
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop(while: { $0 == " " })
        return String(start.reversed().drop(while: { $0 == " " }).reversed())
    }
}
