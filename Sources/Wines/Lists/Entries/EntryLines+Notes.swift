extension EntryLines {
    /// Whether a line without vintage and price describes a wine.
    static func isNote(_ row: ListRow) -> Bool { !row.isPriced && describes(row) }

    /// Whether a line without vintage is mostly in lower case, is a sentence, or has a word such as `Aromen`.
    static func describes(_ row: ListRow) -> Bool {
        guard !row.text.contains(where: \.isYear) else { return false }
        let words = row.text.filter(\.hasLetterPair)
        let lowerCase = words.count { word in
            word.text.unicodeScalars.first?.properties.isLowercase == true && !particles.contains(word.text)
        }
        let otherWordCount = words.count { !particles.contains($0.text) }
        let texts = WineText.words(row.text.joinedText)
        let isLong =
            lowerCase * 2 >= otherWordCount || isSentence(words, hasLowerCase: lowerCase > 0)
            || WineVocabulary.shared.remarkWords.areNote(texts)
        // A short note has no word with a capital: `trocken ausgebaut`.
        guard words.count >= 3 && isLong || words.count == 2 && lowerCase == 2 else { return false }
        // `vin de pays d’Oc` is a place.
        let placeWordCount = WineVocabulary.shared.places(in: texts).reduce(0) { $0 + $1.range.count }
        return placeWordCount * 5 < texts.count * 3
    }

    /// Whether words have the end of a sentence among them: `Tempranillo, Garnacha. 24 meses en barrica`. Short words with
    /// a full stop are abbreviations, except at the end of at least five words.
    private static func isSentence(_ words: [ListToken], hasLowerCase: Bool) -> Bool {
        if hasLowerCase, words.contains(where: { endsSentence($0, minimumLetters: 5) }) { return true }
        return words.count >= 5 && words.last.map { endsSentence($0, minimumLetters: 4) } == true
    }

    private static func endsSentence(_ word: ListToken, minimumLetters: Int) -> Bool {
        var core = word.text[...]
        while let last = core.last, "\"”»)".contains(last) { core.removeLast() }
        guard core.last == "." else { return false }
        core.removeLast()
        return core.count >= minimumLetters && core.allSatisfy(\.isLetter)
    }

    /// Whether a line below a note is its end: `Haselnüssen.` below `mit Aromen von gerösteten`, or `finish` below
    /// `with a long dry`.
    static func endsNote(_ row: ListRow) -> Bool {
        !row.isPriced && !row.text.contains(where: \.isYear)
            && (row.text.last?.text.hasSuffix(".") == true || row.beginsInLowerCase)
    }

    /// Whether a word is in lower case even in names.
    static func isParticle(_ word: String) -> Bool { particles.contains(word) }

    /// Whether rows without prices are descriptions if they are in lower case: few rows with prices begin in lower
    /// case. If no row has a name and a price, at least a quarter of the rows with text must begin with a capital.
    static func hasNotesInLowerCase(_ rows: [ListRow]) -> Bool {
        let named = rows.filter { !$0.text.isEmpty }
        let priced = named.filter(\.isPriced)
        guard !priced.isEmpty else { return named.count(where: \.beginsInLowerCase) * 4 <= named.count * 3 }
        return priced.count(where: \.beginsInLowerCase) * 4 <= priced.count
    }

    /// Letters that end at least three names with prices, and at least half of them: `O` in `Riesling, Prager O   5,80`.
    static func allergens(_ rows: [ListRow]) -> Set<String> {
        let named = rows.filter { $0.isPriced && $0.text.count > 1 }
        let letters = named.compactMap(\.text.last?.text).filter { text in
            text.count == 1 && text.allSatisfy { ("A"..."R").contains($0) }
        }
        return letters.count >= 3 && letters.count * 2 >= named.count ? Set(letters) : []
    }

    /// Words that are in lower case even in names.
    private static let particles: Set = [
        "de", "du", "des", "la", "le", "les", "di", "del", "della", "delle", "dei", "degli", "da", "dal", "al", "alla",
        "y", "e", "et", "und", "and", "of", "the", "von", "vom", "zu", "zum", "der", "die", "das", "den", "am", "im",
        "in", "an", "auf", "aus", "ob", "sur", "sous", "en", "el", "los", "las", "à", "au", "aux", "by",
    ]
}
