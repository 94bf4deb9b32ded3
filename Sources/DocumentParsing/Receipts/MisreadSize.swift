/// Repairs package sizes at the end of a photographed name. In thermal print `500G` and `5006`, `80g` and `809`, `1L`
/// and `IL` look almost the same, and engines prefer digits beside digits.
enum MisreadSize {
    static func repaired(_ name: String) -> String { withRepairedUnit(withoutInnerSpace(name)) }

    /// Removes the space that the engine inserted after a comma: `0, 25L`, `PFAND 0, 25`.
    private static func withoutInnerSpace(_ name: String) -> String {
        guard name.contains(", ") else { return name }
        var words: [Substring] = []
        for word in name.split(separator: " ") {
            if let last = words.last, last.hasSuffix(","), last.count <= 3, last.dropLast().allSatisfy(isDigit),
                last.count > 1, word.first.map(isDigit) ?? false, word.prefix(while: isDigit).count <= 3
            {
                words[words.count - 1] = Substring(last + word)
            } else {
                words.append(word)
            }
        }
        return words.joined(separator: " ")
    }

    private static func isDigit(_ sign: Character) -> Bool { sign.isASCII && sign.isNumber }

    private static func withRepairedUnit(_ name: String) -> String {
        let words = name.split(separator: " ")
        if words.count > 2, let package = words.last, packages.contains(package.uppercased()) {
            return withRepairedUnit(String(name.dropLast(package.count + 1))) + " " + package
        }
        guard words.count > 1, let last = words.last, let before = words.dropLast().last,
            words.dropLast().contains(where: { $0.count(where: \.isLetter) >= 3 }),
            let size = repairedSize(last, precededBy: before, isUpper: !name.contains(where: \.isLowercase))
        else { return name }
        return name.dropLast(last.count) + size
    }

    /// Returns the repaired size, also with a multiplier: `5006`, `2x1009`, `6x1,51`.
    private static func repairedSize(_ word: Substring, precededBy before: Substring, isUpper: Bool) -> String? {
        let parts = word.split(omittingEmptySubsequences: false) { "xX".contains($0) }
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[0].allSatisfy(isDigit) else {
            return repairedGrams(word, precededBy: before, isUpper: isUpper) ?? litres[String(word)]
                ?? oneUnit[String(word)] ?? repairedUnitLetter(word)
        }
        let size = repairedGrams(parts[1], precededBy: before, isUpper: isUpper) ?? litres[String(parts[1])]
        return size.map { word.dropLast(parts[1].count) + $0 }
    }

    /// Sizes in litres with the `l` read as a one or a similar character, such as `0,51` and `0,751`.
    private static let litres: [String: String] = [
        "0,2", "0,25", "0,3", "0,33", "0,35", "0,4", "0,5", "0,7", "0,75", "1,5",
    ].reduce(into: [:]) { sizes, size in
        let point = size.replacing(",", with: ".")
        for sign in ["1", "I", "|", "Il", "1l"] {
            sizes[size + sign] = size + "l"
            sizes[point + sign] = point + "l"
        }
    }

    /// Repairs grams: `5006`, `1259`, `2508`. From 40 g on they are multiples of 5. `2009` may be a vintage.
    private static func repairedGrams(_ word: Substring, precededBy before: Substring, isUpper: Bool) -> String? {
        guard word.isNumber(3...4), let unit = word.last, "698".contains(unit), let size = Int(word.dropLast()),
            size >= 40, size.isMultiple(of: unit == "8" ? 50 : 5), !(1950...2029).contains(Int(word) ?? 0),
            word.first != "0", !numbering.contains(before.uppercased())
        else { return nil }
        return word.dropLast() + (unit == "6" || isUpper ? "G" : "g")
    }

    /// Repairs the second letter of a unit: `1k9`, `70c1`.
    private static func repairedUnitLetter(_ word: Substring) -> String? {
        let digits = word.prefix(while: isDigit)
        switch word.dropFirst(digits.count) {
        case "k9", "kq": return (1...2).contains(digits.count) ? digits + "kg" : nil
        case "c1", "cI": return (2...3).contains(digits.count) ? digits + "cl" : nil
        default: return nil
        }
    }

    /// Words that may follow a size.
    private static let packages: Set<String> = [
        "PET", "DOSE", "DS", "DS.", "FL", "FL.", "FLASCHE", "GLAS", "NETZ", "BEUTEL", "TETRA", "BECHER", "KARTON",
    ]

    /// Words that are followed by a number that is not a size.
    private static let numbering: Set<String> = [
        "NR", "NR.", "NO", "NO.", "TYP", "TYPE", "TYP.", "ART", "ART.", "MODELL",
    ]

    /// Sizes of one litre or kilogram with misread characters.
    private static let oneUnit: [String: String] = [
        "IL": "1L", "iL": "1L", "lL": "1L", "1iL": "1L", "1IL": "1L", "Il": "1l", "il": "1l", "1il": "1l",
        "ikg": "1kg", "Ikg": "1kg", "1ikg": "1kg", "1Ikg": "1kg", "iKG": "1KG", "IKG": "1KG", "1iKG": "1KG",
        "1IKG": "1KG",
    ]
}
