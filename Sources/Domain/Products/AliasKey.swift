/// The normalised form of a printed name. Two names of a chain are the same if their keys are equal.
///
/// Case, umlaut spelling, punctuation and blanks are ignored. Words, figures, percentages and package sizes count, so
/// `COCA COLA 0,5L` and `COCA COLA 1,5L` have different keys. A plus sign at the end of a word belongs to it: `VITAMIN C`
/// and `VITAMIN C+` are different products. Stored with the printed form, never shown.
package struct AliasKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Folded words separated by single blanks; at most 200 bytes.
    package let text: String
    package var description: String { text }

    /// Longer keys are cut. A name within the limit of names can have a longer key, because folded umlauts have two
    /// letters.
    private static let maximumBytes = 200

    /// Nil when the name has neither a letter, a digit nor a percent sign.
    package init?(printed: some StringProtocol) {
        guard let key = AliasKey.joined(printed),
            // The cut can leave a blank, a point or a bare unit at the end. Normalising again ensures that the key of a
            // key is the key itself.
            let fitting = key.utf8.count > AliasKey.maximumBytes ? AliasKey.joined(AliasKey.cut(key)) : key
        else { return nil }
        text = fitting
    }

    /// Wraps a stored key without normalising it again.
    package init(stored text: String) { self.text = text }

    package static func < (left: AliasKey, right: AliasKey) -> Bool { left.text < right.text }

    /// Nil when the name has neither a letter, a digit nor a percent sign.
    private static func joined(_ name: some StringProtocol) -> String? {
        let words = words(of: Array(FoldedText.fold(name).utf8))
        return words.isEmpty ? nil : joiningFiguresAndUnits(words).joined(separator: " ")
    }

    /// Cuts between two characters, because a part of a character would be stored as U+FFFD.
    private static func cut(_ key: String) -> Substring {
        let end = key.utf8.index(key.startIndex, offsetBy: maximumBytes, limitedBy: key.endIndex)
        return Substring(key.unicodeScalars[..<(end ?? key.endIndex)])
    }

    private static func words(of bytes: [UInt8]) -> [String] {
        var words: [String] = []
        var current: [UInt8] = []
        func isDigit(at index: Int) -> Bool { bytes.indices.contains(index) && bytes[index].isDigit }
        /// Whether no letter, digit or percent sign follows the plus signs that begin at `index`.
        func endsWord(at index: Int) -> Bool {
            guard let next = bytes[index...].first(where: { $0 != UInt8(ascii: "+") }) else { return true }
            return !next.isDigit && !next.isFoldedLetter && next != UInt8(ascii: "%")
        }
        for (index, byte) in bytes.enumerated() {
            if byte.isDigit || byte.isFoldedLetter {
                current.append(byte)
            } else if byte == UInt8(ascii: ".") || byte == UInt8(ascii: ","), isDigit(at: index - 1),
                isDigit(at: index + 1)
            {
                current.append(UInt8(ascii: "."))
            } else if byte == UInt8(ascii: "%") {
                current.append(byte)
            } else if byte == UInt8(ascii: "+"), !current.isEmpty, endsWord(at: index) {
                current.append(byte)
            } else if !current.isEmpty {
                words.append(String(decoding: current, as: UTF8.self))
                current = []
            }
        }
        if !current.isEmpty { words.append(String(decoding: current, as: UTF8.self)) }
        return words
    }

    /// `500 g` and `500G` have the same key.
    private static func joiningFiguresAndUnits(_ words: [String]) -> [String] {
        var result: [String] = []
        for word in words {
            if let last = result.last, last.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }),
                word == "%" || units.contains(word)
            {
                result[result.count - 1] = last + word
            } else {
                result.append(word)
            }
        }
        return result
    }

    private static let units: Set<String> = ["g", "kg", "ml", "cl", "l", "er", "st", "stk"]
}
