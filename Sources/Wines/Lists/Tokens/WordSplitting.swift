import Recognition

/// Splits words that join two or three of name, vintage, leader and price: `Valley__32.00`, `Brut.....8`, `201844.00`,
/// `Frankreich'17`.
struct WordSplitting {
    private let characters: [Character]
    private let box: PixelBox
    /// The width of a character in pixels: the width of the box divided by the number of characters. If `isStretched`
    /// is set, it is derived from the height instead.
    private let pitch: Int
    /// Whether the box is too wide for the characters, because the word was read across a wide blank.
    private let isStretched: Bool

    init(_ characters: [Character], _ box: PixelBox) {
        self.characters = characters
        self.box = box
        isStretched = box.width * 10 > characters.count * box.height * 8
        pitch = isStretched ? box.height * 11 / 20 : max(1, box.width / max(1, characters.count))
    }

    /// The box of a range of characters.
    func box(of range: Range<Int>) -> PixelBox {
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

    /// The characters before which to split the word, and whether the part that begins there is a leader.
    func splits(_ range: Range<Int>) -> [(at: Int, isLeader: Bool)] {
        if let leader = leader(range) { return [(leader.lowerBound, true), (leader.upperBound, false)] }
        let split = year(range) ?? yearAtEnd(range) ?? price(range)
        return split.map { [($0, false)] } ?? []
    }

    private func text(_ range: Range<Int>) -> String { String(characters[range]) }

    private func leader(_ range: Range<Int>) -> Range<Int>? {
        var start = range.lowerBound
        while start < range.upperBound {
            guard "_.…·•".contains(characters[start]) else {
                start += 1
                continue
            }
            let dots = characters[start..<range.upperBound].prefix { "_.…·•".contains($0) }
            let isLeader = dots.count >= 3 || dots.contains { "_…".contains($0) }
            if isLeader, start > range.lowerBound, dots.endIndex < range.upperBound { return start..<dots.endIndex }
            start = dots.endIndex
        }
        return nil
    }

    /// The end of a vintage before a price: `201844.00`, `201233` across a wide blank, `’2026`.
    private func year(_ range: Range<Int>) -> Int? {
        let count = range.lowerBound + (WineVintage.isApostrophe(characters[range.lowerBound]) ? 3 : 4)
        guard count < range.upperBound, WineVintage(word: text(range.lowerBound..<count)) != nil,
            let price = PrintedPrice(text(count..<range.upperBound)), characters[count] != "0",
            !price.hasOnlyDigits || isStretched
        else { return nil }
        return count
    }

    /// The end of a name before its vintage: `Frankreich'17`.
    private func yearAtEnd(_ range: Range<Int>) -> Int? {
        let start = range.upperBound - 3
        guard start > range.lowerBound,
            characters[start - 1].isLetter || WineVintage.isApostrophe(characters[start - 1]),
            WineVintage.isApostrophe(characters[start]), WineVintage(word: text(start..<range.upperBound)) != nil,
            characters[range.lowerBound..<start].contains(where: \.isLetter)
        else { return nil }
        return start
    }

    /// The end of a name before its price: `Vineyards72` across a wide blank.
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
