import Recognition

/// Finds the heads of price columns in a row without prices.
enum HeadRow {
    /// Moves sizes and servings above the prices from the text of a row to its heads.
    ///
    /// - Parameters:
    ///   - left: The left edge of the price columns; nil without price columns.
    ///   - onlyAbovePrices: Whether sizes to the left of the price columns belong to entries.
    static func separate(_ row: inout ListRow, left: Int?, onlyAbovePrices: Bool = false) {
        guard !row.isPriced, row.heads.isEmpty else { return }
        var start = row.text.count
        while start > 0, row.text[start - 1].mayBelongToPrice { start -= 1 }
        if let left {
            let firstAbove = firstAbovePrices(row, left: left)
            start = onlyAbovePrices && !isHeading(row) ? firstAbove : min(start, firstAbove)
            start = endOfGlassHeading(row.text, from: start, to: firstAbove)
        }
        let text = Array(row.text[..<start])
        let reading = ListSection.read(text.joinedText)
        // A sentence may state a size: `All wines by the glass are also available in 125ml`.
        guard reading.share >= 700 || text.count(where: \.hasLetterPair) <= maximumWords else { return }
        let parts = row.text[start...].flatMap(Self.parts)
        var candidates = parts.map { withMeaning($0, allowsMisreadServing: true) }
        // Beside other words, a word that resembles a serving is part of a name: `Fläscher Pinot Noir`.
        if candidates.contains(where: \.hasLetterPair) {
            candidates = parts.map { withMeaning($0, allowsMisreadServing: false) }
        }
        let sizes = candidates.filter { if case .size = $0.kind { true } else { false } }
        let servings = candidates.filter { if case .serving = $0.kind { true } else { false } }
        // A serving at the end of a text that is not above the prices is part of a name, as in `Cuvée Magnum`, unless the
        // text is a heading, as in `Rot – Achterl`.
        let isAbovePrices = left.map { left in servings.contains { $0.box.maxX >= left - row.height } } ?? (start == 0)
        let isBesideKind = namesOnlyKind(reading) && !servings.allSatisfy(isMagnumOrHalf)
        guard !sizes.isEmpty || !servings.isEmpty && (isAbovePrices || isBesideKind || start == 0) else {
            // `Weißweine   CHF`.
            if !candidates.isEmpty, candidates.allSatisfy(\.isCurrency), reading.share >= 700 {
                (row.heads, row.text) = (candidates, text)
            }
            return
        }
        // `Magnum` alone is a heading, or the second line of an entry.
        if sizes.isEmpty, !isAbovePrices, servings.allSatisfy(isMagnumOrHalf),
            ListSection.read(row.text.joinedText).section.serving != nil
        {
            return
        }
        row.heads = candidates.filter { $0.kind != .word }
        row.text = text
    }

    /// The maximum number of words beside heads, unless most of them are known words of headings.
    private static let maximumWords = 6

    private static func isMagnumOrHalf(_ token: ListToken) -> Bool { token.isMagnum || token.kind == .serving(.half) }

    /// Whether a text is only a kind of wine.
    private static func namesOnlyKind(_ reading: ListSection.Reading) -> Bool {
        reading.share == 1000 && reading.namesKind && reading.section.region == nil && reading.section.grape == nil
    }

    /// The end of a heading by the glass whose last word was read as a serving: `Sparkling by the glass   125ml`.
    ///
    /// - Parameters:
    ///   - start: The index of the first size or serving.
    ///   - end: The index before which the heading ends.
    static func endOfGlassHeading(_ text: [ListToken], from start: Int, to end: Int) -> Int {
        var start = start
        while start < min(end, text.count - 1), case .serving = text[start].kind,
            ListSection.read(Array(text[...start]).joinedText).section.isByGlass
        {
            start += 1
        }
        return start
    }

    /// Whether the words of a row without its sizes are a heading, but not a place: `Weißwein 0,2 l`.
    private static func isHeading(_ row: ListRow) -> Bool {
        let words = row.text.filter { !$0.mayBelongToPrice }
        let reading = ListSection.read(words.joinedText)
        let section = reading.section
        return reading.share >= 700 && section.region == nil && section.grape == nil
            && (reading.namesKind || section.country == nil)
    }

    private static func firstAbovePrices(_ row: ListRow, left: Int) -> Int {
        row.text.firstIndex { $0.box.x + $0.box.width / 2 >= left - row.height } ?? row.text.count
    }

    /// Whether entries state their size on a line without prices, such as `Rheingau, 0,75 l` below a name. They do if
    /// there is such a line for at least a third of the prices. Headings such as `Weißwein 0,2 l` do not count.
    static func areSizesOfEntries(_ rows: [ListRow], left: Int?) -> Bool {
        guard let left else { return false }
        // Sizes alone in a row above all prices are heads.
        let bare = rows.firstIndex { row in
            !row.isPriced && row.heads.isEmpty && row.text.contains { $0.size != nil }
                && row.text.allSatisfy(\.mayBelongToPrice)
        }
        if let bare, bare < rows.firstIndex(where: \.isPriced) ?? rows.count { return false }
        let pricedCount = rows.count(where: \.isPriced)
        let lines = rows.count { row in
            guard !row.isPriced, row.heads.isEmpty, case .size? = row.text.last?.kind else { return false }
            return firstAbovePrices(row, left: left) == row.text.count && !isHeading(row)
        }
        return lines >= 2 && lines * 3 >= pricedCount
    }

    /// Splits a size and a serving that were read as one word, such as `0.1!Bottle`.
    private static func parts(_ token: ListToken) -> [ListToken] {
        let characters = Array(token.text)
        guard token.kind == .word || token.isPrice, characters.count > 5 else { return [token] }
        for end in 2...min(6, characters.count - 4) {
            let secondPart = String(characters[end...])
            guard let serving = serving(secondPart), PrintedSize.misread(String(characters[..<end])) != nil else {
                continue
            }
            var (left, right) = (token, token)
            left.text = String(characters[..<end])
            left.box.width = max(1, token.box.width * end / characters.count)
            right.text = secondPart
            right.box.x = left.box.maxX
            right.box.width = max(1, token.box.maxX - left.box.maxX)
            right.kind = .serving(serving)
            return [left, right]
        }
        return [token]
    }

    /// The token, converted to a size or serving if its text is a misread size or serving.
    private static func withMeaning(_ token: ListToken, allowsMisreadServing: Bool) -> ListToken {
        guard token.kind == .word || token.isPrice else { return token }
        var token = token
        if let size = PrintedSize.misread(token.text) {
            token.kind = .size(size)
        } else if allowsMisreadServing, let serving = serving(token.text) {
            token.kind = .serving(serving)
        }
        return token
    }

    /// The serving that a word means with at most one letter misread. In words of four letters, only a letter of the
    /// same shape may be misread: `Brut` is not `Bout`. In longer words, the first letter must be right: `Terre` is not
    /// `Verre`.
    private static func serving(_ text: String) -> WineListPrice.Serving? {
        let word = WineText.fold(text).filter { $0 != UInt8(ascii: " ") }
        guard word.count >= 4 else { return nil }
        return WineVocabulary.shared.servingWords.first { known in
            guard known.word.count >= 4 else { return false }
            if Misreading.skeleton(known.word[...]) == Misreading.skeleton(word[...]) { return true }
            return known.word.count > 4 && known.word.first == word.first
                && Misreading.isWithinOneEdit(word, known.word)
        }?.serving
    }
}
