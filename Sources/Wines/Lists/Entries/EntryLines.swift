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
    ///   - allergens: Letters of allergens that end many lines: `Riesling, Prager O`.
    init(_ rows: some Collection<ListRow>, bin: Int, hasNotes: Bool, allergens: Set<String> = []) {
        names = []
        notes = []
        var bin = bin
        var isAfterNote = false
        for row in rows {
            var line = Array(row.text.dropFirst(bin))
            if !row.text.isEmpty { bin = 0 }
            if line.count > 1, let last = line.last, allergens.contains(last.text) { line.removeLast() }
            // The price may be in the last line of a description.
            let isPricedNote = row.isPriced && names.contains { !$0.isEmpty } && Self.describes(row)
            if hasNotes, Self.isNote(row) || isPricedNote || isAfterNote && Self.endsNote(row) {
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

    /// The line without sizes, half bottles, percentages, marks and words for vintages: `0,75 l`, `13,5 % vol.`, `(vegan)`,
    /// `Jg.` in `Jg. 2019`.
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
            if token.size != nil || token.isHalfBottle || strengths.contains(word) || isMark(token.text) {
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
        // `Braida – 13 % vol.`
        while let last = keptTokens.last, last.kind == .word, ["-", "–", "—"].contains(last.text) {
            keptTokens.removeLast()
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

    /// Whether a word in brackets says that the wine is vegan or organic, or is the number of an additive: `(12)`.
    private static func isMark(_ text: String) -> Bool {
        guard text.hasPrefix("("), text.hasSuffix(")") else { return false }
        let core = text.dropFirst().dropLast().lowercased()
        return marks.contains(core) || (1...2).contains(core.utf8.count) && Int(core).map { $0 <= 14 } == true
    }

    private static let marks: Set = ["v", "ve", "vg", "vn", "gf", "vegan", "bio", "org", "organic"]

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
