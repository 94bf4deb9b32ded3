/// The lines of an entry, without words that are not a part of the wine's name.
struct EntryLines {
    /// The lines with names, places and grapes.
    private(set) var names: [[ListToken]]
    /// The heading above with the producer of this wine; empty if there is none.
    var heading: [ListToken] = []
    /// Descriptions such as `saftig und frisch, mit feiner Säure`.
    private(set) var notes: [[ListToken]]

    /// - Parameters:
    ///   - rows: The rows of the entry.
    ///   - bin: The number of words of the bin number in the first row with text.
    ///   - hasNotes: Whether lines in lower case are descriptions, not names.
    init(_ rows: some Collection<ListRow>, bin: Int, hasNotes: Bool) {
        names = []
        notes = []
        var bin = bin
        var isAfterNote = false
        for row in rows {
            let line = Array(row.text.dropFirst(bin))
            if !row.text.isEmpty { bin = 0 }
            if hasNotes, Self.isNote(row) || isAfterNote && Self.endsNote(row) {
                notes.append(line)
                isAfterNote = true
            } else {
                isAfterNote = false
                names.append(Self.withoutAdditions(line))
            }
        }
        if !names.contains(where: { !$0.isEmpty }) { (names, notes) = (notes, []) }
    }

    private init(names: [[ListToken]], heading: [ListToken]) {
        self.names = names
        self.heading = heading
        notes = []
    }

    /// No lines.
    static let none = EntryLines(names: [], heading: [])

    /// An entry without lines of its own, below a heading with a producer.
    static func below(_ heading: [ListToken]) -> EntryLines { EntryLines(names: [], heading: heading) }

    /// Whether the lines have only a vintage: `2010` below `Château Margaux 2009`.
    var isVintage: Bool {
        let tokens = names.joined()
        return !tokens.isEmpty && tokens.allSatisfy { $0.isYear || WineVintage.isNonVintage($0.text) }
    }

    /// These lines with another vintage.
    func with(_ vintage: EntryLines) -> EntryLines {
        let names = names.map { $0.filter { !$0.isYear && !WineVintage.isNonVintage($0.text) } }
        return EntryLines(names: names + vintage.names, heading: heading)
    }

    /// Whether a line without vintage and price is mostly in lower case.
    static func isNote(_ row: ListRow) -> Bool {
        guard !row.isPriced, !row.text.contains(where: \.isYear) else { return false }
        let words = row.text.filter(\.hasLetterPair)
        let lowerCase = words.count { word in
            word.text.unicodeScalars.first?.properties.isLowercase == true && !particles.contains(word.text)
        }
        let otherWordCount = words.count { !particles.contains($0.text) }
        // A short note has no word with a capital: `trocken ausgebaut`.
        guard words.count >= 3 && lowerCase * 2 >= otherWordCount || words.count == 2 && lowerCase == 2 else {
            return false
        }
        // `vin de pays d’Oc` is a place.
        let texts = WineText.words(row.text.joinedText)
        let placeWordCount = WineVocabulary.shared.places(in: texts).reduce(0) { $0 + $1.range.count }
        return placeWordCount * 5 < texts.count * 3
    }

    /// Whether a line below a note is its end: `Haselnüssen.` below `mit Aromen von gerösteten`, or `finish` below
    /// `with a long dry`.
    private static func endsNote(_ row: ListRow) -> Bool {
        !row.isPriced && !row.text.contains(where: \.isYear)
            && (row.text.last?.text.hasSuffix(".") == true || row.beginsInLowerCase)
    }

    /// Whether a word is in lower case even in names.
    static func isParticle(_ word: String) -> Bool { particles.contains(word) }

    /// Whether rows without prices are descriptions if they are in lower case: few rows with prices begin in lower
    /// case. If no row has a name and a price, at least a quarter of the rows with text must begin with a capital.
    static func areNotesDistinct(_ rows: [ListRow]) -> Bool {
        let named = rows.filter { !$0.text.isEmpty }
        let priced = named.filter(\.isPriced)
        guard !priced.isEmpty else { return named.count(where: \.beginsInLowerCase) * 4 <= named.count * 3 }
        return priced.count(where: \.beginsInLowerCase) * 4 <= priced.count
    }

    /// Words that are in lower case even in names.
    private static let particles: Set = [
        "de", "du", "des", "la", "le", "les", "di", "del", "della", "delle", "dei", "degli", "da", "dal", "al", "alla",
        "y", "e", "et", "und", "and", "of", "the", "von", "vom", "zu", "zum", "der", "die", "das", "den", "am", "im",
        "in", "an", "auf", "aus", "ob", "sur", "sous", "en", "el", "los", "las", "à", "au", "aux", "by",
    ]

    /// The line without sizes, half bottles, percentages, allergens and words for vintages: `0,75 l`, `13,5 % vol.`,
    /// `(A,O)`, `Jg.` in `Jg. 2019`.
    private static func withoutAdditions(_ line: [ListToken]) -> [ListToken] {
        var keptTokens: [ListToken] = []
        for (index, token) in line.enumerated() {
            let word = withoutComma(token.text.lowercased())
            if volumes.contains(word), index > 0 {
                let tokenBefore = line[index - 1]
                if withoutComma(tokenBefore.text).hasSuffix("%") { continue }
                if tokenBefore.text.first?.isNumber == true, !tokenBefore.isYear, keptTokens.last == tokenBefore {
                    keptTokens.removeLast()
                    continue
                }
            }
            if token.size != nil || token.isHalfBottle || strengths.contains(word) || areAllergens(token.text) {
                continue
            }
            if word.hasSuffix("%") {
                if word == "%", keptTokens.last?.text.first?.isNumber == true { keptTokens.removeLast() }
                continue
            }
            if token.isYear, let last = keptTokens.last, vintages.contains(last.text.lowercased()) {
                keptTokens.removeLast()
            }
            keptTokens.append(asWord(token))
        }
        return keptTokens
    }

    /// Converts a serving to a word, because it may be a part of a name: `Krug` means carafe, and is a producer. Magnum
    /// and half bottle are not converted, because they state a size.
    private static func asWord(_ token: ListToken) -> ListToken {
        guard case .serving(let serving) = token.kind, serving != .magnum, serving != .half else { return token }
        var token = token
        token.kind = .word
        return token
    }

    /// Whether a word is a list of the letters of allergens in brackets.
    private static func areAllergens(_ text: String) -> Bool {
        guard text.hasPrefix("("), text.hasSuffix(")"), text.count > 2 else { return false }
        return text.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false).allSatisfy { part in
            part.count == 1 && part.allSatisfy { ("A"..."R").contains($0) }
        }
    }

    private static func withoutComma(_ text: String) -> String {
        var text = text
        while let last = text.last, ",;".contains(last) { text.removeLast() }
        return text
    }

    private static let strengths: Set = ["%vol", "%vol.", "alc.", "alk."]
    /// Words after a strength. Elsewhere, they are parts of names: `Le Vol des Anges`.
    private static let volumes: Set = ["vol", "vol."]
    private static let vintages: Set = ["jg", "jg.", "jhg.", "jahrgang", "millésime", "annata", "añada"]
}
