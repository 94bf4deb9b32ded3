/// The words of wine lists, from the files of this folder.
struct WineVocabulary: Sendable {
    /// What a word of a heading says.
    enum HeadingWord: Sendable, Equatable {
        case color(WineColor)
        /// Wines of this section are served by the glass.
        case glass
        /// Belongs to headings, and means nothing of its own.
        case plain
    }

    struct Grape: Sendable, Equatable {
        var name: String
        var color: WineColor
    }

    struct Place: Sendable, Equatable {
        var country: String
        /// Nil for a country.
        var region: String?
    }

    static let shared = WineVocabulary()

    let headings: PhraseTable<HeadingWord>
    let servings: PhraseTable<WineListPrice.Serving>
    let grapes: PhraseTable<Grape>
    let places: PhraseTable<Place>
    /// The words of `servings`, to find misread ones.
    let servingWords: [(word: [UInt8], serving: WineListPrice.Serving)]

    private init() {
        var headings = PhraseTable<HeadingWord>()
        for (key, words) in VocabularyText.lines(PackageResources.sections_txt) {
            let meaning = key == "glass" ? HeadingWord.glass : WineColor(rawValue: key).map { .color($0) } ?? .plain
            for word in words { headings.add(word, meaning) }
        }
        self.headings = headings

        var servings = PhraseTable<WineListPrice.Serving>()
        var servingWords: [(word: [UInt8], serving: WineListPrice.Serving)] = []
        for (key, words) in VocabularyText.lines(PackageResources.servings_txt) {
            guard let serving = WineListPrice.Serving(rawValue: key) else { continue }
            for word in words {
                servings.add(word, serving)
                servingWords.append((WineText.fold(word), serving))
            }
        }
        self.servings = servings
        self.servingWords = servingWords

        var grapes = PhraseTable<Grape>()
        for (key, names) in VocabularyText.lines(PackageResources.grapes_txt) {
            for name in names {
                let synonyms = VocabularyText.parts(name, at: "=")
                guard let color = WineColor(rawValue: key), let first = synonyms.first else { continue }
                for synonym in synonyms { grapes.add(synonym, Grape(name: first, color: color)) }
            }
        }
        self.grapes = grapes

        var places = PhraseTable<Place>()
        for (key, regions) in VocabularyText.lines(PackageResources.places_txt) {
            let countries = VocabularyText.parts(key, at: "=")
            guard let country = countries.first else { continue }
            for name in countries { places.add(name, Place(country: country)) }
            for region in regions {
                let names = VocabularyText.parts(region, at: "=")
                guard let first = names.first else { continue }
                for name in names { places.add(name, Place(country: country, region: first)) }
            }
        }
        self.places = places
    }
}
