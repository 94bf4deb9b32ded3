/// An analysed product name: brand, figures and words in canonical form.
package struct NameProfile: Sendable {
    struct Word: Hashable, Sendable {
        let text: [UInt8]
        /// Whether the word may be incomplete: it ends with a point, or it is the last word of a name that fills the
        /// till's column.
        let isCut: Bool
        /// 1.5 for the name of a kind of product, 0.3 for fillers such as `fein`, otherwise 1.
        let weight: Double
    }

    /// Nil when the name has no letter, digit or percent sign.
    package let key: AliasKey?
    /// The brand in its usual spelling.
    package let brand: String?
    /// Nil when the name has no size.
    package let size: PackageSize?
    /// Percentages in tenths: 3,5 % is 35.
    package let percentages: [Int]
    /// Whether a word of the name or its brand means organic.
    package let isOrganic: Bool
    /// Whether the name ends with `kg`, `/kg` or `lose`.
    package let isSoldByWeight: Bool
    /// The canonical names of kinds of products in order, such as `milch`.
    package let productWords: [String]
    /// Words of the name without brand and figures.
    let words: [Word]
    let keyBytes: [UInt8]
    /// The trigrams of the key and of the canonical words, sorted, without duplicates.
    let trigrams: [UInt32]

    /// The category that the words suggest, a key of `CategoryTemplate`.
    package let categoryGuess: String?

    /// Analyses the name. This is slow, so callers keep the result.
    package init(_ name: some StringProtocol, vocabulary: Vocabulary = .german) {
        let folded = FoldedText.fold(name)
        let figures = NameFigures(folded: folded)
        key = AliasKey(printed: name)
        keyBytes = key.map { Array($0.text.utf8) } ?? []
        size = figures.package
        percentages = figures.percentages
        isSoldByWeight = figures.isSoldByWeight
        var splitter = NameWords(figures.rest, fillsColumn: folded.utf8.count >= 15, vocabulary: vocabulary)
        let found = splitter.takeBrand()
        brand = found?.name
        let canonical = splitter.canonicalWords()
        isOrganic = found?.isOrganic == true || splitter.isOrganic
        var productWords: [String] = []
        var words: [Word] = []
        var guessWords: [CategoryGuess.Word] = []
        for word in canonical {
            let productWord = vocabulary.productWord(endingOf: word.text)
            guessWords.append((word.text, productWord))
            if let productWord, !productWords.contains(productWord) { productWords.append(productWord) }
            let weight = NameWords.fillers.contains(word.text) ? 0.3 : productWord == word.text ? 1.5 : 1
            let entry = Word(text: Array(word.text.utf8), isCut: word.isCut, weight: weight)
            if !words.contains(where: { $0.text == entry.text }) { words.append(entry) }
        }
        trigrams = sortedTrigrams([keyBytes] + words.map(\.text))
        self.productWords = productWords
        self.words = words
        categoryGuess = CategoryGuess.category(
            of: guessWords, foreign: vocabulary.foreignCategories(of: FoldedWords.words(figures.rest)), brand: found,
            vocabulary)
    }

    /// The unit of the base price; nil if the name does not show it.
    package var baseUnit: MeasureUnit? { isSoldByWeight ? .kilogram : size?.baseUnit }
}
