/// A word of a printed text, folded.
struct PrintedWord: Equatable {
    var letters: [UInt8]
    /// Whether a full stop follows, as after an abbreviation.
    var isDotted = false

    /// The first words of a text without its vintage, at most `maximum`.
    static func words(_ text: String, maximum: Int = 40) -> [PrintedWord] {
        var words: [PrintedWord] = []
        for chunk in text.prefix(WineText.maximumLength).split(separator: " ")
        where WineVintage(word: String(chunk)) == nil {
            if WineVintage.isNonVintage(String(chunk)) { continue }
            var isOpen = false
            for scalar in chunk.unicodeScalars {
                var letters: [UInt8] = []
                WineText.append(scalar, to: &letters)
                if letters.isEmpty { continue }
                if letters == [0x20] {
                    if scalar == ".", isOpen { words[words.count - 1].isDotted = true }
                    isOpen = false
                } else if isOpen {
                    words[words.count - 1].letters += letters
                } else {
                    words.append(PrintedWord(letters: letters))
                    isOpen = true
                }
            }
        }
        return Array(words.prefix(maximum))
    }
}
