import Recognition

/// How well the prices of some words were read.
struct PriceEvidence {
    /// Sum of the confidences of words that look like a price, less what looks like a broken one.
    private(set) var weight = 0
    private(set) var prices = 0
    private(set) var doubtful = 0

    init(_ words: [RecognizedWord]) {
        for word in words {
            switch Self.look(word.text) {
            case .price:
                prices += 1
                weight += word.confidence
                if word.confidence < 80 { doubtful += 1 }
            case .damagedPrice:
                doubtful += 1
                weight -= 20
            case .other: continue
            }
        }
    }

    /// The best of several passes over one page.
    init(_ passes: [[RecognizedLine]]) {
        self =
            passes.map { PriceEvidence($0.flatMap(\.words)) }.max { $0.weight < $1.weight }
            ?? PriceEvidence([RecognizedWord]())
    }

    /// Several prices, each of them sure, and nothing that looks like a broken one.
    var isBeyondDoubt: Bool { prices >= 3 && doubtful == 0 }

    private enum Look { case price, damagedPrice, other }

    /// `1,99`, `-0,25`, `0,25-` are prices; mostly digits with a stray sign are damaged ones.
    private static func look(_ text: String) -> Look {
        let body = text.filter { $0 != "-" && $0 != "€" }
        let parts = body.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
        let areDigits = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 >= 48 && $0 <= 57 } }
        if parts.count == 2, areDigits, parts[1].utf8.count == 2, parts[0].utf8.count <= 4 { return .price }
        let digits = body.utf8.count { $0 >= 48 && $0 <= 57 }
        let isShort = (3...6).contains(body.utf8.count)
        return isShort && digits >= 2 && !areDigits && digits * 2 >= body.utf8.count ? .damagedPrice : .other
    }
}

/// One page from several passes: the first one, or the one whose prices are plainly better, says which lines there are.
/// A line whose price is in doubt is taken from the pass that read it surely; what the others read at the same places
/// stays as alternatives.
func mergePasses(_ passes: [[RecognizedLine]]) -> [RecognizedLine] {
    guard passes.count > 1 else { return passes.first ?? [] }
    let weights = passes.map { PriceEvidence($0.flatMap(\.words)).weight }
    var base = 0
    for index in passes.indices where weights[index] * 100 > max(0, weights[base]) * 115 { base = index }
    let others = passes.indices.filter { $0 != base }.map { passes[$0] }
    return passes[base].map { line in
        let rivals = others.compactMap { $0.first { $0.isBeside(line) } }
        var best = line
        if !line.hasSurePrice {
            for rival in rivals where rival.hasSurePrice && rival.quality > best.quality { best = rival }
        }
        let rest = ([line] + rivals).filter { $0 != best }.flatMap(\.words)
        return RecognizedLine(words: best.words.map { $0.taking(alternativesFrom: rest) })
    }
}

extension RecognizedLine {
    fileprivate var box: PixelBox {
        words.dropFirst().reduce(words.first?.box ?? PixelBox(x: 0, y: 0, width: 0, height: 0)) { $0.union($1.box) }
    }

    /// Whether both stand on the same printed line: they share most of the lower one's height.
    fileprivate func isBeside(_ other: RecognizedLine) -> Bool {
        let mine = box
        let theirs = other.box
        let shared = min(mine.maxY, theirs.maxY) - max(mine.y, theirs.y)
        return shared * 10 > min(mine.height, theirs.height) * 6
    }

    /// It has a price, and nothing in it looks like a doubtful one.
    fileprivate var hasSurePrice: Bool {
        let evidence = PriceEvidence(words)
        return evidence.prices > 0 && evidence.doubtful == 0
    }

    /// Mean confidence, with the prices counting as much as all other words together.
    fileprivate var quality: Int {
        guard !words.isEmpty else { return 0 }
        let mean = words.reduce(0) { $0 + $1.confidence } / words.count
        let evidence = PriceEvidence(words)
        guard evidence.prices > 0 || evidence.doubtful > 0 else { return mean }
        return mean + evidence.weight / max(1, evidence.prices)
    }
}

extension RecognizedWord {
    /// This word with what others read at the same place.
    fileprivate func taking(alternativesFrom others: [RecognizedWord]) -> RecognizedWord {
        guard text.utf8.contains(where: { $0 >= 48 && $0 <= 57 }) else { return self }
        var word = self
        for other in others where other.text != text && overlaps(other) {
            if !word.alternatives.contains(other.text) { word.alternatives.append(other.text) }
        }
        return word
    }

    /// Whether most of the smaller word lies inside the larger one.
    private func overlaps(_ other: RecognizedWord) -> Bool {
        let width = min(box.maxX, other.box.maxX) - max(box.x, other.box.x)
        let height = min(box.maxY, other.box.maxY) - max(box.y, other.box.y)
        guard width > 0, height > 0 else { return false }
        let smaller = min(box.width * box.height, other.box.width * other.box.height)
        return width * height * 2 > smaller
    }
}
