/// The meanings of abbreviations on wine lists. Only whole words count: `est` in `forest` is not an abbreviation.
struct Abbreviations: Sendable {
    static let shared = Abbreviations()

    /// The possible meanings of each abbreviation; a meaning may have several words.
    private var meanings: [[UInt8]: [[[UInt8]]]] = [:]

    private init() {
        for (key, shorts) in VocabularyText.lines(PackageResources.abbreviations_txt) {
            let words = WineText.words(key).map { Array($0.utf8) }
            for short in shorts { meanings[WineText.fold(short), default: []].append(words) }
        }
    }

    func meanings(of word: [UInt8]) -> [[[UInt8]]] { meanings[word] ?? [] }
}
