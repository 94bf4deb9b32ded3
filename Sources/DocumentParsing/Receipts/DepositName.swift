import Domain
import Recognition

/// Decides whether a line with a deposit word is a deposit or an item, such as a drink or a bag for empty bottles.
struct DepositName {
    enum Classification { case deposit, doubtful, item }

    private let line: ReadLine
    private let match: PhraseMatch
    /// The words beside the key word that may name an item, in uppercase letters only.
    private let others: [String]
    /// The key word in uppercase letters only.
    private let word: String
    /// Whether no word of the name precedes the key word.
    private let isFirst: Bool

    init(_ line: ReadLine, _ match: PhraseMatch) {
        self.line = line
        self.match = match
        let range = line.nameAfterQuantity ?? line.nameRange
        let name = Set(range.map { line.line.wordAt[$0] }).sorted()
        func letters(_ index: Int) -> String { line.line.words[index].text.uppercased().filter(\.isLetter) }
        others = name.filter { !match.words.contains($0) }.map(letters).filter { word in
            word.count >= 3 && !Self.fillerWords.contains(word) && !Self.depositWords.contains(where: word.contains)
        }
        word = match.words.map(letters).joined()
        isFirst = !name.contains { $0 < match.words.lowerBound && !letters($0).isEmpty }
    }

    /// Classifies a line with a word such as `PFAND`. If other words are present, the amount decides: `PFAND COLA 0,25`
    /// is a deposit; `MILCH PFANDGLAS 1,49` and `COLA + PFAND 1,04` are items.
    func classification(_ amount: Int64) -> Classification {
        if isAdded { return .item }
        let isAmount = DepositLexicon.contains(amount)
        let itemWords = others.filter { !Self.isContainer($0) && !(isAmount && $0.hasPrefix("BIER")) }
        let isDepositWord =
            word.hasSuffix("PFAND") || word.hasSuffix("PFANDARTIKEL")
            || Self.startsOfDepositWords.contains(where: word.hasPrefix)
        if itemWords.isEmpty || (isFirst && isDepositWord) { return .deposit }
        guard isAmount else {
            // The amount may be the sum of several deposits. Their count is printed elsewhere.
            let isSum = DepositLexicon.sums.contains { amount.isMultiple(of: $0.deposit) }
            return isDepositWord && isSum ? .doubtful : .item
        }
        return amount.magnitude <= 50 || others.contains(where: Self.isCrate) ? .deposit : .doubtful
    }

    /// Classifies a line with a word such as `EINWEG`, which names of items also have: `EINWEG BECHER`, `GLAS EINSATZ`.
    func classificationOfWeakWord(_ amount: Int64) -> Classification {
        guard DepositLexicon.contains(amount) else { return .item }
        let isSingle = DepositLexicon.bottles.contains(amount.magnitude)
        let hasOther = others.contains { word in
            !(Self.isCrate(word) || ["FLASCH", "DOSE"].contains(where: word.contains))
                && !(isSingle && word.hasPrefix("BIER"))
        }
        // Doubtful: `VASENEINSATZ`, and a rental for more than the deposit of a bottle.
        let isOther =
            word.hasSuffix("EINSATZ") && word != "EINSATZ" && !Self.isCrate(word)
            && !["FLASCH", "PFAND", "LEER"].contains(where: word.contains)
        let isRent = word.hasPrefix("LEIH") && amount.magnitude > 50
        return hasOther || isOther || isRent ? .doubtful : .deposit
    }

    /// Classifies a line with a word such as `LEERGUT`: `SAMMELBOX LEERGUT 9,99` and `LEERGUTSACK 0,29` are items.
    func classificationOfReturn(_ amount: Int64) -> Classification {
        if Self.containersForEmpties.contains(where: word.hasSuffix) { return .item }
        return isFirst || others.allSatisfy(Self.isContainer) || DepositLexicon.contains(amount) ? .deposit : .item
    }

    /// Whether the key word is `EMBALLAGE`, which means packaging in French (`EMBALLAGE CADEAU 2,50`) and returned
    /// bottles in Dutch.
    var mayBePackaging: Bool { word.hasPrefix("EMBALLAGE") }

    /// Whether the line is the return of an item and not of bottles: `RUECKGABE HEMD`.
    func isReturnedItem(_ amount: Int64) -> Bool {
        let empties = ["PFAND", "LEER", "FLASCH", "EINSATZ"] + Self.crates
        guard word.hasSuffix("GABE") || word.hasSuffix("NAHME"),
            !empties.contains(where: line.line.string.uppercased().contains)
        else { return false }
        return others.contains { !Self.isContainer($0) } || !DepositLexicon.contains(amount)
    }

    /// Whether a plus sign adds the deposit to an item: `COLA + PFAND`.
    private var isAdded: Bool {
        let before = line.line.words[..<match.words.lowerBound]
        // In `3x + Pfand 0,25`, the plus sign only refers to the line above.
        guard !isFirst, before.contains(where: { $0.text.count(where: \.isLetter) >= 2 }) else { return false }
        return line.line.words[match.words.lowerBound].text.hasPrefix("+")
            || line.line.words[match.words.lowerBound - 1].text.hasSuffix("+")
    }

    private static let crates = ["KIST", "KAST", "KÄST", "STEIGE", "TRAEGER", "TRÄGER", "KARTON"]
    private static let containersForEmpties = [
        "SACK", "SÄCKE", "SAECKE", "BEUTEL", "BEHAELTER", "BEHÄLTER", "BOX", "TASCHE", "KORB", "REGAL", "STÄNDER",
        "STAENDER", "WAGEN", "TONNE", "SAMMLER",
    ]
    /// Words about deposits that do not name items.
    private static let depositWords = [
        "PFAND", "LEER", "EINWEG", "MEHRWEG", "PFLICHT", "SUMME", "GESAMT", "BETRAG", "ARTIKEL",
    ]
    /// Beginnings of words that only deposits have, in several languages.
    private static let startsOfDepositWords = [
        "DPG", "STATIEGELD", "LEEGGOED", "CONSIGNE", "CAUZIONE", "KAUCJA", "GARANTIE",
    ]
    private static let fillerWords: Set<String> = [
        "EUR", "EURO", "CHF", "STK", "STCK", "STÜCK", "PET", "DPG", "INKL", "LTR", "ALU", "EINW", "MEHRW", "PFD", "DER",
        "DIE", "FÜR", "FUER", "VON", "BON", "DRS", "AMBALAJ",
    ]

    private static func isCrate(_ word: String) -> Bool { crates.contains(where: word.contains) }

    private static func isContainer(_ word: String) -> Bool {
        isCrate(word) || ["FLASCH", "DOSE", "GLAS", "GLÄS", "BECHER"].contains(where: word.contains)
    }
}
