extension ListSection {
    /// Reads the meaning of a heading. Texts of more than 14 words have none.
    static func read(_ text: String) -> Reading {
        let words = WineText.words(text)
        guard !words.isEmpty, words.count <= 14 else { return Reading() }
        var reading = Reading()
        var isCovered = [Bool](repeating: false, count: words.count)
        let vocabulary = WineVocabulary.shared
        var sparkling: [Range<Int>] = []
        var colors: [WineColor] = []
        let grapes = vocabulary.grapes.find(in: words)
        for (range, meaning) in vocabulary.headings.find(in: words) {
            // `Blanc` in `Sauvignon Blanc` is no colour.
            if grapes.contains(where: { $0.range.count > 1 && $0.range.contains(range.lowerBound) }) { continue }
            if meaning == .color(.sparkling) { sparkling.append(range) }
            for index in range { isCovered[index] = true }
            switch meaning {
            case .color(let color):
                reading.section.color = reading.section.color ?? color
                if !colors.contains(color) { colors.append(color) }
                reading.namesKind = true
            case .glass:
                reading.section.isByGlass = true
                reading.namesKind = true
            case .serving(let serving):
                reading.section.serving = serving
                reading.namesKind = true
            case .other:
                reading.section.isOther = true
                reading.namesKind = true
            case .bottles:
                reading.section.isByBottle = true
                reading.namesKind = true
            case .plain: break
            }
        }
        let isEnumeration =
            text.contains(where: { "&/,+".contains($0) }) || words.contains(where: conjunctions.contains)
        // `Champagne Rosé` has one colour.
        if isEnumeration, colors.count > 1 { reading.section.colors = colors }
        for (range, place) in vocabulary.places(in: words) {
            for index in range { isCovered[index] = true }
            // In `Champagne & Sparkling`, the place does not apply to all wines. In `Sparkling – Champagne`, it does.
            if isEnumeration, sparkling.count > 1, sparkling.contains(range) { continue }
            reading.section.country = reading.section.country ?? place.country
            reading.section.region = reading.section.region ?? place.region
        }
        for (range, country) in vocabulary.adjectives.find(in: words) {
            for index in range { isCovered[index] = true }
            reading.section.country = reading.section.country ?? country
        }
        for (range, grape) in grapes where !range.allSatisfy({ isCovered[$0] }) {
            for index in range { isCovered[index] = true }
            reading.section.grape = reading.section.grape ?? grape.name
            reading.section.color = reading.section.color ?? grape.color
        }
        if words.count <= 5 { readMisread(words, &isCovered, &reading) }
        // A heading such as `Bier & Wein` includes wine.
        if reading.section.namesWine || words.contains(where: { Self.wineWords.contains($0) }) {
            reading.section.isOther = false
        }
        reading.namesWine = words.contains {
            Self.wineWords.contains($0) || $0.hasSuffix("wein") || $0.hasSuffix("weine")
        }
        if isCovered.contains(true) {
            for index in words.indices where Self.particles.contains(words[index]) { isCovered[index] = true }
        }
        reading.share = isCovered.count { $0 } * 1000 / words.count
        return reading
    }

    /// Reads words with one misread letter.
    ///
    /// Short words often differ from another word in one letter: `Marc` and `Maroc`, `Jamón` and `Japón`, `Franco` and
    /// `France`. In these, only letters of the same shape may be misread: `ltalia`. A word that is alone in its heading
    /// may have any misread letter, unless it is a country.
    private static func readMisread(_ words: [String], _ isCovered: inout [Bool], _ reading: inout Reading) {
        let vocabulary = WineVocabulary.shared
        for (index, text) in words.enumerated() where !isCovered[index] && text.utf8.count >= 4 {
            let word = Array(text.utf8)
            if let hit = vocabulary.countryWords.first(where: { isMisread($0.word, as: word) }) {
                isCovered[index] = true
                reading.section.country = reading.section.country ?? hit.country
            } else if let hit = vocabulary.headingWords.first(where: {
                isMisread($0.word, as: word) || words.count == 1 && Misreading.isWithinOneEdit($0.word, word)
            }) {
                isCovered[index] = true
                reading.namesKind = true
                if case .color(let color) = hit.meaning { reading.section.color = reading.section.color ?? color }
                if hit.meaning == .glass { reading.section.isByGlass = true }
            }
        }
    }

    /// The minimum length of a word in which any letter may be misread.
    private static let longWord = 7

    /// Whether `word` is probably a misread form of `known`, a word of the vocabulary.
    private static func isMisread(_ known: [UInt8], as word: [UInt8]) -> Bool {
        known.count >= longWord
            ? Misreading.isWithinOneEdit(known, word)
            : Misreading.skeleton(known[...]) == Misreading.skeleton(word[...])
    }

    /// Articles and prepositions, which have no meaning beside other words: `Vins d’Alsace`, `I Bianchi`.
    private static let particles: Set = [
        "i", "il", "lo", "gli", "l", "d", "el", "los", "las", "a", "al", "au", "aux", "della", "delle", "dell", "dello",
        "degli", "dalla", "do", "da", "of", "in", "im", "am", "vom", "von", "zum", "mit", "en", "per", "par", "pro",
    ]

    private static let conjunctions: Set = ["und", "and", "et", "e", "y", "og", "och"]

    private static let wineWords: Set = ["wein", "weine", "wine", "wines", "vin", "vins", "vino", "vini", "vinos"]

    /// Words of titles that may be repeated on each page: `Carte des vins`.
    static let listWords: Set = ["list", "carte", "carta"]
}
