/// The words of wine lists, read from the files of this folder.
struct WineVocabulary: Sendable {
    /// The meaning of a word of a heading.
    enum HeadingWord: Sendable, Equatable {
        case color(WineColor)
        /// Wines of this section are served by the glass.
        case glass
        case serving(WineListPrice.Serving)
        /// Wines of this section are sold by the bottle.
        case bottles
        /// The section does not list wine.
        case other
        /// A word that is common in headings but has no meaning for the entries.
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
    /// Countries by their adjectives, which count only in headings: `Schweizer Weissweine`.
    let adjectives: PhraseTable<String>
    /// Names of wines that contain a place but do not come from it: `Vega Sicilia`.
    private let namesWithPlaces: PhraseTable<Bool>
    /// Single words of headings and countries, to find misread ones.
    let headingWords: [(word: [UInt8], meaning: HeadingWord)]
    let countryWords: [(word: [UInt8], country: String)]
    /// The words of remarks that belong to no wine (`MwSt`), and of the heads of a table (`Jahrgang`).
    let remarkWords: RemarkWords
    /// The words of mixed drinks: `Aperol Spritz`.
    let drinkWords: DrinkWords
    /// Words of the names of producers: `Weingut`.
    let producerWords: Set<String>
    /// The words of `servings`, to find misread ones.
    let servingWords: [(word: [UInt8], serving: WineListPrice.Serving)]

    private init() {
        var headings = PhraseTable<HeadingWord>()
        var headingWords: [(word: [UInt8], meaning: HeadingWord)] = []
        for (key, words) in VocabularyText.lines(PackageResources.sections_txt) {
            let meaning: HeadingWord =
                switch key {
                case "glass": .glass
                case "bottle": .bottles
                case "half": .serving(.half)
                case "magnum": .serving(.magnum)
                case "other": .other
                default: WineColor(rawValue: key).map { .color($0) } ?? .plain
                }
            for word in words {
                headings.add(word, meaning)
                if meaning != .plain, meaning != .other, meaning != .bottles, word.utf8.count >= 5, !word.contains(" ")
                {
                    headingWords.append((WineText.fold(word), meaning))
                }
            }
        }
        self.headings = headings
        self.headingWords = headingWords

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
        var adjectives = PhraseTable<String>()
        var namesWithPlaces = PhraseTable<Bool>()
        var countryWords: [(word: [UInt8], country: String)] = []
        for (key, regions) in VocabularyText.lines(PackageResources.places_txt) {
            if key == "names" {
                for name in regions { namesWithPlaces.add(name, true) }
                continue
            }
            if key == "adjectives" {
                for words in regions.map({ VocabularyText.parts($0, at: "=") }) {
                    for adjective in words.dropFirst() { adjectives.add(adjective, words[0]) }
                }
                continue
            }
            let countries = VocabularyText.parts(key, at: "=")
            guard let country = countries.first else { continue }
            for name in countries {
                places.add(name, Place(country: country))
                if name.utf8.count >= 5, !name.contains(" ") { countryWords.append((WineText.fold(name), country)) }
            }
            for region in regions {
                let names = VocabularyText.parts(region, at: "=")
                guard let first = names.first else { continue }
                for name in names {
                    let place = Place(country: country, region: first)
                    places.add(name, place)
                    // `St. Estèphe`, `St.-Julien`.
                    if name.hasPrefix("Saint-") { places.add("St \(name.dropFirst(6))", place) }
                }
            }
        }
        self.places = places
        self.adjectives = adjectives
        self.namesWithPlaces = namesWithPlaces
        self.countryWords = countryWords
        remarkWords = RemarkWords(VocabularyText.lines(PackageResources.remarks_txt))
        drinkWords = DrinkWords(VocabularyText.lines(PackageResources.drinks_txt))
        producerWords = Set(
            VocabularyText.lines(PackageResources.producers_txt).flatMap(\.values).flatMap(WineText.words))
    }

    /// The places of a text. An abbreviation of two letters, such as `CA`, counts only alone or beside another place of
    /// its country, because it may be another word: `Ca’ del Bosco`. A place in a longer name of `namesWithPlaces` does
    /// not count.
    func places(in words: [String]) -> [(range: Range<Int>, value: Place)] {
        var foundPlaces = places.find(in: words)
        guard !foundPlaces.isEmpty else { return [] }
        for (name, _) in namesWithPlaces.find(in: words) { foundPlaces.removeAll { name.overlaps($0.range) } }
        return foundPlaces.filter { hit in
            let isShort = hit.range.count == 1 && words[hit.range.lowerBound].utf8.count <= 2
            return !isShort || words.count == 1
                || foundPlaces.contains { $0.range != hit.range && $0.value.country == hit.value.country }
        }
    }
}
