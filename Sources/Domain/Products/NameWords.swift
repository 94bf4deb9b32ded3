/// Splits a name without its figures into words and replaces abbreviations and synonyms by canonical words.
struct NameWords {
    struct Token {
        var text: String
        var isCut: Bool
    }

    /// Words with little information about the product.
    static let fillers: Set<String> = [
        "frisch", "fein", "feine", "feinste", "natur", "classic", "premium", "original", "extra", "sorte", "sorten",
        "klasse", "kl", "hkl", "aus", "mit", "und", "der", "die", "das", "in", "im", "vom", "von", "oesterreich", "at",
        "deutschland", "edition", "neu", "xxl", "gross", "klein", "grosse", "kleine", "gvo", "frei", "stk", "stueck",
        "packung", "pkg", "beutel", "flasche", "dose", "glas", "becher", "tafel", "haltung", "gewuerzt", "verschiedene",
        "deutsche", "heimische", "regional", "pet", "ew", "lose", "echt", "echte", "echter", "unser", "unsere", "mild",
        "jung", "gen", "gentechnikfrei", "haltungsform", "a", "m", "l", "o", "n", "s", "g", "b", "e",
    ]

    private var tokens: [Token] = []
    private(set) var isOrganic = false
    private let vocabulary: Vocabulary

    init(_ rest: String, fillsColumn: Bool, vocabulary: Vocabulary) {
        self.vocabulary = vocabulary
        var current: [UInt8] = []
        func flush(isCut: Bool) {
            guard !current.isEmpty else { return }
            // Drops article numbers.
            if !current.allSatisfy(\.isDigit) {
                tokens.append(Token(text: String(decoding: current, as: UTF8.self), isCut: isCut))
            }
            current = []
        }
        for byte in rest.utf8 {
            if byte.isFoldedLetter || byte.isDigit {
                current.append(byte)
            } else if byte != UInt8(ascii: "'") {
                flush(isCut: byte == UInt8(ascii: "."))
            }
        }
        flush(isCut: fillsColumn)
    }

    /// Removes and returns the brand with the longest match. Brands of up to three letters match only at the beginning.
    mutating func takeBrand() -> Vocabulary.Brand? {
        for length in stride(from: min(3, tokens.count), to: 0, by: -1) {
            for start in 0...(tokens.count - length) {
                let phrase = tokens[start..<start + length].map(\.text).joined(separator: " ")
                guard let brand = vocabulary.brands[phrase], start == 0 || phrase.utf8.count > 3 else { continue }
                tokens.removeSubrange(start..<start + length)
                return brand
            }
        }
        return nil
    }

    /// The words in canonical form, in order.
    mutating func canonicalWords() -> [Token] {
        var result: [Token] = []
        var index = 0
        while index < tokens.count {
            let (replacement, length) = expansion(at: index)
            if let replacement {
                for word in FoldedText.fold(replacement).split(whereSeparator: { $0 == " " || $0 == "-" || $0 == "." })
                {
                    result.append(Token(text: canonical(String(word)), isCut: false))
                }
            } else {
                append(tokens[index], to: &result)
            }
            index += length
        }
        return result
    }

    /// The expansion of the abbreviation of one to three words at `index`.
    private func expansion(at index: Int) -> (words: String?, length: Int) {
        for length in [3, 2, 1] where index + length <= tokens.count {
            let phrase = tokens[index..<index + length].map(\.text).joined(separator: " ")
            if let words = vocabulary.abbreviations[phrase] { return (words, length) }
        }
        return (nil, 1)
    }

    /// Appends the canonical form of a word. Removes `bio`, which sets `isOrganic`.
    private mutating func append(_ token: Token, to result: inout [Token]) {
        var text = token.text
        if text == "bio" || text == "organic" {
            isOrganic = true
            return
        }
        if text.hasPrefix("bio"), text.utf8.count >= 7 {
            isOrganic = true
            text.removeFirst(3)
        }
        if vocabulary.canonical[text] == nil, vocabulary.productWords[text] == nil, token.isCut,
            let completed = vocabulary.completion(of: text)
        {
            result.append(Token(text: completed, isCut: false))
        } else {
            let whole = canonical(text)
            result.append(
                Token(text: whole, isCut: token.isCut && whole == text && vocabulary.productWords[text] == nil))
        }
    }

    /// The canonical form of a word or its singular; the word itself if it is unknown.
    private func canonical(_ word: String) -> String {
        if let known = vocabulary.canonical[word] { return known }
        // Plurals: `joghurts`, `gurken`, `biere`.
        for ending in ["en", "n", "e", "s", "er"]
        where word.utf8.count >= ending.utf8.count + 4 && word.hasSuffix(ending) {
            let stem = String(word.dropLast(ending.count))
            if let known = vocabulary.canonical[stem] { return known }
            if vocabulary.productWords[stem] != nil { return stem }
        }
        return word
    }
}
