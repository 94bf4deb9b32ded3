import Recognition

/// Print of another sheet beside the receipt on the same photo.
///
/// A straight, nearly vertical stripe without print separates the two sheets, and their rows are at different heights.
/// The columns of one receipt are separated by stripes too, but their rows are at the same heights.
struct NeighbourSheet {
    private struct Stripe {
        /// Shift to the right from top to bottom, in thousandths of the height.
        let slope: Int
        /// Horizontal position at the upper edge, in pixels.
        let place: Int
        /// Whether the neighbouring sheet lies to the left of the stripe.
        let isLeft: Bool
        let score: Int

        func isBeyond(_ box: PixelBox) -> Bool {
            let middle = 2 * NeighbourSheet.projected(box.x, box, slope) + box.width
            return isLeft ? middle < 2 * place : middle > 2 * place
        }
    }

    private struct Word {
        let box: PixelBox
        let letterCount: Int
        let isAmount: Bool
    }

    /// The print of another sheet.
    struct OtherSheet {
        /// A document with only this print.
        let document: RecognizedDocument
        /// Whether the print was removed from the receipt's document. If not, the print may also be a column of the
        /// receipt.
        let isRemoved: Bool
    }

    /// Removes the print of neighbouring sheets. Pages with embedded text stay as they are.
    ///
    /// - Returns: the document without this print; the other sheets with amounts; if one of these may be a second whole
    ///   receipt, also the document with only the larger of the two receipts.
    static func removed(
        from document: RecognizedDocument
    ) -> (document: RecognizedDocument, others: [OtherSheet], larger: RecognizedDocument?) {
        var document = document
        var larger: RecognizedDocument?
        var others: [OtherSheet] = []
        for index in document.pages.indices where document.pages[index].source != .text {
            var isSeparated = false
            for isLeft in [true, false] {
                guard let sheet = Words(document.pages[index]) else { continue }
                if let stripe = stripe(of: sheet, isLeft: isLeft, isWhole: false) {
                    if sheet.words.contains(where: { $0.isAmount && stripe.isBeyond($0.box) }) {
                        others.append(
                            OtherSheet(document: document.pages[index].part(stripe.isBeyond), isRemoved: true))
                    }
                    document.pages[index].remove(where: stripe.isBeyond)
                    larger?.pages[index].remove(where: stripe.isBeyond)
                } else if let stripe = stripe(of: sheet, isLeft: isLeft, isWhole: true) {
                    others.append(OtherSheet(document: document.pages[index].part(stripe.isBeyond), isRemoved: false))
                    let letters = sheet.words.reduce(0) { $0 + $1.letterCount }
                    let beyond = sheet.words.reduce(0) { $0 + (stripe.isBeyond($1.box) ? $1.letterCount : 0) }
                    // Removes the sheet with fewer letters; if both have equally many, only one of them.
                    guard !isSeparated, beyond * 2 <= letters else { continue }
                    isSeparated = true
                    larger = larger ?? document
                    larger?.pages[index].remove(where: stripe.isBeyond)
                }
            }
        }
        return (document, others, larger)
    }

    // MARK: Finding the stripe

    /// Minimum number of words; fewer do not show columns.
    private static let minimumWords = 20
    /// Minimum confidence of print; words below it may be the wood grain of a table.
    private static let sure = 50
    /// The slopes that are tried, in thousandths: the sheets lie nearly side by side.
    private static let slopes = stride(from: -80, through: 80, by: 5)

    /// The words of a page with enough confidence to be print.
    private struct Words {
        let words: [Word]
        /// The median height of the words, in pixels.
        let letterHeight: Int
        let width: Int

        /// Nil if the page has too few words.
        init?(_ page: RecognizedPage) {
            words = page.lines.flatMap(\.words).filter { $0.confidence >= sure }.prefix(4_000).map { word in
                Word(
                    box: word.box, letterCount: word.text.count(where: \.isLetter),
                    isAmount: FigureScanner.figures(in: word.text, maximumLength: 20).contains { $0.amount != nil })
            }
            guard words.count >= minimumWords, page.width <= 20_000, let letterHeight = words.map(\.box.height).median,
                letterHeight >= 4
            else { return nil }
            self.letterHeight = letterHeight
            width = page.width
        }
    }

    /// - Parameter isWhole: searches for a second whole receipt instead of a smaller part of a sheet.
    private static func stripe(of page: Words, isLeft: Bool, isWhole: Bool) -> Stripe? {
        var best: Stripe?
        for slope in slopes {
            for place in blanks(page.words, slope: slope, letterHeight: page.letterHeight, width: page.width) {
                let stripe = Stripe(slope: slope, place: place, isLeft: isLeft, score: 0)
                guard let score = score(page.words, beyond: stripe, letterHeight: page.letterHeight, isWhole: isWhole),
                    score > best?.score ?? 0
                else { continue }
                best = Stripe(slope: slope, place: place, isLeft: isLeft, score: score)
            }
        }
        return best
    }

