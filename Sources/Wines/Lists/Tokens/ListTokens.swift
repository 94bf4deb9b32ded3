import Recognition

/// Converts the words of a line to tokens.
enum ListTokens {
    /// The maximum number of tokens of one line; further ones are dropped.
    private static let maximumTokens = 200

    static func tokens(_ words: [RecognizedWord]) -> [ListToken] {
        var tokens: [ListToken] = []
        for word in words.prefix(maximumTokens) { append(word, to: &tokens) }
        return TokenJoining.joined(tokens)
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
                    text: text, box: splitting.box(of: range), confidence: word.confidence,
                    kind: kind ?? Self.kind(of: text)))
        }
        add(0..<start, .leader)
        if start < end {
            let core = Array(characters[start..<end])
            // A long stroke is a leader, not a dash.
            if core.allSatisfy({ "-–—_~=".contains($0) }), word.box.width > word.box.height * 2 || core.count > 1 {
                return add(start..<end, .leader)
            }
            if let parts = partsAtSlashes(core) {
                for part in parts {
                    add(start + part.lowerBound..<start + part.upperBound)
                    if part.upperBound < core.count {
                        add(start + part.upperBound..<start + part.upperBound + 1, .separator)
                    }
                }
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
        // A single dot or dash may belong to the word: `28,-`, `Btl.`.
        let dots = characters.prefix(count)
        let isLine = dots.contains { "…_".contains($0) } || count == 2 && dots.allSatisfy { $0 == "." }
        return count >= 3 || isLine ? count : 0
    }

    /// The parts between slashes or bars if each is a price, a size or a serving: `8/42`, `0,1l/0,75l`, `Glas/Flasche`,
    /// `42/Fl.`. Nil for other words, such as `2018/19` and `1/8`.
    private static func partsAtSlashes(_ characters: [Character]) -> [Range<Int>]? {
        let slashes = characters.indices.filter { "/|".contains(characters[$0]) }
        guard !slashes.isEmpty, PrintedSize.size(String(characters)) == nil else { return nil }
        let parts = zip([0] + slashes.map { $0 + 1 }, slashes + [characters.count]).map { $0..<$1 }
        let texts = parts.filter { !$0.isEmpty }.map { String(characters[$0]) }
        let prices = texts.compactMap { PrintedPrice($0) }
        if !texts.isEmpty, prices.count == texts.count {
            // `2018/19` is a vintage, `12/05/2024` a date.
            let hasYear = WineVintage.isYear(texts[0]) || texts.count == 3 && WineVintage.isYear(texts[2])
            return hasYear && prices.allSatisfy(\.hasOnlyDigits) ? nil : parts
        }
        let kinds = texts.map { ["dl", "Dl"].contains($0) ? .size(100) : kind(of: $0) }
        let isStated = kinds.contains { kind in
            switch kind {
            case .price, .size, .serving: true
            default: false
            }
        }
        let arePricing = kinds.allSatisfy { kind in
            switch kind {
            case .price, .size, .serving, .currency, .none: true
            default: false
            }
        }
        return isStated && arePricing ? parts : nil
    }

    /// The probable kind of a word or a part of a word.
    static func kind(of text: String) -> ListToken.Kind {
        if ["n/a", "N/A", "n.a.", "na", "n/a.", "-", "–", "—", "--", "x"].contains(text) { return .none }
        if ["/", "|", "¦", "·", "•", "*", ":", ";", "à"].contains(text) { return .separator }
        // Leaders whose dots were read as separate words.
        if text == "." { return .leader }
        if let currency = PrintedPrice.currency(text.filter { $0 != "(" && $0 != ")" }) { return .currency(currency) }
        if let size = PrintedSize.size(withoutSigns(text, ":;,*")) ?? sizeInBrackets(text) { return .size(size) }
        if let vintage = WineVintage(word: text) { return .year(vintage) }
        if let price = PrintedPrice(withoutSigns(text, ";*")) { return .price(price) }
        if let serving = WineVocabulary.shared.servings[WineText.words(text)] { return .serving(serving) }
        return isHalfBottle(text) ? .serving(.half) : .word
    }

    /// Whether a word may be between a name and its serving: `per` in `per glass 8`.
    static func isConnecting(_ text: String) -> Bool { connectingWords.contains(text.lowercased()) }

    private static let connectingWords: Set = [
        "per", "pro", "par", "por", "je", "a", "à", "au", "al", "im", "in", "by", "the", "le", "la", "il", "el", "un",
        "une",
        "una", "ein", "eine",
    ]

    /// The text without the given signs at its end: `0,75l:`, `48,00*`.
    private static func withoutSigns(_ text: String, _ signs: String) -> String {
        var text = text[...]
        while text.count > 1, let last = text.last, signs.contains(last) { text.removeLast() }
        return String(text)
    }

    /// Reads a size in or beside brackets: `(375ml)`, and `(175ml` in `(175ml / 250ml)`.
    private static func sizeInBrackets(_ text: String) -> Int? {
        let core = text.drop { $0 == "(" }
        let size = core.last == ")" ? core.dropLast() : core
        return size.count < text.count ? PrintedSize.size(String(size)) : nil
    }

    /// Whether a text is a half bottle in one word: `1/2-Flasche`, `½Fl.`.
    private static func isHalfBottle(_ text: String) -> Bool {
        guard let half = ["1/2", "½"].first(where: { text.hasPrefix($0) }) else { return false }
        return WineVocabulary.shared.servings[WineText.words(String(text.dropFirst(half.count)))] == .bottle
    }
}
