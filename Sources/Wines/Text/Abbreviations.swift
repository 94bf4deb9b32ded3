/// What words of wine lists are short for. A short form is a whole word: `est` in `forest` is none.
struct Abbreviations: Sendable {
    static let shared = Abbreviations()

    /// The words that each short form may mean; a meaning can have several words.
    private var meanings: [[UInt8]: [[[UInt8]]]] = [:]

    private init() {
        for (key, shorts) in VocabularyText.lines(PackageResources.abbreviations_txt) {
            let words = WineText.words(key).map { Array($0.utf8) }
            for short in shorts { meanings[WineText.fold(short), default: []].append(words) }
        }
    }

    func meanings(of word: [UInt8]) -> [[[UInt8]]] { meanings[word] ?? [] }
}