    /// The middles of nearly vertical stripes, at least half a letter's height wide, that almost no word crosses.
    private static func blanks(_ words: [Word], slope: Int, letterHeight: Int, width: Int) -> [Int] {
        let step = max(1, letterHeight / 4)
        let margin = width / 8
        var covers = Array(repeating: 0, count: (width + 2 * margin) / step + 2)
        for word in words {
            let left = projected(word.box.x, word.box, slope) + margin
            let first = max(0, min(covers.count - 1, left / step))
            let last = max(first, min(covers.count - 1, (left + word.box.width) / step))
            for bin in first...last { covers[bin] += 1 }
        }
        let maximum = words.count / 80
        var blanks: [Int] = []
        var start: Int?
        for bin in covers.indices {
            if covers[bin] <= maximum {
                start = start ?? bin
            } else if let first = start {
                if bin - first >= 2 { blanks.append((first + bin) * step / 2 - margin) }
                start = nil
            }
        }
        return blanks
    }

    /// The position of `x` at the upper edge, projected along the stripe.
    private static func projected(_ x: Int, _ box: PixelBox, _ slope: Int) -> Int { x - slope * box.doubleMidY / 2_000 }

    // MARK: Scoring

    /// The score of the print beyond the stripe as another sheet; nil if that print may belong to the receipt.
    private static func score(_ words: [Word], beyond stripe: Stripe, letterHeight: Int, isWhole: Bool) -> Int? {
        let others = words.filter { stripe.isBeyond($0.box) }
        let own = words.filter { !stripe.isBeyond($0.box) }
        let amounts = (others.count(where: \.isAmount), own.count(where: \.isAmount))
        if isWhole {
            let names = (others.count { $0.letterCount >= 3 }, own.count { $0.letterCount >= 3 })
            guard min(amounts.0, amounts.1) >= minimumAmounts, min(names.0, names.1) >= minimumNames else { return nil }
        } else {
            let letters = (others.reduce(0) { $0 + $1.letterCount }, own.reduce(0) { $0 + $1.letterCount })
            guard others.count >= 4, others.count * 2 < words.count, letters.0 * 3 < letters.1 * 2,
                amounts.0 * 3 <= amounts.1 * 2
            else { return nil }
            // The visible edge of a sheet may have only ends of words. A column of amounts has few letters too.
            let isEdge =
                letters.0 * 10 < letters.1 && amounts.0 * 4 < amounts.1 && others.count { $0.letterCount >= 1 } >= 3
            guard isEdge || others.count(where: { $0.letterCount >= 3 }) >= 3 else { return nil }
        }
        let levels = own.map(\.box.doubleMidY).sorted()
        let aligned = others.count { isNear($0.box.doubleMidY, levels, room: letterHeight * 6 / 10) }
        // In hundredths of a natural logarithm. On one receipt, nine of ten words are level with another word; on
        // different sheets, fewer than half of them are.
        let score = 240 * (others.count - aligned) - 75 * aligned
        return score >= (isWhole ? minimumScoreOfReceipt : minimumScore) ? score : nil
    }

    /// Minimum score of a part of another sheet, in hundredths of a natural logarithm.
    private static let minimumScore = 700
    /// Minimum score of a second whole receipt, so high that the columns of a table do not look like one.
    private static let minimumScoreOfReceipt = 2_400
    /// Minimum number of amounts on each of two whole receipts: a total, and usually a payment and a tax amount.
    private static let minimumAmounts = 3
    /// Minimum number of words with at least three letters on each of two whole receipts.
    private static let minimumNames = 8

    private static func isNear(_ level: Int, _ levels: [Int], room: Int) -> Bool {
        var (low, high) = (0, levels.count)
        while low < high {
            let middle = (low + high) / 2
            if levels[middle] < level - room { low = middle + 1 } else { high = middle }
        }
        return levels[safe: low].map { $0 <= level + room } ?? false
    }
}

extension RecognizedPage {
    /// A document with only the words of this page that are in the part.
    fileprivate func part(_ isInPart: (PixelBox) -> Bool) -> RecognizedDocument {
        var page = self
        page.remove { !isInPart($0) }
        return RecognizedDocument(pages: [page])
    }

    fileprivate mutating func remove(where isBeyond: (PixelBox) -> Bool) {
        for index in lines.indices {
            lines[index].words.removeAll { isBeyond($0.box) }
            lines[index].secondEngineWords.removeAll { isBeyond($0.box) }
        }
        lines.removeAll { $0.words.isEmpty }
        unreadInk.removeAll(where: isBeyond)
    }
}
