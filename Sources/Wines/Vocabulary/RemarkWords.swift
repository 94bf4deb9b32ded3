/// The words by which lines that belong to no wine are recognised.
struct RemarkWords: Sendable {
    /// One of these words makes a line a remark even with prices: `Tel. 01 234 56 78`.
    private var otherWords: Set<String> = []
    /// One of these words makes a line a remark: `MwSt`.
    private var clearWords: Set<String> = []
    /// Two of these words make a line a remark: `Preise`, `inkl`.
    private var vagueWords: Set<String> = []
    /// The words of column heads that no wine is named after: `Jahrgang`.
    private var columnWords: Set<String> = []
    /// Other words of table heads: `Weingut`.
    private var headWords: Set<String> = []
    /// The first words of remarks about wines that the list does not name: `Weitere Jahrgänge – auf Anfrage`.
    private var furtherWords: Set<String> = []
    /// Words of descriptions: `Aromen`.
    private var noteWords: Set<String> = []
    /// Words in the place of a price that the list does not state: `auf Anfrage`.
    private var absentPrices = PhraseTable<Bool>()

    /// The minimum number of words of a remark. Shorter lines may be parts of names: `Grand Prix`. Two words are a remark
    /// only if both are words of remarks: `IVA incluido`.
    private static let minimumWords = 3

    /// - Parameter lines: The lines of `remarks.txt`.
    init(_ lines: [(key: String, values: [String])]) {
        for (key, values) in lines {
            let words = Set(values.flatMap(WineText.words))
            switch key {
            case "other": otherWords = words
            case "clear": clearWords = words
            case "vague": vagueWords = words
            case "column": columnWords = words
            case "further": furtherWords = words
            case "note": noteWords = words
            case "absent": for phrase in values { absentPrices.add(phrase, true) }
            default: headWords = words
            }
        }
    }

    /// Whether a line lists no wine, even if it has figures that look like prices.
    func listsNoWine(_ words: [String]) -> Bool {
        // `Tel Quel` is a name.
        let isTelephone = words.first == "tel" && (words.count == 1 || words[1].first?.isNumber == true)
        return isTelephone || words.contains(where: otherWords.contains)
    }

    /// Whether a line is about wines that the list does not name. Such a line may also be a heading: `Weitere Rotweine`.
    func isAboutFurtherWines(_ words: [String]) -> Bool { words.first.map { furtherWords.contains($0) } ?? false }

    /// Whether a line has a word of descriptions.
    func areNote(_ words: [String]) -> Bool { words.contains(where: noteWords.contains) }

    /// Whether words in the place of a price state that the list has none: `auf Anfrage`.
    func isAbsentPrice(_ words: [String]) -> Bool { absentPrices[words] == true }

    /// Whether a line is a remark such as `Alle Preise inkl. MwSt.`.
    func isRemark(_ words: [String]) -> Bool {
        guard words.count >= Self.minimumWords else {
            return words.count > 1 && words.allSatisfy { clearWords.contains($0) || vagueWords.contains($0) }
        }
        return words.contains(where: clearWords.contains) || Set(words).intersection(vagueWords).count >= 2
    }

    /// Whether a line is the head of a table: `Wein  Jahrgang  Preis`.
    func isTableHead(_ words: [String]) -> Bool {
        guard words.contains(where: columnWords.contains),
            words.allSatisfy({ columnWords.contains($0) || headWords.contains($0) })
        else { return false }
        // A line `Vintage` may be a part of the name of a port.
        return words != ["vintage"]
    }
}
