import Recognition

/// Converts the words of a line to tokens.
enum ListTokens {
    /// The maximum number of tokens of one line; further ones are dropped.
    private static let most = 200

    static func tokens(_ words: [RecognizedWord]) -> [ListToken] {
        var tokens: [ListToken] = []
        for word in words.prefix(most) { append(word, to: &tokens) }
        return withUnits(withoutStrengths(tokens))
    }

    private static func append(_ word: RecognizedWord, to tokens: inout [ListToken]) {
        let characters = Array(word.text.prefix(80))
        guard !characters.isEmpty else { return }
        var start = leader(characters[...])
        let end = characters.count - min(characters.count - start, leader(Array(characters[start...].reversed())[...]))
        // Separates a dash that is the end of a leader: `-12,00`.
        if start == 0, end > 1, "-–—".contains(characters[0]) {
            let rest = String(characters[1..<end])
            if PrintedPrice(rest) != nil || kind(of: rest) == .none { start = 1 }
        }
        let splitting = WordSplitting(characters, word.box)
        func add(_ range: Range<Int>, _ kind: ListToken.Kind? = nil) {
            guard !range.isEmpty else { return }
            let text = String(characters[range])
            tokens.append(
                ListToken(
                    text: text, box: splitting.place(range), confidence: word.confidence,
                    kind: kind ?? Self.kind(of: text)))
        }
        add(0..<start, .leader)
        if start < end {
            let core = Array(characters[start..<end])
            // A long stroke is a leader, not a dash.
            if core.allSatisfy({ "-–—_~=".contains($0) }), word.box.width > word.box.height * 2 || core.count > 1 {
                return add(start..<end, .leader)
            }
            if let slash = core.firstIndex(where: { "/|".contains($0) }), areBothPrices(core, around: slash) {
                add(start..<start + slash)
                add(start + slash..<start + slash + 1, .separator)
                add(start + slash + 1..<end)
            } else {
                var from = start
                var isLeader = false
                for split in splitting.splits(start..<end) {
                    add(from..<split.at, isLeader ? .leader : nil)
                    (from, isLeader) = (split.at, split.isLeader)
                }
                add(from..<end)
            }
        }
        add(end..<characters.count, .leader)
    }

    /// The number of characters at the beginning that are a leader.
    private static func leader(_ characters: ArraySlice<Character>) -> Int {
        let count = characters.prefix { ".…_·•-–—=~".contains($0) }.count
        if count == characters.count { return count > 1 || characters.first == "…" ? count : 0 }
        // One character may belong to the word: `28,-`, `Btl.`.
        let dots = characters.prefix(count)
        let isLine = dots.contains { "…_".contains($0) } || count == 2 && dots.allSatisfy { $0 == "." }
        return count >= 3 || isLine ? count : 0
    }

    private static func areBothPrices(_ characters: [Character], around slash: Int) -> Bool {
        let (left, right) = (String(characters[..<slash]), String(characters[(slash + 1)...]))
        guard PrintedSize.size(String(characters)) == nil, let first = PrintedPrice(left),
            let second = PrintedPrice(right)
        else { return false }
        return !(WineVintage.isYear(left) && first.hasOnlyDigits && second.hasOnlyDigits)
    }

    private static func kind(of text: String) -> ListToken.Kind {
        if ["n/a", "N/A", "n.a.", "na", "n/a.", "-", "–", "—", "--", "x"].contains(text) { return .none }
        if ["/", "|", "¦", "·", "•"].contains(text) { return .separator }
        if let currency = PrintedPrice.currency(text) { return .currency(currency) }
        if let size = PrintedSize.size(text) ?? sizeInBrackets(text) { return .size(size) }
        if let vintage = WineVintage(word: text) { return .year(vintage) }
        if let price = PrintedPrice(text) { return .price(price) }
        if let serving = WineVocabulary.shared.servings[WineText.words(text)] { return .serving(serving) }
        return .word
    }

    /// Reads a size in brackets: `(375ml)`.
    private static func sizeInBrackets(_ text: String) -> Int? {
        text.hasPrefix("(") && text.hasSuffix(")") ? PrintedSize.size(String(text.dropFirst().dropLast())) : nil
    }

    /// Marks alcoholic strengths such as `12,5 %`, which look like prices, as words.
    private static func withoutStrengths(_ tokens: [ListToken]) -> [ListToken] {
        var tokens = tokens
        for (index, next) in zip(tokens.indices, tokens.indices.dropFirst())
        where tokens[index].isPrice && tokens[next].text.hasPrefix("%") { tokens[index].kind = .word }
        return tokens
    }

    /// The unit of a `1` that is a misread `l` after a number, as in `0,75 l`.
    private static func misreadLiter(_ token: ListToken, after number: ListToken) -> Int? {
        let isPart = number.text.hasPrefix("0,") || number.text.hasPrefix("0.")
        return isPart && token.text == "1" ? PrintedSize.unit("l") : nil
    }

    /// Joins a number with the unit that follows it: `0,75` and `l`.
    private static func withUnits(_ tokens: [ListToken]) -> [ListToken] {
        var joined: [ListToken] = []
        for token in tokens {
            if let last = joined.last,
                let unit = PrintedSize.unit(last.text.hasPrefix("(") ? token.text.filter { $0 != ")" } : token.text)
                    ?? misreadLiter(token, after: last),
                last.text.first?.isNumber == true || last.text.first == "(",
                token.box.x - last.box.maxX <= max(token.box.height, last.box.height),
                let size = PrintedSize.size(last.text.filter { $0 != "(" }, unit: unit)
            {
                joined[joined.count - 1] = ListToken(
                    text: last.text + " " + token.text, box: last.box.union(token.box),
                    confidence: min(last.confidence, token.confidence), kind: .size(size))
            } else {
                joined.append(token)
            }
        }
        return joined
    }
}
