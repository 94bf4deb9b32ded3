extension Vocabulary {
    /// A readable form of a printed name: `SCHW.SCHNITZEL 500G` → `Schweine Schnitzel 500 g`.
    ///
    /// Expands abbreviations, lowers capitals and separates figures from units. No word is replaced by a different one.
    package func readableName(_ printed: some StringProtocol) -> String {
        let words = ReadableWords.split(String(printed.prefix(FoldedText.maximumLength)))
        let isAllCapitals = !words.contains { $0.text.contains(where: \.isLowercase) && $0.text.count > 2 }
        var result = ""
        var index = 0
        while index < words.count {
            let word = words[index]
            var length = 1
            var text = ReadableWords.cased(word.text, lowersCapitals: isAllCapitals, spelling: spelling)
            if let known = learned[FoldedText.fold(word.text)] {
                text = known
            } else {
                for count in [3, 2, 1] where index + count <= words.count {
                    let phrase = words[index..<index + count].map { FoldedText.fold($0.text) }.joined(separator: " ")
                    // A single word is expanded only if it has a point, because a whole word may look like an
                    // abbreviation. `TK` is always expanded, because it is not a word.
                    guard let full = abbreviations[phrase], count > 1 || words[index].hasPoint || phrase == "tk" else {
                        continue
                    }
                    text = full
                    length = count
                    break
                }
            }
            if !result.isEmpty { result += words[index].joiner }
            result += text
            index += length
        }
        return result
    }
}
