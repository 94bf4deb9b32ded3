/// A product's name taken apart: brand, figures and words in canonical form. Made once, compared often.
package struct NameProfile: Sendable {
    struct Word: Hashable, Sendable {
        let text: [UInt8]
        /// Ended by a point, or the last word of a name that fills the till's column.
        let isCut: Bool
        /// How much the word tells: goods most, fillers such as `fein` little.
        let weight: Double
    }

    /// Nothing when the name holds neither letter nor digit.
    package let key: AliasKey?
    /// The brand as people write it.
    package let brand: String?
    /// Nothing when the name prints none.
    package let size: PackageSize?
    /// Percentages in tenths: 3,5 % is 35.
    package let percentages: [Int]
    /// By a word of the name, or because the brand is an organic one.
    package let isOrganic: Bool
    /// The name ends in `kg`, `/kg` or `lose`.
    package let isSoldByWeight: Bool
    /// Canonical words for goods in their order: `milch`.
    package let goods: [String]
    /// Words of the name without brand and figures.
    let words: [Word]
    let keyBytes: [UInt8]
    /// Groups of three letters of the key and of the canonical words, sorted, each once.
    let trigrams: [UInt32]

    /// The category that the words suggest, a key of `CategoryTemplate`.
    package let categoryGuess: String?

    /// Takes the name apart: about as much work as its length, so keep the result.
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
        var goods: [String] = []
        var words: [Word] = []
        for word in canonical {
            let good = vocabulary.good(endingOf: word.text)
            if let good, !goods.contains(good) { goods.append(good) }
            let weight = NameWords.fillers.contains(word.text) ? 0.3 : good == word.text ? 1.5 : 1
            let entry = Word(text: Array(word.text.utf8), isCut: word.isCut, weight: weight)
            if !words.contains(where: { $0.text == entry.text }) { words.append(entry) }
        }
        trigrams = sortedTrigrams([keyBytes] + words.map(\.text))
        self.goods = goods
        self.words = words
        categoryGuess = NameProfile.category(of: goods, vocabulary: vocabulary)
    }

    /// The unit of the base price as far as the name tells.
    package var baseUnit: MeasureUnit? { isSoldByWeight ? .kilogram : size?.baseUnit }

    /// Among several goods the more processed one decides: `PIZZA SALAMI` is frozen, `APFEL SAFT` a drink.
    private static func category(of goods: [String], vocabulary: Vocabulary) -> String? {
        let categories = goods.compactMap { vocabulary.goods[$0] }
        // Chocolate, fruit and the like are flavours of what is named last in the dairy case.
        if categories.last == "dairy", categories.allSatisfy({ ["dairy", "sweets", "produce"].contains($0) }) {
            return "dairy"
        }
        return categories.min { rank($0) < rank($1) }
    }

    private static func rank(_ category: String) -> Int { processing.firstIndex(of: category) ?? processing.count }

    private static let processing = [
        "deposit", "pet", "baby", "drugstore", "household", "frozen", "sweets", "drinks", "pantry", "bread", "dairy",
        "meat", "produce", "other",
    ]
}
