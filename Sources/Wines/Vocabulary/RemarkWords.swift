/// The words by which lines that belong to no wine are recognised.
struct RemarkWords: Sendable {
    /// One of these words makes a line a remark even with prices: `Tel. 01 234 56 78`.
    private var other: Set<String> = []
    /// One of these words makes a line a remark: `MwSt`.
    private var clear: Set<String> = []
    /// Two of these words make a line a remark: `Preise`, `inkl`.
    private var vague: Set<String> = []
    /// The words of column heads that no wine is named after: `Jahrgang`.
    private var columns: Set<String> = []
    /// Other words of table heads: `Weingut`.
    private var heads: Set<String> = []
    /// The first words of remarks about wines that the list does not name: `Weitere Jahrgänge – auf Anfrage`.
    private var further: Set<String> = []
    /// Words in the place of a price that the list does not state: `auf Anfrage`.
    private var absent = PhraseTable<Bool>()

    /// The minimum number of words of a remark. Shorter lines may be parts of names: `Grand Prix`. Two words are a remark
    /// only if both are words of remarks: `IVA incluido`.
    private static let fewest = 3

    /// - Parameter lines: The lines of `remarks.txt`.
    init(_ lines: [(key: String, values: [String])]) {
        for (key, values) in lines {
            let words = Set(values.flatMap(WineText.words))
            switch key {
            case "other": other = words
            case "clear": clear = words
            case "vague": vague = words
            case "column": columns = words
            case "further": further = words
            case "absent": for phrase in values { absent.add(phrase, true) }
            default: heads = words
            }
        }
    }

    /// Whether a line lists no wine, even if it has figures that look like prices.
    func areOther(_ words: [String]) -> Bool {
        // `Tel Quel` is a name.
        let isTelephone = words.first == "tel" && (words.count == 1 || words[1].first?.isNumber == true)
        return isTelephone || words.contains(where: other.contains)
    }

    /// Whether a line is about wines that the list does not name. Such a line may also be a heading: `Weitere Rotweine`.
    func areAboutFurther(_ words: [String]) -> Bool { words.first.map { further.contains($0) } ?? false }

    /// Whether words in the place of a price state that the list has none: `auf Anfrage`.
    func areAbsentPrice(_ words: [String]) -> Bool { absent[words] == true }

    /// Whether a line is a remark such as `Alle Preise inkl. MwSt.`.
    func areRemark(_ words: [String]) -> Bool {
        guard words.count >= Self.fewest else {
            return words.count > 1 && words.allSatisfy { clear.contains($0) || vague.contains($0) }
        }
        return words.contains(where: clear.contains) || Set(words).intersection(vague).count >= 2
    }

    /// Whether a line is the head of a table: `Wein  Jahrgang  Preis`.
    func areTableHead(_ words: [String]) -> Bool {
        guard words.contains(where: columns.contains), words.allSatisfy({ columns.contains($0) || heads.contains($0) })
        else { return false }
        // A line `Vintage` may be a part of the name of a port.
        return words != ["vintage"]
    }
}
