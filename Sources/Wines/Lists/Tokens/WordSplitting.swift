import Recognition

/// Splits words that are a name, a leader and a price, or two of these: `Valley__32.00`, `Brut.....8`, `201844.00`, `Frankreich'17`.
struct WordSplitting {
    private let characters: [Character]
    private let box: PixelBox
    /// Of a character, in pixels. A word that was read over a wide blank is longer than its characters: then these are as wide as
    /// usual, from its ends.
    private let pitch: Int
    private let isStretched: Bool

    init(_ characters: [Character], _ box: PixelBox) {
        self.characters = characters
        self.box = box
        isStretched = box.width * 10 > characters.count * box.height * 8
        pitch = isStretched ? box.height * 11 / 20 : max(1, box.width / max(1, characters.count))
    }

    /// The place of some of its characters.
    func place(_ range: Range<Int>) -> PixelBox {
        let count = characters.count
        var (left, right) = (
            box.x + box.width * range.lowerBound / count, box.x + box.width * range.upperBound / count
        )
        if isStretched, range.upperBound == count, range.lowerBound > 0 {
            (left, right) = (max(box.x, box.maxX - range.count * pitch), box.maxX)
        } else if isStretched, range.lowerBound == 0, range.upperBound < count {
            right = min(box.maxX, box.x + range.count * pitch)
        }
        return PixelBox(x: left, y: box.y, width: max(1, right - left), height: box.height)
    }

    /// Where the word is to be split, and whether the part from there on is a leader.
    func splits(_ range: Range<Int>) -> [(at: Int, isLeader: Bool)] {
        if let leader = leader(range) { return [(leader.lowerBound, true), (leader.upperBound, false)] }
        let place = year(range) ?? lateYear(range) ?? price(range)
        return place.map { [($0, false)] } ?? []
    }

    private func text(_ range: Range<Int>) -> String { String(characters[range]) }

    private func leader(_ range: Range<Int>) -> Range<Int>? {
        var start = range.lowerBound
        while start < range.upperBound {
            guard "_.…·•".contains(characters[start]) else {
                start += 1
                continue
            }
            let signs = characters[start..<range.upperBound].prefix { "_.…·•".contains($0) }
            let isLeader = signs.count >= 3 || signs.contains { "_…".contains($0) }
            if isLeader, start > range.lowerBound, signs.endIndex < range.upperBound { return start..<signs.endIndex }
            start = signs.endIndex
        }
        return nil
    }

    /// `201844.00`, `201233` over a wide blank, `’2026`.
    private func year(_ range: Range<Int>) -> Int? {
        let count = range.lowerBound + (WineVintage.isApostrophe(characters[range.lowerBound]) ? 3 : 4)
        guard count < range.upperBound, WineVintage(word: text(range.lowerBound..<count)) != nil,
            let price = PrintedPrice(text(count..<range.upperBound)), characters[count] != "0",
            !price.isBare || isStretched
        else { return nil }
        return count
    }

    /// `Frankreich'17`: a name and its vintage.
    private func lateYear(_ range: Range<Int>) -> Int? {
        let start = range.upperBound - 3
        guard start > range.lowerBound,
            characters[start - 1].isLetter || WineVintage.isApostrophe(characters[start - 1]),
            WineVintage.isApostrophe(characters[start]), WineVintage(word: text(start..<range.upperBound)) != nil,
            characters[range.lowerBound..<start].contains(where: \.isLetter)
        else { return nil }
        return start
    }

    /// `Vineyards72` over a wide blank: a name and its price.
    private func price(_ range: Range<Int>) -> Int? {
        guard isStretched, let last = characters[range].lastIndex(where: \.isLetter), last > range.lowerBound else {
            return nil
        }
        let start = last + 1
        guard start < range.upperBound else { return nil }
        let rest = characters[start..<range.upperBound].firstIndex { $0.isNumber || "€$£".contains($0) } ?? start
        return rest > start && rest < range.upperBound && PrintedPrice(text(rest..<range.upperBound)) != nil
            ? rest : PrintedPrice(text(start..<range.upperBound)) != nil ? start : nil
    }
}
