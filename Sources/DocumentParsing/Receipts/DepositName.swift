import Domain
import Recognition

/// What stands beside the word for a deposit: goods are sold in deposit bottles, and sacks and boxes for empties are goods.
struct DepositName {
    enum Standing { case deposit, doubtful, good }

    private let line: ReadLine
    private let match: PhraseMatch
    /// The words beside the key word that may name a good, capitals and letters only.
    private let others: [String]
    /// The key word as printed, capitals and letters only.
    private let word: String
    private let isFirst: Bool

    init(_ line: ReadLine, _ match: PhraseMatch) {
        self.line = line
        self.match = match
        let range = line.nameBehindQuantity ?? line.nameRange
        let name = Set(range.map { line.line.wordAt[$0] }).sorted()
        func letters(_ index: Int) -> String { line.line.words[index].text.uppercased().filter(\.isLetter) }
        others = name.filter { !match.words.contains($0) }.map(letters).filter { word in
            word.count >= 3 && !Self.small.contains(word) && !Self.allied.contains(where: word.contains)
        }
        word = match.words.map(letters).joined()
        isFirst = !name.contains { $0 < match.words.lowerBound && !letters($0).isEmpty }
    }

    /// Of a word like `PFAND`. Beside other words its amount decides: `PFAND COLA 0,25`, but `MILCH PFANDGLAS 1,49` and
    /// `COLA + PFAND 1,04`.
    func standing(_ amount: Int64) -> Standing {
        if isAdded { return .good }
        let goods = others.filter { !Self.isContainer($0) && !(Self.isLike(amount) && $0.hasPrefix("BIER")) }
        let isBare = word.hasSuffix("PFAND") || word.hasSuffix("PFANDARTIKEL") || word.hasPrefix("DPG")
        if goods.isEmpty || (isFirst && isBare) { return .deposit }
        guard Self.isLike(amount) else {
            // The sum of several, whose number stands elsewhere.
            return isBare && [8, 15, 25].contains(where: amount.isMultiple) ? .doubtful : .good
        }
        return amount.magnitude <= 50 || others.contains(where: Self.isCrate) ? .deposit : .doubtful
    }

    /// Of a word like `EINWEG`, which names goods as well: `EINWEG BECHER 2,50`, `GLAS EINSATZ 1,50`.
    func weakStanding(_ amount: Int64) -> Standing {
        guard Self.isLike(amount) else { return .good }
        let isSingle = [8, 9, 15, 25].contains(amount.magnitude)
        let hasOther = others.contains { word in
            !(Self.isCrate(word) || ["FLASCH", "DOSE"].contains(where: word.contains))
                && !(isSingle && word.hasPrefix("BIER"))
        }
        // `VASENEINSATZ`, and what is lent for more than a bottle costs.
        let isOther =
            word.hasSuffix("EINSATZ") && word != "EINSATZ" && !Self.isCrate(word)
            && !["FLASCH", "PFAND", "LEER"].contains(where: word.contains)
        let isRent = word.hasPrefix("LEIH") && amount.magnitude > 50
        return hasOther || isOther || isRent ? .doubtful : .deposit
    }

    /// Of a word like `LEERGUT`: `SAMMELBOX LEERGUT 9,99` and `LEERGUTSACK 0,29` are goods.
    func returnStanding(_ amount: Int64) -> Standing {
        if Self.keepers.contains(where: word.hasSuffix) { return .good }
        return isFirst || others.allSatisfy(Self.isContainer) || Self.isLike(amount) ? .deposit : .good
    }

    /// `RUECKGABE HEMD`: a word for what is given back, and none for empties.
    func isReturnedGood(_ amount: Int64) -> Bool {
        let empties = ["PFAND", "LEER", "FLASCH", "EINSATZ"] + Self.crates
        guard word.hasSuffix("GABE") || word.hasSuffix("NAHME"),
            !empties.contains(where: line.line.string.uppercased().contains)
        else { return false }
        return others.contains { !Self.isContainer($0) } || !Self.isLike(amount)
    }

    /// `COLA + PFAND`
    private var isAdded: Bool {
        guard !isFirst, match.words.lowerBound > 0 else { return false }
        return line.line.words[match.words.lowerBound].text.hasPrefix("+")
            || line.line.words[match.words.lowerBound - 1].text.hasSuffix("+")
    }

    /// The deposit of one bottle, can or crate, or of a few.
    static func isLike(_ value: Int64) -> Bool {
        value != 0
            && (deposits.contains(Int64(value.magnitude)) || (value % 25 == 0 && value.magnitude <= 300)
                || (value % 8 == 0 && value.magnitude <= 48) || (value % 15 == 0 && value.magnitude <= 120))
    }

    /// Deposits of one bottle, can or crate, in minor units.
    private static let deposits: Set<Int64> = [8, 9, 15, 20, 25, 29, 36, 48, 50, 75, 150, 300, 310, 330, 342, 450]
    private static let crates = ["KIST", "KAST", "KÄST", "STEIGE", "TRAEGER", "TRÄGER", "KARTON"]
    private static let keepers = [
        "SACK", "SÄCKE", "SAECKE", "BEUTEL", "BEHAELTER", "BEHÄLTER", "BOX", "TASCHE", "KORB", "REGAL", "STÄNDER",
        "STAENDER", "WAGEN", "TONNE", "SAMMLER",
    ]
    /// Words of tills about deposits that are no goods of their own.
    private static let allied = [
        "PFAND", "LEER", "EINWEG", "MEHRWEG", "PFLICHT", "SUMME", "GESAMT", "BETRAG", "ARTIKEL",
    ]
    private static let small: Set<String> = [
        "EUR", "EURO", "CHF", "STK", "STCK", "STÜCK", "PET", "DPG", "INKL", "LTR", "ALU", "EINW", "MEHRW", "PFD", "DER",
        "DIE", "FÜR", "FUER", "VON", "BON",
    ]

    private static func isCrate(_ word: String) -> Bool { crates.contains(where: word.contains) }

    private static func isContainer(_ word: String) -> Bool {
        isCrate(word) || ["FLASCH", "DOSE", "GLAS", "GLÄS", "BECHER"].contains(where: word.contains)
    }
}
