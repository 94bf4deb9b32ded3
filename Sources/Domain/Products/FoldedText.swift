/// Folds text for comparison: lower case, umlauts and ß spelled out, no accents, at most `maximumLength` scalars.
///
/// `MUELLERMILCH`, `MÜLLERMILCH` and `Müllermilch` all fold to `muellermilch`. Control characters become blanks;
/// invisible characters (direction marks, joiners) and combining marks are removed.
package enum FoldedText {
    /// The maximum length in Unicode scalars; longer text is cut.
    package static let maximumLength = 200

    /// The folded text. Punctuation is kept.
    package static func fold(_ text: some StringProtocol) -> String {
        var result: [UInt8] = []
        append(text, to: &result)
        return String(decoding: result, as: UTF8.self)
    }

    /// Appends the folded form as UTF-8, which avoids a string for each of many names.
    static func append(_ text: some StringProtocol, to result: inout [UInt8]) {
        let start = result.count
        var remaining = maximumLength
        for scalar in text.unicodeScalars {
            guard remaining > 0 else { return }
            remaining -= 1
            switch scalar.value {
            case 0x41...0x5A: result.append(UInt8(scalar.value + 32))
            case 0x20...0x7E: result.append(UInt8(scalar.value))
            case 0..<0x20, 0x7F, 0xA0, 0x2000...0x200A, 0x2028, 0x2029, 0x202F: result.append(0x20)
            case 0x308:
                // A combining diaeresis: the letter is already in the result.
                if result.count > start, let last = result.last, "aou".utf8.contains(last) {
                    result.append(UInt8(ascii: "e"))
                }
            default: appendFolded(scalar, to: &result)
            }
        }
    }

    /// Whether one folded text may be a misreading of the other: at most every fifth letter is wrong, missing or added.
    package static func isMisreading(of text: String, _ other: String) -> Bool {
        let (left, right) = (Array(text.utf8), Array(other.utf8))
        return editDistance(left, right, atMost: max(1, max(left.count, right.count) / 5)) != nil
    }

    private static func appendFolded(_ scalar: Unicode.Scalar, to result: inout [UInt8]) {
        if let letters = latin[scalar] {
            result.append(contentsOf: letters.utf8)
            return
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .privateUse, .surrogate, .unassigned: return
        case .control, .spaceSeparator: result.append(0x20)
        default:
            // The lower-case form can be a letter of the table, or a letter and a mark: `Ÿ`, `İ`.
            for small in scalar.properties.lowercaseMapping.unicodeScalars where !isMark(small) {
                if let letters = latin[small] {
                    result.append(contentsOf: letters.utf8)
                } else {
                    result.append(contentsOf: String(small).utf8)
                }
            }
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
    }

    /// The folded form of letters and signs beyond ASCII.
    private static let latin: [Unicode.Scalar: String] = {
        let rows = [
            "ae": "äÄæÆ", "oe": "öÖœŒø", "ue": "üÜ", "ss": "ßẞ", "a": "àáâãåÀÁÂÃÅ", "c": "çÇčČć", "e": "èéêëÈÉÊË",
            "i": "ìíîïÌÍÎÏ", "n": "ñÑ", "o": "òóôõÒÓÔÕ", "s": "šŠ", "u": "ùúûÙÚÛ", "y": "ýÿ", "z": "žŽ", "'": "’‘`´",
            "-": "–—−‐‑", "x": "×",
        ]
        var table: [Unicode.Scalar: String] = [:]
        for (letters, scalars) in rows { for scalar in scalars.unicodeScalars { table[scalar] = letters } }
        return table
    }()
}

extension UInt8 {
    var isDigit: Bool { (48...57).contains(self) }
    /// Whether the byte is a letter of folded text: a–z, or part of a character beyond ASCII.
    var isFoldedLetter: Bool { (97...122).contains(self) || self >= 0x80 }
}
