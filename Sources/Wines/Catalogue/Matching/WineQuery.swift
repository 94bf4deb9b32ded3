/// A printed text, compared with the words of an index.
struct WineQuery {
    /// Facts about the wine besides its text.
    struct Facts {
        var vintage: Int?
        var color: WineColor?
        var country: String?
        var region: String?
    }

    /// A word of the index that a printed word may mean.
    struct Reading {
        /// The number of the word in `WineIndex.words`.
        var word: UInt32
        /// The similarity of the two words, 0…1; 1 for the same letters.
        var likeness: Float
    }

    struct Word {
        var readings: [Reading]
        /// The rarity of the word, as information in bits.
        var weight: Float
    }

    let index: WineIndex
    let facts: Facts
    /// The words of `facts.country`, and the place that they name; nil without a country.
    let country: (words: [String], place: WineVocabulary.Place?)?
    private(set) var words: [Word] = []

    /// The weight of a word that no label has, in bits.
    private static let unknownWeight: Float = 6
    /// The maximum number of words that are tried for one abbreviation with a full stop.
    private static let maximumBeginnings = 24

    init(_ text: String, _ facts: Facts, _ index: WineIndex) {
        self.index = index
        let printed = PrintedWord.words(text)
        let knownWords = Self.knownWords(in: printed)
        self.facts = knownWords.addingMissingFacts(to: facts)
        country = self.facts.country.map { name in
            let words = WineText.words(name)
            return (words, WineVocabulary.shared.places[words])
        }
        for (position, word) in printed.enumerated() {
            var readings = readings(of: word)
            if position + 1 < printed.count { appendJoined(word, printed[position + 1], to: &readings) }
            if position > 0 { appendJoined(printed[position - 1], word, to: &readings) }
            let weightAsRead = readings.map { index.postings.weight($0.word) * $0.likeness }.max()
            let weight = weightAsRead ?? Self.unknownWeight
            // A word of a place, a grape or a heading has a quarter of its weight, and at most 1.5 bits.
            let isContext = knownWords.isContext[position]
            words.append(Word(readings: readings, weight: isContext ? min(weight, 6) / 4 : weight))
        }
    }

    // MARK: Readings

    /// The words of the index that a printed word may mean: the same word, expanded abbreviations and similar
    /// words.
    private func readings(of word: PrintedWord) -> [Reading] {
        var readings: [Reading] = []
        if let same = index.words.find(word.letters) { readings.append(Reading(word: same, likeness: 1)) }
        for meaning in Abbreviations.shared.meanings(of: word.letters) {
            for meant in meaning {
                if let number = index.words.find(meant) {
                    Self.add(number, meaning.count > 1 ? 0.8 : 0.95, to: &readings)
                }
            }
        }
        let isNumber = word.letters.allSatisfy { (48...57).contains($0) }
        guard word.letters.count >= 3, !isNumber else { return readings }
        if word.isDotted {
            for number in beginnings(word.letters) { Self.add(number, 0.88, to: &readings) }
        }
        if word.letters.count >= 4 {
            index.fuzzy.forEachCandidate(near: word.letters[...]) { number in
                if readings.contains(where: { $0.word == number }) { return }
                let likeness = Misreading.likeness(word.letters[...], index.words[number])
                if likeness >= 0.6 { readings.append(Reading(word: number, likeness: likeness * 0.97)) }
            }
        }
        if readings.count > 12 { readings = Array(readings.sorted { $0.likeness > $1.likeness }.prefix(12)) }
        return readings
    }

    /// Adds a reading, or raises the likeness of the same reading.
    private static func add(_ word: UInt32, _ likeness: Float, to readings: inout [Reading]) {
        if let known = readings.firstIndex(where: { $0.word == word }) {
            readings[known].likeness = max(readings[known].likeness, likeness)
        } else {
            readings.append(Reading(word: word, likeness: likeness))
        }
    }

    /// Adds the word of the index that was printed with a blank or an apostrophe in it.
    private func appendJoined(_ first: PrintedWord, _ second: PrintedWord, to readings: inout [Reading]) {
        if let joined = index.words.find(first.letters + second.letters) { Self.add(joined, 0.93, to: &readings) }
    }

    /// The words of the index that begin with the letters.
    func beginnings(_ letters: [UInt8], maximum: Int = maximumBeginnings) -> [UInt32] {
        var (low, high) = (0, index.alphabetical.count)
        while low < high {
            let middle = (low + high) / 2
            if index.words[index.alphabetical[middle]].lexicographicallyPrecedes(letters) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return Array(index.alphabetical[low...].prefix(maximum).prefix { index.words[$0].starts(with: letters) })
    }

    // MARK: Words of places, grapes and colours

    /// The words of places, grapes and headings in a printed text, and the facts that they state.
    private struct KnownWords {
        /// Whether each word is a place, a grape or a word of headings. The name in the catalogue may lack such words.
        var isContext: [Bool]
        var color: WineColor?
        var country: String?

        func addingMissingFacts(to facts: Facts) -> Facts {
            var facts = facts
            facts.color = facts.color ?? color
            facts.country = facts.country ?? country
            return facts
        }
    }

    private static func knownWords(in printed: [PrintedWord]) -> KnownWords {
        let words = printed.map { String(decoding: $0.letters, as: UTF8.self) }
        var result = KnownWords(isContext: Array(repeating: false, count: words.count))
        for (range, place) in WineVocabulary.shared.places(in: words) {
            for index in range { result.isContext[index] = true }
            if place.region == nil { result.country = place.country }
        }
        for (range, _) in WineVocabulary.shared.grapes.find(in: words) {
            for index in range { result.isContext[index] = true }
        }
        for (range, meaning) in WineVocabulary.shared.headings.find(in: words) {
            for index in range { result.isContext[index] = true }
            if case .color(.rose) = meaning { result.color = .rose }
        }
        return result
    }
}
